package defect

import (
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

func announcementDefects() []Defect {
	return []Defect{
		{
			Name:   "clone-tag-ignored",
			Filter: says("G01-ANN-02"),
		},
		{
			Name:   "relays-tag-ignored",
			Filter: says("G01-ANN-03"),
		},
		{
			Name:   "missing-tags-ignored",
			Filter: says("G01-ANN-04"),
		},
		{
			Name:   "bad-identifiers-taken",
			Filter: says("G01-ANN-09", "G01-ANN-10"),
		},
		{
			Name:   "strangers-states-taken",
			Filter: says("G01-MNT-03"),
		},
		{
			Name:   "orphans-taken",
			Filter: says("G01-REL-05"),
		},
		{
			Name:   "owner-only",
			Config: func(c *core.Config) { c.Model = repo.OwnerOnly },
		},
		{
			Name:   "orphan-states-taken",
			Filter: says("G01-REL-10"),
		},
		{
			Name:   "one-sided-listing-ignored",
			Config: func(c *core.Config) { c.Model = repo.Reciprocal },
		},
		{
			Name:   "direct-maintainers-only",
			Config: func(c *core.Config) { c.Model = repo.DirectOnly },
		},
	}
}

// says answers OK true to events that the core refuses by one of the rules.
func says(requirements ...string) func() Filter {
	return func() Filter {
		return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			refused := map[string]bool{}
			for i, e := range effects {
				switch e := e.(type) {
				case core.Note:
					refused[e.Event] = e.Fact == core.EventRefused && slices.Contains(requirements, e.Requirement)
				case core.Send:
					if m, ok := e.Msg.(relay.OK); ok && refused[m.ID] {
						e.Msg = relay.OK{ID: m.ID, Accepted: true}
						effects[i] = e
					}
				}
			}
			return effects
		}}
	}
}
