package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// passedOverDefects are mistakes of servers that stumble over an event and tell nobody.
func passedOverDefects() []Defect {
	bare := func(ev *nostr.Event) bool {
		return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) == 1 && len(t[0]) == 1 })
	}
	return []Defect{
		{Name: "bare-tags-unanswered", Filter: stumbles(bare, false)},
		{Name: "bare-tags-end-connections", Filter: stumbles(bare, true)},
		{Name: "queries-by-two-tags-unanswered", Filter: func() Filter {
			return Filter{In: func(i core.Input) (core.Input, bool) {
				m, _ := i.(core.Message)
				q, is := m.Msg.(relay.Req)
				return i, !is || !slices.ContainsFunc(q.Filters, func(f relay.Filter) bool { return len(f.Tags) > 1 })
			}}
		}},
	}
}

// stumbles does nothing with some events but end their connections, or not even that.
func stumbles(over func(*nostr.Event) bool, ends bool) func() Filter {
	return func() Filter {
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				_, ev := published(i)
				return i, ev == nil || !over(ev)
			},
			Out: func(i core.Input, effects []core.Effect) []core.Effect {
				if conn, ev := published(i); ev != nil && over(ev) && ends {
					return append(effects, core.CloseConn{Conn: conn})
				}
				return effects
			},
		}
	}
}
