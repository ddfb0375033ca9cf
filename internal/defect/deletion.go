package defect

import (
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/web"
)

func deletionDefects() []Defect {
	held := func(kinds ...int) func(e filed, _ bool) bool {
		return func(e filed, _ bool) bool { return e.held && slices.Contains(kinds, e.event.Kind) }
	}
	return []Defect{
		{Name: "deletions-by-id-ignored", Filter: sparing(func(e filed, byID bool) bool { return !e.held && byID })},
		{Name: "deletions-by-address-ignored", Filter: sparing(func(e filed, byID bool) bool { return !e.held && !byID })},
		{Name: "newer-versions-deleted", Filter: requests(func(ev *nostr.Event, _ *shelf) {
			if ev.Tags.Find("a") != nil {
				ev.CreatedAt += 100_000
			}
		})},
		{Name: "requests-beside-foreign-events-do-nothing", Filter: requests(func(ev *nostr.Event, s *shelf) {
			if slices.ContainsFunc(ev.Tags, s.foreign(ev.PubKey)) {
				ev.Tags = nil
			}
		})},
		{Name: "requests-end-at-foreign-events", Filter: requests(func(ev *nostr.Event, s *shelf) {
			if at := slices.IndexFunc(ev.Tags, s.foreign(ev.PubKey)); at >= 0 {
				ev.Tags = ev.Tags[:at]
			}
		})},
		{Name: "strangers-delete", Filter: impersonating(false)},
		{Name: "strangers-delete-held", Filter: impersonating(true)},
		{Name: "deletions-unserved", Filter: out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			m, ok := send.Msg.(relay.EventFor)
			return e, !ok || m.Event.Kind != policy.KindDeletion
		})},
		{Name: "deleted-events-taken-again", Filter: ok(func(_ core.Input, m relay.OK) relay.OK {
			if strings.Contains(m.Text, "this event is deleted") {
				m.Accepted, m.Text = true, ""
			}
			return m
		})},
		{Name: "kinds-of-deletions-required", Filter: rejects(func(ev *nostr.Event) bool {
			return ev.Kind == policy.KindDeletion && ev.Tags.Find("k") == nil
		})},
		{Name: "held-states-deleted-by-address-only", Filter: sparing(func(e filed, byID bool) bool {
			return byID && e.held && e.event.Kind == policy.KindState
		})},
		{Name: "held-states-deleted-by-id-only", Filter: sparing(func(e filed, byID bool) bool {
			return !byID && e.held && e.event.Kind == policy.KindState
		})},
		{Name: "held-announcements-undeletable", Filter: sparing(held(policy.KindAnnouncement))},
		{Name: "held-pull-requests-undeletable", Filter: sparing(held(policy.KindPullRequest, policy.KindPullRequestUpdate))},
		{Name: "served-announcements-undeletable", Filter: sparing(func(e filed, _ bool) bool {
			return !e.held && e.event.Kind == policy.KindAnnouncement
		})},
		{Name: "vanishing-ignored", Filter: vanishingIgnored},
		{Name: "vanishing-elsewhere-obeyed", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			if ev.Kind == policy.KindVanish {
				ev.Tags = append(ev.Tags, nostr.Tag{"relay", "ALL_RELAYS"})
			}
			return ev.Kind == policy.KindVanish
		})},
		vanishingNextDoor(),
		{Name: "vanishing-needs-reference", Filter: rejects(func(ev *nostr.Event) bool { return ev.Kind == policy.KindVanish })},
		{Name: "challenge-ignored", Filter: challengeIgnored},
		{Name: "authentications-forwarded", Filter: authenticationsForwarded},
		{Name: "authentications-served", Filter: leak(func(i core.Input, effects []core.Effect) *nostr.Event {
			m, _ := i.(core.Message)
			auth, _ := m.Msg.(relay.Auth)
			for _, e := range effects {
				send, _ := e.(core.Send)
				if answer, is := send.Msg.(relay.OK); is && answer.Accepted {
					return auth.Event
				}
			}
			return nil
		})},
		{Name: "protected-taken-from-anybody", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "-" })
			return true
		})},
		{
			Name:   "work-refused-in-other-words",
			Web:    func(c *web.Config) { c.MinWork = 1 },
			Filter: rejects(func(ev *nostr.Event) bool { return ev.Tags.Find("nonce") != nil && policy.Work(ev.ID) < 1 }),
		},
	}
}

// vanishingNextDoor compares the hosts of relays alone, and no ports.
func vanishingNextDoor() Defect {
	var own string
	return Defect{
		Name:   "vanishing-next-door-obeyed",
		Config: func(c *core.Config) { own, _, _ = strings.Cut(c.Service.Host, ":") },
		Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			if ev.Kind != policy.KindVanish {
				return false
			}
			for i, t := range ev.Tags {
				if len(t) < 2 || t[0] != "relay" {
					continue
				}
				if u, err := url.Parse(t[1]); err == nil && u.Hostname() == own {
					ev.Tags[i] = nostr.Tag{"relay", "ALL_RELAYS"}
				}
			}
			return true
		}),
	}
}

// filed is an event that the server holds or serves.
type filed struct {
	event *nostr.Event
	held  bool
}

// A shelf knows what the server holds and serves, from its records.
type shelf struct{ byID map[string]filed }

func (s *shelf) note(effects []core.Effect) {
	for _, e := range effects {
		r, ok := e.(core.Record)
		if !ok {
			continue
		}
		switch r.Op { //nolint:exhaustive // marks are no events
		case core.OpStore, core.OpHold:
			s.byID[r.ID] = filed{r.Event, r.Op == core.OpHold}
		case core.OpUnstore, core.OpDrop:
			delete(s.byID, r.ID)
		}
	}
}

// all goes through what is there by its ids: a mistake answers in the same order each time.
func (s *shelf) all() iter.Seq2[string, filed] {
	return func(yield func(string, filed) bool) {
		for _, id := range slices.Sorted(maps.Keys(s.byID)) {
			if !yield(id, s.byID[id]) {
				return
			}
		}
	}
}

// named returns what a tag of a deletion request names, as far as it is there, sorted by id.
func (s *shelf) named(tag nostr.Tag) []filed {
	var list []filed
	for id, e := range s.all() {
		if len(tag) > 1 && (tag[0] == "e" && tag[1] == id || tag[0] == "a" && tag[1] == addressOf(e.event)) {
			list = append(list, e)
		}
	}
	return list
}

// foreign reports whether a tag names an event that is there and is of somebody else.
func (s *shelf) foreign(key string) func(nostr.Tag) bool {
	return func(tag nostr.Tag) bool {
		return slices.ContainsFunc(s.named(tag), func(e filed) bool { return e.event.PubKey != key })
	}
}

// addressOf is the address of an event.
func addressOf(ev *nostr.Event) string {
	return strconv.Itoa(ev.Kind) + ":" + ev.PubKey + ":" + ev.Tags.GetD()
}

// edited lets the core see events changed, and clients what was signed.
func edited(change func(ev *nostr.Event, s *shelf) bool) func() Filter {
	return func() Filter {
		s, original := &shelf{map[string]filed{}}, map[string]*nostr.Event{}
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				_, ev := published(i)
				if ev == nil {
					return i, true
				}
				changed := *ev
				changed.Tags = slices.Clone(ev.Tags)
				if !change(&changed, s) {
					return i, true
				}
				original[ev.ID] = ev
				m, _ := i.(core.Message)
				m.Msg = relay.Event{Event: &changed, IDOK: true}
				return m, true
			},
			Out: func(i core.Input, effects []core.Effect) []core.Effect {
				s.note(effects)
				return asSent(original)(i, effects)
			},
		}
	}
}

// requests changes deletion requests.
func requests(change func(ev *nostr.Event, s *shelf)) func() Filter {
	return edited(func(ev *nostr.Event, s *shelf) bool {
		if ev.Kind != policy.KindDeletion {
			return false
		}
		change(ev, s)
		return true
	})
}

// sparing hides from the core what deletion requests say of some events that are there.
func sparing(spared func(e filed, byID bool) bool) func() Filter {
	return requests(func(ev *nostr.Event, s *shelf) {
		ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool {
			return slices.ContainsFunc(s.named(t), func(e filed) bool { return spared(e, t[0] == "e") })
		})
	})
}

// impersonating takes every deletion request for one by the author of what it names, held or served.
func impersonating(held bool) func() Filter {
	return requests(func(ev *nostr.Event, s *shelf) {
		for _, t := range ev.Tags {
			for _, e := range s.named(t) {
				if e.held == held {
					ev.PubKey = e.event.PubKey
				}
			}
		}
	})
}

// vanishingIgnored says yes to requests to vanish and does nothing.
func vanishingIgnored() Filter {
	vanishes := func(i core.Input) (core.ConnID, *nostr.Event) {
		if conn, ev := published(i); ev != nil && ev.Kind == policy.KindVanish {
			return conn, ev
		}
		return 0, nil
	}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			_, ev := vanishes(i)
			return i, ev == nil
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if conn, ev := vanishes(i); ev != nil {
				return append(effects, core.Send{Conn: conn, Msg: relay.OK{ID: ev.ID, Accepted: true}})
			}
			return effects
		},
	}
}

// challengeIgnored takes every challenge in an authentication for the right one.
func challengeIgnored() Filter {
	asked := map[core.ConnID]string{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			m, _ := i.(core.Message)
			auth, ok := m.Msg.(relay.Auth)
			if !ok {
				return i, true
			}
			changed := *auth.Event
			changed.Tags = slices.Clone(changed.Tags)
			for n, t := range changed.Tags {
				if t[0] == "challenge" {
					changed.Tags[n] = nostr.Tag{"challenge", asked[m.Conn]}
				}
			}
			auth.Event = &changed
			m.Msg = auth
			return m, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				if send, ok := e.(core.Send); ok {
					if m, ok := send.Msg.(relay.Challenge); ok {
						asked[send.Conn] = m.Text
					}
				}
			}
			return effects
		},
	}
}

// authenticationsForwarded sends published events that authenticate to the subscriptions that are open.
func authenticationsForwarded() Filter {
	var open listeners
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		open.hear(i)
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindAuthentication {
			effects = open.tell(ev, effects)
		}
		return effects
	}}
}
