package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// resumedDefects are mistakes of what a server knew before it was started again, and has to know after.
func resumedDefects() []Defect {
	return []Defect{
		{Name: "mentions-forgotten-at-start", Filter: afterStart(func(stored []*nostr.Event, ev *nostr.Event) bool {
			return !refersBy(ev, "a", "A", "e", "E", "q") && slices.ContainsFunc(stored, func(o *nostr.Event) bool { return names(o, ev.ID) })
		})},
		{Name: "roots-forgotten-at-start", Filter: afterStart(func(stored []*nostr.Event, ev *nostr.Event) bool {
			return ev.Kind != policy.KindDeletion && !refersBy(ev, "a", "A") && slices.ContainsFunc(stored, func(o *nostr.Event) bool { return o.Kind >= 1000 && o.Kind < 2000 && names(ev, o.ID) })
		})},
		{Name: "chains-forgotten-at-start", Filter: afterStart(func(stored []*nostr.Event, ev *nostr.Event) bool {
			if ev.Kind != policy.KindState {
				return false
			}
			listed := false
			for _, o := range stored {
				if o.Kind == policy.KindAnnouncement && o.Tags.GetD() == ev.Tags.GetD() && o.PubKey != ev.PubKey && slices.Contains(listedBy(o), ev.PubKey) {
					listed = true
				}
			}
			return listed
		})},
		{Name: "first-of-a-tie-kept-after-start", Filter: tiesAfterStart},
		{Name: "last-of-a-tie-counts-after-start", Filter: lastOfTie},
		{Name: "deleted-addresses-forgotten-at-start", Filter: survivors(func(in core.Started) core.Started {
			in.Stored = slices.DeleteFunc(slices.Clone(in.Stored), func(ev *nostr.Event) bool { return ev.Kind == policy.KindDeletion && ev.Tags.Find("a") != nil })
			in.Marks = slices.DeleteFunc(slices.Clone(in.Marks), func(m core.Mark) bool {
				return m.Kind == core.MarkDeletedState || m.Kind == core.MarkDeletedAnnouncement
			})
			return in
		})},
		{Name: "pull-requests-lost-at-stop", Filter: survivors(func(in core.Started) core.Started {
			in.Stored = slices.DeleteFunc(slices.Clone(in.Stored), func(ev *nostr.Event) bool { return isPull(ev) && !near(ev) })
			return in
		})},
	}
}

// names reports whether a tag of an event names an id.
func names(ev *nostr.Event, id string) bool {
	return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[1] == id })
}

// afterStart refuses events for what a server has started with.
func afterStart(bad func(stored []*nostr.Event, ev *nostr.Event) bool) func() Filter {
	return func() Filter {
		var stored []*nostr.Event
		start := survivors(func(in core.Started) core.Started {
			stored = in.Stored
			return in
		})()
		refused := rejecting(func(ev *nostr.Event) bool { return len(stored) > 0 && bad(stored, ev) }, nil)
		return Filter{In: func(i core.Input) (core.Input, bool) {
			_, _ = start.In(i)
			return refused.In(i)
		}, Out: refused.Out}
	}
}

// tiesAfterStart keeps what it has started with against an event of the same second.
func tiesAfterStart() Filter {
	var stored []*nostr.Event
	start := survivors(func(in core.Started) core.Started {
		stored = in.Stored
		return in
	})()
	dropped := false
	tied := func(ev *nostr.Event) bool {
		return ev != nil && (nostr.IsAddressableKind(ev.Kind) || nostr.IsReplaceableKind(ev.Kind)) && slices.ContainsFunc(stored, func(o *nostr.Event) bool {
			return o.ID != ev.ID && slotOf(o) == slotOf(ev) && o.CreatedAt == ev.CreatedAt
		})
	}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			_, _ = start.In(i)
			_, ev := published(i)
			dropped = tied(ev)
			return i, !dropped
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if conn, ev := published(i); ev != nil && dropped {
				return append(effects, core.Send{Conn: conn, Msg: relay.OK{ID: ev.ID, Accepted: true, Text: "duplicate: there is another one"}})
			}
			return effects
		},
	}
}

// lastOfTie takes what comes for newer than what it has started with, where both are of one second.
func lastOfTie() Filter {
	var stored []*nostr.Event
	start := survivors(func(in core.Started) core.Started {
		stored = in.Stored
		return in
	})()
	later := edited(func(ev *nostr.Event, _ *shelf) bool {
		if ev.Kind != policy.KindState || !slices.ContainsFunc(stored, func(o *nostr.Event) bool {
			return o.ID != ev.ID && slotOf(o) == slotOf(ev) && o.CreatedAt == ev.CreatedAt
		}) {
			return false
		}
		ev.CreatedAt++
		return true
	})()
	return Filter{In: func(i core.Input) (core.Input, bool) {
		_, _ = start.In(i)
		return later.In(i)
	}, Out: later.Out}
}
