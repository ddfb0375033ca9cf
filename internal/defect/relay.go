package defect

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

func relayDefects() []Defect {
	return []Defect{
		{
			Name:   "signature-unchecked",
			Filter: in(func(m core.Message) core.Message { m.SigOK = true; return m }),
		},
		{
			Name: "id-unchecked",
			Filter: in(func(m core.Message) core.Message {
				if ev, ok := m.Msg.(relay.Event); ok {
					ev.IDOK = true
					m.Msg, m.SigOK = ev, true
				}
				return m
			}),
		},
		{
			Name: "prose-refusals",
			Filter: ok(func(_ core.Input, m relay.OK) relay.OK {
				if !m.Accepted {
					_, m.Text, _ = strings.Cut(m.Text, ": ")
				}
				return m
			}),
		},
		{
			Name: "duplicates-refused",
			Filter: ok(func(_ core.Input, m relay.OK) relay.OK {
				m.Accepted = m.Accepted && !strings.HasPrefix(m.Text, "duplicate:")
				return m
			}),
		},
		{
			Name: "until-exclusive",
			Filter: req(func(f relay.Filter) relay.Filter {
				if f.Until != nil {
					until := *f.Until - 1
					f.Until = &until
				}
				return f
			}),
		},
		{
			Name:   "limit-ignored",
			Filter: req(func(f relay.Filter) relay.Filter { f.Limit = nil; return f }),
		},
		{
			Name: "close-ignored",
			Filter: func() Filter {
				return Filter{In: func(i core.Input) (core.Input, bool) {
					m, ok := i.(core.Message)
					_, closes := m.Msg.(relay.Close)
					return i, !ok || !closes
				}}
			},
		},
		{
			Name:   "oldest-first",
			Filter: reversed,
		},
		{
			Name:   "many-values-out-of-order",
			Filter: func() Filter { return Filter{Out: byID} },
		},
		{
			Name: "live-events-lost",
			Filter: out(func(i core.Input, e core.Effect) (core.Effect, bool) {
				send, ok := e.(core.Send)
				if !ok {
					return e, true
				}
				_, live := send.Msg.(relay.EventFor)
				m, _ := i.(core.Message)
				_, asked := m.Msg.(relay.Req)
				return e, !live || asked
			}),
		},
	}
}

// in makes a filter that changes the messages of clients.
func in(change func(core.Message) core.Message) func() Filter {
	return func() Filter {
		return Filter{In: func(i core.Input) (core.Input, bool) {
			if m, ok := i.(core.Message); ok {
				return change(m), true
			}
			return i, true
		}}
	}
}

// req makes a filter that changes the filters of subscriptions.
func req(change func(relay.Filter) relay.Filter) func() Filter {
	return in(func(m core.Message) core.Message {
		if r, ok := m.Msg.(relay.Req); ok {
			filters := make([]relay.Filter, len(r.Filters))
			for i, f := range r.Filters {
				filters[i] = change(f)
			}
			r.Filters = filters
			m.Msg = r
		}
		return m
	})
}

// out makes a filter that changes effects one by one; false leaves one out.
func out(change func(core.Input, core.Effect) (core.Effect, bool)) func() Filter {
	return func() Filter {
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			var kept []core.Effect
			for _, e := range effects {
				if changed, keep := change(i, e); keep {
					kept = append(kept, changed)
				}
			}
			return kept
		}}
	}
}

// ok makes a filter that changes answers to events.
func ok(change func(core.Input, relay.OK) relay.OK) func() Filter {
	return out(func(i core.Input, e core.Effect) (core.Effect, bool) {
		if send, is := e.(core.Send); is {
			if m, is := send.Msg.(relay.OK); is {
				send.Msg = change(i, m)
				return send, true
			}
		}
		return e, true
	})
}

// byID sends what a query by many values brings in the order of its ids.
func byID(i core.Input, effects []core.Effect) []core.Effect {
	const few = 4
	m, _ := i.(core.Message)
	r, asks := m.Msg.(relay.Req)
	lists := func(f relay.Filter) bool {
		return len(f.IDs) > few || slices.ContainsFunc(f.Tags, func(t relay.TagFilter) bool { return len(t.Values) > few })
	}
	if !asks || !slices.ContainsFunc(r.Filters, lists) {
		return effects
	}
	id := func(e core.Effect) string {
		if send, is := e.(core.Send); is {
			if m, is := send.Msg.(relay.EventFor); is {
				return m.Event.ID
			}
		}
		return "z" // behind them
	}
	slices.SortStableFunc(effects, func(a, b core.Effect) int { return strings.Compare(id(a), id(b)) })
	return effects
}

// reversed answers a limited query with the events from the other end.
func reversed() Filter {
	limit := 0
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			m, _ := i.(core.Message)
			r, ok := m.Msg.(relay.Req)
			limit = 0
			if !ok || len(r.Filters) != 1 || r.Filters[0].Limit == nil {
				return i, true
			}
			f := r.Filters[0]
			limit, f.Limit = *f.Limit, nil
			r.Filters = []relay.Filter{f}
			m.Msg = r
			return m, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			if limit == 0 {
				return effects
			}
			var events, rest []core.Effect
			for _, e := range effects {
				send, ok := e.(core.Send)
				if _, stored := send.Msg.(relay.EventFor); ok && stored {
					events = append(events, e)
				} else {
					rest = append(rest, e)
				}
			}
			return append(events[max(0, len(events)-limit):], rest...)
		},
	}
}
