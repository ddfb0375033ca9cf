package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

func leakDefects() []Defect {
	return []Defect{
		{Name: "ephemeral-stored", Filter: leak(func(i core.Input, _ []core.Effect) *nostr.Event {
			if _, ev := published(i); ev != nil && ev.Kind >= 20_000 && ev.Kind < 30_000 {
				return ev
			}
			return nil
		})},
		{Name: "related-to-held-served", Filter: relatedToHeld},
		{Name: "held-duplicates-served", Filter: leak(func(i core.Input, effects []core.Effect) *nostr.Event {
			_, ev := published(i)
			for _, e := range effects {
				send, _ := e.(core.Send)
				if m, ok := send.Msg.(relay.OK); ok && ev != nil && m.ID == ev.ID && m.Text == "duplicate: in purgatory" {
					return ev
				}
			}
			return nil
		})},
		{Name: "refusals-tell", Filter: refusalsTell},
		{Name: "replaceable-by-arrival", Filter: byArrival(policy.KindUserGraspList)},
		{Name: "authority-kept", Filter: authorityKept},
		{Name: "unknown-tags-dropped", Filter: out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			if m, ok := send.Msg.(relay.EventFor); ok && m.Event.Tags.Find("x-unknown") != nil {
				shown := *m.Event
				shown.Tags = slices.DeleteFunc(slices.Clone(shown.Tags), func(t nostr.Tag) bool { return t[0] == "x-unknown" })
				m.Event = &shown
				send.Msg = m
				return send, true
			}
			return e, true
		})},
		{Name: "malformed-ignored", Filter: func() Filter {
			return Filter{In: func(i core.Input) (core.Input, bool) {
				m, _ := i.(core.Message)
				bad, is := m.Msg.(relay.Malformed)
				_, ok := bad.Reply.(relay.OK)
				return i, !is || ok
			}}
		}},
		{Name: "junk-kills", Filter: junkKills},
		{Name: "releases-unannounced", Filter: out(func(i core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			_, event := send.Msg.(relay.EventFor)
			_, asked := i.(core.Message)
			return e, asked || !event
		})},
		{Name: "replacements-said-to-wait", Filter: ok(func(i core.Input, m relay.OK) relay.OK {
			if _, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement && m.Accepted && m.Text == "" {
				m.Text = "purgatory: won't be served until git data arrives"
			}
			return m
		})},
		{Name: "patches-said-to-wait", Filter: ok(func(i core.Input, m relay.OK) relay.OK {
			if _, ev := published(i); ev != nil && ev.Kind == 1617 && m.Accepted {
				m.Text = "purgatory: won't be served until git data arrives"
			}
			return m
		})},
	}
}

// leak shows queries an event that the core does not store.
func leak(pick func(core.Input, []core.Effect) *nostr.Event) func() Filter {
	return func() Filter {
		var leaked []*nostr.Event
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			var all []core.Effect
			m, _ := i.(core.Message)
			if r, ok := m.Msg.(relay.Req); ok {
				for _, ev := range leaked {
					if wants(r.Filters, ev) {
						all = append(all, core.Send{Conn: m.Conn, Msg: relay.EventFor{Sub: r.Sub, Event: ev}})
					}
				}
			}
			if ev := pick(i, effects); ev != nil {
				leaked = append(leaked, ev)
			}
			return append(all, effects...)
		}}
	}
}

// relatedToHeld shows what refers to a held announcement, although it was refused.
func relatedToHeld() Filter {
	held := map[string]bool{}
	return leak(func(i core.Input, effects []core.Effect) *nostr.Event {
		for _, e := range effects {
			if r, ok := e.(core.Record); ok && r.Event != nil && r.Event.Kind == policy.KindAnnouncement {
				held["30617:"+r.Event.PubKey+":"+r.Event.Tags.GetD()] = r.Op == core.OpHold
			}
		}
		_, ev := published(i)
		if ev == nil || ev.Kind != 1621 {
			return nil
		}
		if a := ev.Tags.Find("a"); len(a) > 1 && held[a[1]] {
			return ev
		}
		return nil
	})()
}

// refusalsTell names the description of the announcement in the refusal of a push.
func refusalsTell() Filter {
	said := map[string]string{}
	var asked string
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			if _, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement {
				if d := ev.Tags.Find("description"); len(d) > 1 {
					said[ev.PubKey+ev.Tags.GetD()] = d[1]
				}
			}
			if o, ok := i.(core.PushOffered); ok {
				asked = said[string(o.Repo.Owner)+o.Repo.Identifier]
			}
			return i, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for n, e := range effects {
				if r, ok := e.(core.PushRefused); ok {
					r.Ruling.Reason += " (" + asked + ")"
					effects[n] = r
				}
			}
			return effects
		},
	}
}

// authorityKept adds to each announcement the maintainers of the one before, and shows clients what was signed.
func authorityKept() Filter {
	maintainers := map[string]nostr.Tag{}
	original := map[string]*nostr.Event{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			_, ev := published(i)
			if ev == nil || ev.Kind != policy.KindAnnouncement {
				return i, true
			}
			m, _ := i.(core.Message)
			own, key := ev.Tags.Find("maintainers"), ev.PubKey+ev.Tags.GetD()
			if own != nil || maintainers[key] == nil {
				maintainers[key] = own
				return i, true
			}
			original[ev.ID] = ev
			changed := *ev
			changed.Tags = append(slices.Clone(ev.Tags), maintainers[key])
			m.Msg = relay.Event{Event: &changed, IDOK: true}
			return m, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for n, e := range effects {
				send, _ := e.(core.Send)
				if m, ok := send.Msg.(relay.EventFor); ok && original[m.Event.ID] != nil {
					m.Event = original[m.Event.ID]
					send.Msg = m
					effects[n] = send
				}
			}
			return effects
		},
	}
}

// junkKills hears nothing any more once a message was nested too deeply.
func junkKills() Filter {
	dead := false
	return Filter{In: func(i core.Input) (core.Input, bool) {
		m, _ := i.(core.Message)
		bad, _ := m.Msg.(relay.Malformed)
		text := ""
		switch reply := bad.Reply.(type) {
		case relay.Notice:
			text = reply.Text
		case relay.Closed:
			text = reply.Text
		}
		dead = dead || strings.Contains(text, "too deep")
		return i, !dead
	}}
}
