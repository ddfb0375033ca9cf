package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// indexDefects are mistakes of what a server keeps beside its events to answer by: sets, counts and lists that one of the ways in which
// events come and go has left as they were.
func indexDefects() []Defect {
	return []Defect{
		{Name: "released-events-not-reconciled", Filter: indexed(false, everReleased)},
		{Name: "released-events-not-counted", Filter: indexed(true, everReleased)},
		{Name: "reconciliations-forgotten-at-start", Filter: indexed(false, hereAtStart)},
		{Name: "counts-forgotten-at-start", Filter: indexed(true, hereAtStart)},
		{Name: "replaced-versions-reconciled", Filter: staleSets(func(r, by *nostr.Event) bool { return by != nil && slotOf(r) == slotOf(by) })},
		{Name: "deleted-events-reconciled", Filter: staleSets(func(_, by *nostr.Event) bool { return by != nil && by.Kind == policy.KindDeletion })},
		{Name: "vanished-events-reconciled", Filter: staleSets(func(_, by *nostr.Event) bool { return by != nil && by.Kind == policy.KindVanish })},
		{Name: "expired-events-reconciled", Filter: staleSets(func(r, by *nostr.Event) bool { return by == nil && r.Tags.Find("expiration") != nil })},
		{Name: "replaced-versions-counted", Filter: staleCounts(func(r, by *nostr.Event) bool { return by != nil && slotOf(r) == slotOf(by) })},
		{Name: "vanished-events-counted", Filter: staleCounts(func(_, by *nostr.Event) bool { return by != nil && by.Kind == policy.KindVanish })},
		{Name: "limits-count-what-has-expired", Filter: limitsCountExpired},
		{Name: "empty-tag-values-unread", Filter: queried(func(f relay.Filter) relay.Filter {
			f.Tags = slices.DeleteFunc(slices.Clone(f.Tags), func(t relay.TagFilter) bool { return slices.Equal(t.Values, []string{""}) })
			return f
		})},
	}
}

// unindexed are events that an index does not have, by what has come to a server.
type unindexed func(gone map[string]bool, i core.Input, effects []core.Effect)

// everReleased are events that have waited.
func everReleased(gone map[string]bool, _ core.Input, effects []core.Effect) {
	for _, e := range effects {
		if r, _ := e.(core.Record); r.Op == core.OpHold {
			gone[r.ID] = true
		}
	}
}

// hereAtStart are events that a server has started with.
func hereAtStart(gone map[string]bool, i core.Input, _ []core.Effect) {
	started, _ := i.(core.Started)
	for _, ev := range started.Stored {
		gone[ev.ID] = true
	}
}

// indexed answers counts, or else reconciliations, without the events that have left an index.
func indexed(counts bool, leave unindexed) func() Filter {
	return func() Filter {
		s, gone := &shelf{map[string]filed{}}, map[string]bool{}
		found := func(filters ...relay.Filter) relay.Filter {
			f := relay.Filter{IDs: []string{}}
			for id, e := range s.all() {
				if !e.held && !gone[id] && wants(filters, e.event) {
					f.IDs = append(f.IDs, id)
				}
			}
			return f
		}
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				if started, is := i.(core.Started); is {
					for _, ev := range started.Stored {
						s.byID[ev.ID] = filed{event: ev}
					}
				}
				m, _ := i.(core.Message)
				switch q := m.Msg.(type) {
				case relay.Count:
					if counts {
						q.Filters = []relay.Filter{found(q.Filters...)}
						m.Msg = q
						return m, true
					}
				case relay.NegOpen:
					if !counts {
						q.Filter = found(q.Filter)
						m.Msg = q
						return m, true
					}
				}
				return i, true
			},
			Out: func(i core.Input, effects []core.Effect) []core.Effect {
				s.note(effects)
				leave(gone, i, effects)
				return effects
			},
		}
	}
}

// staleSets keeps some of the events in reconciliations that are no longer served, by what has taken them away.
func staleSets(stays func(gone, by *nostr.Event) bool) func() Filter {
	return func() Filter {
		r := &reconciler{gone: true, frame: core.ReconcileFrame}
		filter := r.filter()
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			_, by := published(i)
			for _, e := range effects {
				rec, _ := e.(core.Record)
				if rec.Op != core.OpUnstore {
					continue
				}
				r.kept.stored = slices.DeleteFunc(r.kept.stored, func(ev *nostr.Event) bool { return ev.ID == rec.ID && !stays(ev, by) })
			}
			return filter.Out(i, effects)
		}}
	}
}

// staleCounts keeps some of the events in counts that are no longer served, by what has taken them away.
func staleCounts(stays func(gone, by *nostr.Event) bool) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		var gone []*nostr.Event
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			_, by := published(i)
			for _, e := range effects {
				r, _ := e.(core.Record)
				if was := s.byID[r.ID]; r.Op == core.OpUnstore && was.event != nil && !was.held && stays(was.event, by) {
					gone = append(gone, was.event)
				}
			}
			s.note(effects)
			return countedToo(i, effects, gone)
		}}
	}
}

// limitsCountExpired lets what has expired take a place among the newest that a query asks for.
func limitsCountExpired() Filter {
	all := map[string]*nostr.Event{}
	var expired []*nostr.Event
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		_, ev := published(i)
		for _, e := range effects {
			r, _ := e.(core.Record)
			if r.Op == core.OpStore {
				all[r.ID] = r.Event
			}
			if old := all[r.ID]; r.Op == core.OpUnstore && old != nil && old.Tags.Find("expiration") != nil && ev == nil {
				expired = append(expired, old)
			}
		}
		return amongNewest(i, effects, expired)
	}}
}
