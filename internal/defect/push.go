package defect

import (
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
)

func pushDefects() []Defect {
	return []Defect{
		{
			Name:   "push-without-state",
			Filter: admits("G01-PUSH-02"),
		},
		{
			Name:   "push-of-other-commit",
			Filter: admits("G01-PUSH-03"),
		},
		{
			Name:   "push-of-undeclared-ref",
			Filter: admits("G01-PUSH-04"),
		},
		{
			Name:   "push-deletes-declared-ref",
			Filter: admits("G01-PUSH-08"),
		},
		{
			Name:   "push-by-strangers-state",
			Filter: admits("G01-PUSH-14", "G01-PUSH-02"),
		},
		{
			Name:   "push-outside-namespaces",
			Filter: admits("G01-PUSH-17"),
		},
		{
			Name: "deletions-refused",
			Filter: refuses(func(o core.PushOffered) bool {
				return slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool { return c.New.IsZero() })
			}),
		},
		{
			Name: "forced-updates-refused",
			Filter: refuses(func(o core.PushOffered) bool {
				return slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool {
					return !c.New.IsZero() && !c.Old.IsZero() && c.New != c.Old
				})
			}),
		},
		{
			Name:   "many-refs-refused",
			Filter: refuses(func(o core.PushOffered) bool { return len(o.Commands) > 1 }),
		},
	}
}

// admits lets pushes run that the core refuses by one of the rules. The core hears nothing of them.
func admits(requirements ...string) func() Filter {
	return func() Filter {
		let := map[core.PushID]bool{}
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				done, ok := i.(core.PushDone)
				return i, !ok || !let[done.Push]
			},
			Out: func(_ core.Input, effects []core.Effect) []core.Effect {
				for i, e := range effects {
					r, ok := e.(core.PushRefused)
					if ok && slices.Contains(requirements, r.Ruling.Requirement) {
						let[r.Push] = true
						effects[i] = core.PushAdmitted{Push: r.Push}
					}
				}
				return effects
			},
		}
	}
}

// refuses stops pushes before the core sees them.
func refuses(stop func(core.PushOffered) bool) func() Filter {
	return func() Filter {
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				o, ok := i.(core.PushOffered)
				return i, !ok || !stop(o)
			},
			Out: func(i core.Input, effects []core.Effect) []core.Effect {
				if o, ok := i.(core.PushOffered); ok && stop(o) {
					return append(effects, core.PushRefused{Push: o.Push, Ruling: policy.Ruling{
						Decision: policy.Refuse, Prefix: "restricted", Reason: "this server does not take such pushes",
					}})
				}
				return effects
			},
		}
	}
}

// A backend whose one method is replaced embeds the real one.
type backend struct{ gitstore.Backend }
