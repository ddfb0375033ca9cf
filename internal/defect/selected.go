package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// selectedDefects are mistakes in what the conditions of a filter mean together.
func selectedDefects() []Defect {
	return []Defect{
		{Name: "ids-alone-count", Filter: queried(func(f relay.Filter) relay.Filter {
			if f.IDs != nil {
				return relay.Filter{IDs: f.IDs, Limit: f.Limit}
			}
			return f
		})},
		{Name: "conditions-of-tags-ored", Filter: foundByTags(func(f relay.Filter, ev *nostr.Event) bool {
			return slices.ContainsFunc(f.Tags, func(t relay.TagFilter) bool {
				f.Tags = []relay.TagFilter{t}
				return f.Compile().Matches(ev)
			})
		})},
		{Name: "values-of-a-tag-wanted-together", Filter: sifting(func(f relay.Filter, ev *nostr.Event) bool {
			return f.Compile().Matches(ev) && !slices.ContainsFunc(f.Tags, func(t relay.TagFilter) bool {
				return slices.ContainsFunc(t.Values, func(v string) bool { return !slices.Contains(valuesOf(ev, string(t.Letter)), v) })
			})
		})},
		{Name: "first-condition-of-tags-only", Filter: queried(func(f relay.Filter) relay.Filter {
			f.Tags = first(f.Tags)
			return f
		})},
		{Name: "since-brings-the-oldest", Filter: sinceOldest},
		{Name: "crossed-bounds-swapped", Filter: queried(func(f relay.Filter) relay.Filter {
			if f.Since != nil && f.Until != nil && *f.Since > *f.Until {
				f.Since, f.Until = f.Until, f.Since
			}
			return f
		})},
		{Name: "late-bounds-overflow", Filter: queried(func(f relay.Filter) relay.Filter {
			f.Since, f.Until = wrapped(f.Since), wrapped(f.Until)
			return f
		})},
		{Name: "limits-of-filters-together", Filter: limitsTogether},
		{Name: "bounds-of-the-first-filter-for-all", Filter: in(func(m core.Message) core.Message {
			if q, is := m.Msg.(relay.Req); is && len(q.Filters) > 1 {
				q.Filters = slices.Clone(q.Filters)
				for n := range q.Filters {
					q.Filters[n].Since, q.Filters[n].Until = q.Filters[0].Since, q.Filters[0].Until
				}
				m.Msg = q
			}
			return m
		})},
		{Name: "repeated-ids-answered-twice", Filter: answeredTwice(func(q relay.Req, ev *nostr.Event) bool {
			return slices.ContainsFunc(q.Filters, func(f relay.Filter) bool {
				n := 0
				for _, id := range f.IDs {
					if id == ev.ID {
						n++
					}
				}
				return n > 1
			})
		})},
		{Name: "events-of-two-filters-sent-twice", Filter: answeredTwice(func(q relay.Req, ev *nostr.Event) bool { return alone(q.Filters, ev) > 1 })},
		{Name: "new-events-of-two-filters-sent-twice", Filter: func() Filter {
			var open []opened
			return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
				open = follow(open, i)
				return tellMore(effects, effects, open, func(o opened, ev *nostr.Event) bool { return alone(o.filters, ev) > 1 })
			}}
		}},
		{Name: "bounds-beside-addresses-unread", Filter: queried(func(f relay.Filter) relay.Filter {
			if f.Authors != nil && f.Kinds != nil && slices.ContainsFunc(f.Tags, func(t relay.TagFilter) bool { return t.Letter == 'd' }) {
				f.Since, f.Until = nil, nil
			}
			return f
		})},
		{Name: "bounds-beside-ids-unread", Filter: queried(func(f relay.Filter) relay.Filter {
			if f.IDs != nil {
				f.Since, f.Until = nil, nil
			}
			return f
		})},
		{Name: "counts-of-the-first-filter", Filter: counted(func(list []relay.Filter) []relay.Filter { return list[:1] })},
		{Name: "counts-without-tags", Filter: counted(func(list []relay.Filter) []relay.Filter {
			for n := range list {
				list[n].Tags = nil
			}
			return list
		})},
		{Name: "counts-without-bounds", Filter: counted(func(list []relay.Filter) []relay.Filter {
			for n := range list {
				list[n].Since, list[n].Until = nil, nil
			}
			return list
		})},
		{Name: "ends-before-last-events", Filter: endsEarly},
	}
}

// wrapped reads a time as one of 32 bits.
func wrapped(at *int64) *int64 {
	if at == nil {
		return nil
	}
	short := *at & (1<<32 - 1)
	return &short
}

// counted changes the filters of counts.
func counted(change func([]relay.Filter) []relay.Filter) func() Filter {
	return in(func(m core.Message) core.Message {
		if q, is := m.Msg.(relay.Count); is {
			q.Filters = change(slices.Clone(q.Filters))
			m.Msg = q
		}
		return m
	})
}

// foundByTags answers queries by several tags also with what matches in some other way.
func foundByTags(matches func(relay.Filter, *nostr.Event) bool) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			s.note(effects)
			m, _ := i.(core.Message)
			q, asks := m.Msg.(relay.Req)
			if !asks {
				return effects
			}
			var shown []*nostr.Event
			for _, e := range s.all() {
				if !e.held && !wants(q.Filters, e.event) && slices.ContainsFunc(q.Filters, func(f relay.Filter) bool { return matches(f, e.event) }) {
					shown = append(shown, e.event)
				}
			}
			var more []core.Effect
			for _, ev := range shown {
				more = append(more, core.Send{Conn: m.Conn, Msg: relay.EventFor{Sub: q.Sub, Event: ev}})
			}
			return append(more, effects...)
		}}
	}
}

// sifting leaves out of answers what no filter of the query matches in some narrower way.
func sifting(matches func(relay.Filter, *nostr.Event) bool) func() Filter {
	return func() Filter {
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			m, _ := i.(core.Message)
			q, asks := m.Msg.(relay.Req)
			return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
				ev := stored(e, q.Sub)
				return asks && ev != nil && !slices.ContainsFunc(q.Filters, func(f relay.Filter) bool { return matches(f, ev) })
			})
		}}
	}
}

// sinceOldest answers a query that has a beginning and a limit with the first events behind the beginning.
func sinceOldest() Filter {
	s := &shelf{map[string]filed{}}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		s.note(effects)
		m, _ := i.(core.Message)
		q, asks := m.Msg.(relay.Req)
		if !asks || len(q.Filters) != 1 || q.Filters[0].Limit == nil || q.Filters[0].Since == nil {
			return effects
		}
		var all []*nostr.Event
		for _, e := range s.all() {
			if !e.held && wants(q.Filters, e.event) {
				all = append(all, e.event)
			}
		}
		slices.SortFunc(all, func(a, b *nostr.Event) int { return repo.CompareEvents(b, a) })
		all = all[:min(len(all), *q.Filters[0].Limit)]
		slices.Reverse(all)
		var answer []core.Effect
		for _, ev := range all {
			answer = append(answer, core.Send{Conn: m.Conn, Msg: relay.EventFor{Sub: q.Sub, Event: ev}})
		}
		for _, e := range effects {
			if stored(e, q.Sub) == nil {
				answer = append(answer, e)
			}
		}
		return answer
	}}
}

// limitsTogether sends no more events in an answer than the largest limit of the filters.
func limitsTogether() Filter {
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		m, _ := i.(core.Message)
		q, asks := m.Msg.(relay.Req)
		most := 0
		for _, f := range q.Filters {
			if f.Limit == nil {
				return effects
			}
			most = max(most, *f.Limit)
		}
		if !asks {
			return effects
		}
		n := 0
		return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
			if stored(e, q.Sub) == nil {
				return false
			}
			n++
			return n > most
		})
	}}
}

// answeredTwice sends some stored events twice.
func answeredTwice(which func(q relay.Req, ev *nostr.Event) bool) func() Filter {
	return func() Filter {
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			m, _ := i.(core.Message)
			q, asks := m.Msg.(relay.Req)
			if !asks {
				return effects
			}
			var all []core.Effect
			for _, e := range effects {
				all = append(all, e)
				if ev := stored(e, q.Sub); ev != nil && which(q, ev) {
					all = append(all, e)
				}
			}
			return all
		}}
	}
}

// endsEarly says that all stored events were sent before the last of several.
func endsEarly() Filter {
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		m, _ := i.(core.Message)
		q, asks := m.Msg.(relay.Req)
		if !asks || len(effects) < 3 {
			return effects
		}
		effects = slices.Clone(effects)
		for n := 2; n < len(effects); n++ {
			send, _ := effects[n].(core.Send)
			if _, is := send.Msg.(relay.EOSE); is && stored(effects[n-1], q.Sub) != nil {
				effects[n-1], effects[n] = effects[n], effects[n-1]
			}
		}
		return effects
	}}
}
