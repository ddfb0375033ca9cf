package sim_test

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim"
)

// asks reports whether an input is a request to delete something, and its id.
func asks(in core.Input) (id string, is bool) {
	m, _ := in.(core.Message)
	ev, ok := m.Msg.(relay.Event)
	if !ok || ev.Event.Kind != 5 && ev.Event.Kind != 62 {
		return "", false
	}
	return ev.Event.ID, true
}

// returning is a plant that puts what was deleted back, by records of one operation for each of another.
func returning(gone, back core.Op) func() sim.Options {
	return func() sim.Options {
		kept := map[string]core.Record{}
		return effects(func(in core.Input, effects []core.Effect) []core.Effect {
			_, deletes := asks(in)
			for _, e := range effects {
				r, ok := e.(core.Record)
				switch {
				case ok && r.Event != nil:
					kept[r.ID] = r
				case ok && r.Op == gone && deletes:
					again := kept[r.ID]
					again.Op = back
					effects = append(effects, again)
				}
			}
			return effects
		})
	}
}

// deletionPlants break the invariants of deletions.
var deletionPlants = []plant{
	{"INV-12 deleted-stored", returning(core.OpUnstore, core.OpStore)},
	{"INV-12 deleted-held", returning(core.OpDrop, core.OpHold)},
	{"INV-13 half-applied", func() sim.Options {
		return effects(func(in core.Input, effects []core.Effect) []core.Effect {
			_, deletes := asks(in)
			var left []core.Effect
			for _, e := range effects {
				if r, ok := e.(core.Record); !deletes || !ok || r.Op != core.OpUnstore && r.Op != core.OpDrop {
					left = append(left, e)
				}
			}
			return left
		})
	}},
	{"INV-13 applied-though-refused", func() sim.Options {
		return effects(func(in core.Input, effects []core.Effect) []core.Effect {
			id, deletes := asks(in)
			if !deletes {
				return effects
			}
			var left []core.Effect
			for _, e := range effects {
				if r, ok := e.(core.Record); ok && r.ID == id {
					continue
				}
				if s, ok := e.(core.Send); ok {
					if answer, ok := s.Msg.(relay.OK); ok {
						answer.Accepted = false
						s.Msg = answer
						e = s
					}
				}
				left = append(left, e)
			}
			return left
		})
	}},
	{"INV-17 removed-by-another", func() sim.Options {
		var last core.Record
		return effects(func(in core.Input, effects []core.Effect) []core.Effect {
			m, _ := in.(core.Message)
			if ev, ok := m.Msg.(relay.Event); ok && last.Event != nil && ev.Event.PubKey != last.Event.PubKey {
				effects = append(effects, core.Record{Op: core.OpDrop, ID: last.ID})
			}
			for _, e := range effects {
				if r, ok := e.(core.Record); ok && r.Op == core.OpHold {
					last = r
				}
			}
			return effects
		})
	}},
}
