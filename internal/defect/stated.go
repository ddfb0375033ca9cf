package defect

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// statedDefects are mistakes with limits that the relay document states.
func statedDefects() []Defect {
	return []Defect{
		{Name: "events-of-a-hundred-tags-at-most", Filter: rejects(func(ev *nostr.Event) bool { return len(ev.Tags) > hundred })},
		{Name: "filters-of-five-at-most", Filter: fewFilters},
	}
}

// fewFilters closes queries of more filters than a few.
func fewFilters() Filter {
	const most = 5
	many := false
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			m, _ := i.(core.Message)
			q, is := m.Msg.(relay.Req)
			many = is && len(q.Filters) > most
			return i, !many
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if m, _ := i.(core.Message); many {
				q, _ := m.Msg.(relay.Req)
				return append(effects, core.Send{Conn: m.Conn, Msg: relay.Closed{Sub: q.Sub, Text: "error: too many filters"}})
			}
			return effects
		},
	}
}
