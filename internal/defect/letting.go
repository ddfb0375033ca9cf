package defect

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
)

// letting lets refused pushes run that lets picks by what was offered and why it was refused. The core hears nothing of
// them. Hears, unless nil, is told every input before.
func letting(hears func(core.Input), lets func(core.PushOffered, policy.Ruling) bool) Filter {
	offers, let := map[core.PushID]core.PushOffered{}, map[core.PushID]bool{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			if hears != nil {
				hears(i)
			}
			switch i := i.(type) {
			case core.PushAsked:
				offers[i.Push] = core.PushOffered(i)
			case core.PushOffered:
				offers[i.Push] = i
			case core.PushDone:
				return i, !let[i.Push]
			}
			return i, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for n, e := range effects {
				if r, ok := e.(core.PushRefused); ok && lets(offers[r.Push], r.Ruling) {
					let[r.Push] = true
					effects[n] = core.PushAdmitted{Push: r.Push}
				}
			}
			return effects
		},
	}
}
