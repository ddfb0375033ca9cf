package defect

import (
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// togetherRestartDefects are mistakes that show where a restart and something else come together.
func togetherRestartDefects() []Defect {
	anybody := func(string, string) bool { return true }
	return []Defect{
		{Name: "released-behind-a-stop-and-unserved", Filter: releasedUnserved},
		{Name: "held-states-known-and-lost-at-stop", Filter: knownAndLost(policy.KindState, func(author, owner string) bool { return author == owner })},
		{Name: "held-states-of-others-known-and-lost-at-stop", Filter: knownAndLost(policy.KindState, func(author, owner string) bool { return author != owner })},
		{Name: "held-announcements-known-and-lost-at-stop", Filter: knownAndLost(policy.KindAnnouncement, anybody)},
		{Name: "held-pull-requests-known-and-lost-at-stop", Filter: knownAndLost(policy.KindPullRequest, anybody)},
		deletedHeldBack("deleted-held-states-back-at-start"),
		replacedBack("replaced-announcements-back-at-start", policy.KindAnnouncement),
		replacedBack("replaced-states-back-at-start", policy.KindState),
		{Name: "one-repository-an-identifier-at-start", Filter: survivors(func(in core.Started) core.Started {
			first := map[string]bool{}
			in.Stored = slices.DeleteFunc(slices.Clone(in.Stored), func(ev *nostr.Event) bool {
				again := ev.Kind == policy.KindAnnouncement && first[ev.Tags.GetD()]
				first[ev.Tags.GetD()] = first[ev.Tags.GetD()] || ev.Kind == policy.KindAnnouncement
				return again
			})
			return in
		})},
		{Name: "announcements-for-elsewhere-lost-at-start", Filter: survivors(func(in core.Started) core.Started {
			here := map[string]bool{}
			for _, r := range in.Repositories {
				here[r.ID.Coordinate()] = true
			}
			in.Stored = slices.DeleteFunc(slices.Clone(in.Stored), func(ev *nostr.Event) bool {
				return ev.Kind == policy.KindAnnouncement && !here["30617:"+ev.PubKey+":"+ev.Tags.GetD()]
			})
			return in
		})},
		{Name: "held-states-wait-for-good-behind-a-stop", Filter: survivors(func(in core.Started) core.Started {
			in.Held = slices.Clone(in.Held)
			for n, h := range in.Held {
				if h.Event.Kind == policy.KindState {
					in.Held[n].Deadline = h.Deadline.Add(10 * 365 * 24 * time.Hour)
				}
			}
			return in
		})},
		{Name: "expirations-forgotten-at-start", Filter: expirationsForgotten},
	}
}

// deletedHeldBack has states wait again behind a restart that were deleted while they waited.
func deletedHeldBack(name string) Defect {
	held, gone := map[string]core.HeldEvent{}, map[string]core.HeldEvent{}
	return Defect{Name: name, Filter: func() Filter {
		start := survivors(func(in core.Started) core.Started {
			in.Held = slices.Clone(in.Held)
			for _, h := range gone {
				in.Held = append(in.Held, h)
			}
			in.Marks = slices.DeleteFunc(slices.Clone(in.Marks), func(m core.Mark) bool { return gone[m.Event].Event != nil })
			return in
		})()
		return Filter{In: start.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
			_, ev := published(i)
			for _, e := range effects {
				switch r, _ := e.(core.Record); {
				case r.Op == core.OpHold && r.Event.Kind == policy.KindState:
					held[r.ID] = core.HeldEvent{Event: r.Event, Arrived: r.Arrived, Deadline: r.Deadline}
				case r.Op == core.OpDrop && held[r.ID].Event != nil && ev != nil && ev.Kind == policy.KindDeletion:
					gone[r.ID] = held[r.ID]
				}
			}
			return effects
		}}
	}}
}

// replacedBack starts with the versions of events that were replaced, in the places of those that replaced them.
func replacedBack(name string, kind int) Defect {
	latest, former := map[slotted]*nostr.Event{}, map[string]*nostr.Event{}
	return Defect{Name: name, Filter: func() Filter {
		start := survivors(func(in core.Started) core.Started {
			in.Stored = slices.Clone(in.Stored)
			for n, ev := range in.Stored {
				if old := former[ev.ID]; old != nil {
					in.Stored[n] = old
				}
			}
			return in
		})()
		return Filter{In: start.In, Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				r, _ := e.(core.Record)
				if r.Op != core.OpStore || r.Event.Kind != kind {
					continue
				}
				if old := latest[slotOf(r.Event)]; old != nil && old.ID != r.ID {
					former[r.ID] = old
				}
				latest[slotOf(r.Event)] = r.Event
			}
			return effects
		}}
	}}
}

// knownAndLost forgets over a restart what the events of a kind that waited said, and knows their ids all the same: who sends one
// of them again is told that it waits.
func knownAndLost(kind int, whose func(author, owner string) bool) func() Filter {
	return func() Filter {
		lost := map[string]bool{}
		known := func(i core.Input) (core.ConnID, *nostr.Event) {
			if conn, ev := published(i); ev != nil && lost[ev.ID] {
				return conn, ev
			}
			return 0, nil
		}
		start := survivors(func(in core.Started) core.Started {
			first := map[string]*nostr.Event{} // by identifier, the announcement of whoever owns it
			for _, ev := range in.Stored {
				if was := first[ev.Tags.GetD()]; ev.Kind == policy.KindAnnouncement && (was == nil || ev.CreatedAt < was.CreatedAt) {
					first[ev.Tags.GetD()] = ev
				}
			}
			owner := func(identifier string) string {
				if ev := first[identifier]; ev != nil {
					return ev.PubKey
				}
				return ""
			}
			in.Held = slices.DeleteFunc(slices.Clone(in.Held), func(h core.HeldEvent) bool {
				is := h.Event.Kind == kind && whose(h.Event.PubKey, owner(h.Event.Tags.GetD()))
				lost[h.Event.ID] = lost[h.Event.ID] || is
				return is
			})
			return in
		})()
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				if _, ev := known(i); ev != nil {
					return i, false
				}
				return start.In(i)
			},
			Out: func(i core.Input, effects []core.Effect) []core.Effect {
				if conn, ev := known(i); ev != nil {
					return append(effects, core.Send{Conn: conn, Msg: relay.OK{ID: ev.ID, Accepted: true, Text: "duplicate: it waits for its git data"}})
				}
				return effects
			},
		}
	}
}

// releasedUnserved lets states that waited when the server stopped authorize their pushes, and never serves them.
func releasedUnserved() Filter {
	hidden := map[string]bool{}
	start := survivors(func(in core.Started) core.Started {
		for _, h := range in.Held {
			if h.Event.Kind == policy.KindState {
				hidden[h.Event.ID] = true
			}
		}
		return in
	})()
	return Filter{In: start.In, Out: func(_ core.Input, effects []core.Effect) []core.Effect { return hiding(hidden, effects) }}
}

// expirationsForgotten keeps for good what was to expire, once it has started with it.
func expirationsForgotten() Filter {
	original := map[string]*nostr.Event{}
	start := survivors(func(in core.Started) core.Started {
		in.Stored = slices.Clone(in.Stored)
		for n, ev := range in.Stored {
			if ev.Tags.Find("expiration") == nil {
				continue
			}
			original[ev.ID] = ev
			changed := *ev
			changed.Tags = slices.DeleteFunc(slices.Clone(ev.Tags), func(t nostr.Tag) bool { return t[0] == "expiration" })
			in.Stored[n] = &changed
		}
		return in
	})()
	return Filter{In: start.In, Out: asSent(original)}
}
