package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// partlyDefects are mistakes of which a filter or a subscription loses a part.
func partlyDefects() []Defect {
	return []Defect{
		{Name: "first-tag-value-only", Filter: req(func(f relay.Filter) relay.Filter {
			f.Tags = slices.Clone(f.Tags)
			for i := range f.Tags {
				f.Tags[i].Values = first(f.Tags[i].Values)
			}
			return f
		})},
		{Name: "first-tag-key-only", Filter: req(func(f relay.Filter) relay.Filter { f.Tags = first(f.Tags); return f })},
		{Name: "first-kind-only", Filter: req(func(f relay.Filter) relay.Filter { f.Kinds = first(f.Kinds); return f })},
		{Name: "first-author-only", Filter: req(func(f relay.Filter) relay.Filter { f.Authors = first(f.Authors); return f })},
		{Name: "kinds-beside-tags-ignored", Filter: req(func(f relay.Filter) relay.Filter {
			if len(f.Tags) > 0 {
				f.Kinds = nil
			}
			return f
		})},
		{Name: "live-first-filter-only", Filter: live(first[[]relay.Filter])},
		{Name: "live-tags-ignored", Filter: liveEach(func(f relay.Filter) relay.Filter { f.Tags = nil; return f })},
		{Name: "live-ids-ignored", Filter: liveEach(func(f relay.Filter) relay.Filter { f.IDs = nil; return f })},
		{Name: "live-kinds-ignored", Filter: liveEach(func(f relay.Filter) relay.Filter { f.Kinds = nil; return f })},
		{Name: "live-first-kind-only", Filter: liveEach(func(f relay.Filter) relay.Filter { f.Kinds = first(f.Kinds); return f })},
		{Name: "live-times-ignored", Filter: liveEach(func(f relay.Filter) relay.Filter { f.Since, f.Until = nil, nil; return f })},
		{Name: "replaced-by-another-kind-goes-on", Filter: goesOn(func(a, b []relay.Filter) bool { return shape(a) != shape(b) })},
		{Name: "replaced-by-more-filters-goes-on", Filter: goesOn(func(a, b []relay.Filter) bool { return len(a) != len(b) })},
	}
}

func first[S ~[]E, E any](list S) S { return list[:min(1, len(list))] }

// An opened is a subscription that is open.
type opened struct {
	conn    core.ConnID
	sub     string
	filters []relay.Filter
}

// follow returns the subscriptions that are open after an input.
func follow(open []opened, i core.Input) []opened {
	without := func(conn core.ConnID, sub string) []opened {
		return slices.DeleteFunc(slices.Clone(open), func(o opened) bool { return o.conn == conn && (o.sub == sub || sub == "") })
	}
	switch i := i.(type) {
	case core.ConnClosed:
		return without(i.Conn, "")
	case core.Message:
		switch m := i.Msg.(type) {
		case relay.Close:
			return without(i.Conn, m.Sub)
		case relay.Req:
			return append(without(i.Conn, m.Sub), opened{i.Conn, m.Sub, m.Filters})
		}
	}
	return open
}

// wants reports whether one of some filters matches an event.
func wants(filters []relay.Filter, ev *nostr.Event) bool {
	return slices.ContainsFunc(filters, func(f relay.Filter) bool { return f.Compile().Matches(ev) })
}

// live delivers new events by other filters than the subscriptions have.
func live(change func([]relay.Filter) []relay.Filter) func() Filter {
	return func() Filter {
		var open []opened
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			open = follow(open, i)
			if m, is := i.(core.Message); is {
				if _, asks := m.Msg.(relay.Req); asks {
					return effects
				}
			}
			kept := slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
				send, _ := e.(core.Send)
				m, is := send.Msg.(relay.EventFor)
				return is && slices.ContainsFunc(open, func(o opened) bool {
					return o.conn == send.Conn && o.sub == m.Sub && !wants(change(o.filters), m.Event)
				})
			})
			return tellMore(effects, kept, open, func(o opened, ev *nostr.Event) bool {
				return !wants(o.filters, ev) && wants(change(o.filters), ev)
			})
		}}
	}
}

// tellMore adds what becomes served for the subscriptions that also get it.
func tellMore(effects, kept []core.Effect, open []opened, gets func(opened, *nostr.Event) bool) []core.Effect {
	for _, e := range effects {
		r, is := e.(core.Record)
		if !is || r.Op != core.OpStore {
			continue
		}
		for _, o := range open {
			if gets(o, r.Event) {
				kept = append(kept, core.Send{Conn: o.conn, Msg: relay.EventFor{Sub: o.sub, Event: r.Event}})
			}
		}
	}
	return kept
}

// liveEach is live with every filter changed by itself.
func liveEach(change func(relay.Filter) relay.Filter) func() Filter {
	return live(func(filters []relay.Filter) []relay.Filter {
		var changed []relay.Filter
		for _, f := range filters {
			changed = append(changed, change(f))
		}
		return changed
	})
}

// shape is which fields some filters have.
func shape(filters []relay.Filter) [4]bool {
	var s [4]bool
	for _, f := range filters {
		s = [4]bool{s[0] || f.IDs != nil, s[1] || f.Authors != nil, s[2] || f.Kinds != nil, s[3] || f.Tags != nil}
	}
	return s
}

// goesOn delivers by the filters of a subscription that were replaced, if the new ones are of another sort.
func goesOn(other func(a, b []relay.Filter) bool) func() Filter {
	return func() Filter {
		var open, stale []opened
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			m, _ := i.(core.Message)
			if r, asks := m.Msg.(relay.Req); asks {
				for _, o := range open {
					if o.conn == m.Conn && o.sub == r.Sub && other(o.filters, r.Filters) {
						stale = append(stale, o)
					}
				}
			} else {
				stale = follow(stale, i)
			}
			open = follow(open, i)
			return tellMore(effects, effects, stale, func(o opened, ev *nostr.Event) bool { return wants(o.filters, ev) })
		}}
	}
}
