package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// plusDefects are mistakes of services that list sync plus.
func plusDefects() []Defect {
	return []Defect{
		{Name: "plus-listed-alone", Config: plusOn, Web: unlists02},
		{Name: "plus-listed-idle", Web: lists("GRASP-03")},
		{Name: "profiles-left-elsewhere", Config: plusOn, Filter: left(func(kind int) bool { return kind == 0 || kind == policy.KindUserGraspList })},
		{Name: "answers-left-elsewhere", Config: plusOn, Filter: left(func(kind int) bool { return kind == 1111 })},
		{Name: "profiles-of-anybody-taken", Config: plusOn, Filter: profilesTaken},
		{Name: "profiles-of-anybody-got", Config: plusOn, Filter: profilesOfAnybody},
		{Name: "writing-marks-unread", Config: plusOn, Filter: in(func(m core.Message) core.Message {
			if _, ev := published(m); ev != nil && ev.Kind == policy.KindRelayList {
				known := *ev
				known.Tags = slices.DeleteFunc(slices.Clone(ev.Tags), func(t nostr.Tag) bool { return len(t) > 2 && t[0] == "r" && t[2] == "write" })
				m.Msg = relay.Event{Event: &known, IDOK: true}
			}
			return m
		})},
		{Name: "own-profiles-refused", Config: plusOn, Filter: rejects(func(ev *nostr.Event) bool { return ev.Kind == 0 })},
	}
}

// plusOn has a server look for what participants have elsewhere.
func plusOn(c *core.Config) { c.Sync.Plus.On = true }

// aboutItself tells the kinds of what people say about themselves.
func aboutItself(kind int) bool {
	return kind == 0 || kind == policy.KindRelayList || kind == policy.KindUserGraspList
}

// profilesTaken takes what people say about themselves from whoever says it.
func profilesTaken() Filter {
	theirs := func(i core.Input) *nostr.Event {
		if _, ev := published(i); ev != nil && aboutItself(ev.Kind) {
			return ev
		}
		return nil
	}
	f := leak(func(i core.Input, _ []core.Effect) *nostr.Event { return theirs(i) })()
	shows := f.Out
	f.Out = func(i core.Input, effects []core.Effect) []core.Effect {
		for n, e := range effects {
			send, _ := e.(core.Send)
			if m, is := send.Msg.(relay.OK); is && theirs(i) != nil && !m.Accepted {
				send.Msg = relay.OK{ID: m.ID, Accepted: true}
				effects[n] = send
			}
		}
		return shows(i, effects)
	}
	return f
}

// profilesOfAnybody asks other relays for the profiles of everybody, and shows queries what they send.
func profilesOfAnybody() Filter {
	f := leak(func(i core.Input, _ []core.Effect) *nostr.Event {
		said, _ := i.(core.PeerSaid)
		if found, is := said.Msg.(relay.EventFor); is && found.Event.Kind == 0 {
			return found.Event
		}
		return nil
	})()
	out := f.Out
	f.Out = func(i core.Input, effects []core.Effect) []core.Effect {
		for n, e := range effects {
			send, _ := e.(core.SendPeer)
			switch m := send.Msg.(type) {
			case relay.Req:
				m.Filters = slices.Clone(m.Filters)
				for at, filter := range m.Filters {
					if slices.Contains(filter.Kinds, 0) {
						m.Filters[at].Authors = nil
					}
				}
				send.Msg = m
			case relay.NegOpen:
				if slices.Contains(m.Filter.Kinds, 0) {
					m.Filter.Authors = nil
				}
				send.Msg = m
			default:
				continue
			}
			effects[n] = send
		}
		return out(i, effects)
	}
	return f
}

// left takes no events of some kinds from other relays.
func left(these func(kind int) bool) func() Filter {
	return func() Filter {
		return Filter{In: func(i core.Input) (core.Input, bool) {
			said, _ := i.(core.PeerSaid)
			found, is := said.Msg.(relay.EventFor)
			return i, !is || !these(found.Event.Kind)
		}}
	}
}
