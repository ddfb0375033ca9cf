package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// visibleDefects are mistakes that show what is held to some queries only.
func visibleDefects() []Defect {
	byKind := func(f relay.Filter) bool { return f.Kinds != nil && f.IDs == nil && f.Authors == nil && f.Tags == nil }
	byTag := func(letter byte) func(relay.Filter) bool {
		return func(f relay.Filter) bool {
			return f.IDs == nil && f.Authors == nil && slices.ContainsFunc(f.Tags, func(t relay.TagFilter) bool { return t.Letter == letter })
		}
	}
	return []Defect{
		{Name: "held-shown-by-kind", Filter: shows(byKind)},
		{Name: "held-shown-by-identifier", Filter: shows(byTag('d'))},
		{Name: "held-shown-by-repository", Filter: shows(byTag('a'))},
		{Name: "held-shown-to-every-query", Filter: shows(func(f relay.Filter) bool {
			return f.IDs == nil && f.Authors == nil && f.Kinds == nil && f.Tags == nil
		})},
		{Name: "held-counted-by-kind", Filter: counts(byKind)},
		{Name: "held-sent-live-by-kind", Filter: tells(byKind)},
	}
}

// heldOf keeps a list of what is held.
func heldOf(held []*nostr.Event, effects []core.Effect) []*nostr.Event {
	for _, e := range effects {
		r, is := e.(core.Record)
		if !is || r.Op == core.OpMark || r.Op == core.OpUnmark {
			continue
		}
		held = slices.DeleteFunc(held, func(ev *nostr.Event) bool { return ev.ID == r.ID })
		if r.Op == core.OpHold {
			held = append(held, r.Event)
		}
	}
	return held
}

// shows answers queries by some filters with what is held as well.
func shows(by func(relay.Filter) bool) func() Filter {
	return func() Filter {
		var held []*nostr.Event
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			var all []core.Effect
			m, _ := i.(core.Message)
			if r, asks := m.Msg.(relay.Req); asks {
				for _, ev := range held {
					if slices.ContainsFunc(r.Filters, func(f relay.Filter) bool { return by(f) && f.Compile().Matches(ev) }) {
						all = append(all, core.Send{Conn: m.Conn, Msg: relay.EventFor{Sub: r.Sub, Event: ev}})
					}
				}
			}
			held = heldOf(held, effects)
			return append(all, effects...)
		}}
	}
}

// counts counts what is held for some filters.
func counts(by func(relay.Filter) bool) func() Filter {
	return func() Filter {
		var held []*nostr.Event
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			held = heldOf(held, effects)
			m, _ := i.(core.Message)
			c, asks := m.Msg.(relay.Count)
			for n, e := range effects {
				send, _ := e.(core.Send)
				answer, is := send.Msg.(relay.Counted)
				if !is || !asks {
					continue
				}
				for _, ev := range held {
					if slices.ContainsFunc(c.Filters, func(f relay.Filter) bool { return by(f) && f.Compile().Matches(ev) }) {
						answer.Count++
					}
				}
				send.Msg = answer
				effects[n] = send
			}
			return effects
		}}
	}
}

// tells sends what becomes held to open subscriptions by some filters.
func tells(by func(relay.Filter) bool) func() Filter {
	return func() Filter {
		var open []opened
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			open = follow(open, i)
			for _, e := range slices.Clone(effects) {
				r, is := e.(core.Record)
				if !is || r.Op != core.OpHold || r.Event.Kind == policy.KindDeletion {
					continue
				}
				for _, o := range open {
					if slices.ContainsFunc(o.filters, func(f relay.Filter) bool { return by(f) && f.Compile().Matches(r.Event) }) {
						effects = append(effects, core.Send{Conn: o.conn, Msg: relay.EventFor{Sub: o.sub, Event: r.Event}})
					}
				}
			}
			return effects
		}}
	}
}
