package defect

import (
	"io"
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
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
			Name:   "partial-pushes-refused",
			Filter: refuses(func(o core.PushOffered) bool { return len(o.Commands) == 1 && o.Commands[0].Ref == "refs/heads/dev" }),
		},
		{
			Name:   "idle-pushes-refused",
			Filter: refuses(func(o core.PushOffered) bool { return o.Commands[0].Old == o.Commands[0].New }),
		},
		{
			Name:   "zero-deletions-refused",
			Filter: refuses(func(o core.PushOffered) bool { return slices.ContainsFunc(o.Commands, deletesAnything) }),
		},
		{
			Name: "zero-deletions-unjudged",
			Filter: func() Filter {
				return letting(nil, func(o core.PushOffered, r policy.Ruling) bool {
					return r.Requirement == "G01-PUSH-08" && slices.ContainsFunc(o.Commands, deletesAnything)
				})
			},
		},
		{
			Name:    "foreign-refs-said-to-move",
			Filter:  admits("G01-PUSH-17"),
			Backend: func(b gitstore.Backend) gitstore.Backend { return agreeing{backend{b}} },
		},
		{
			Name:   "shallow-pushes-refused",
			Filter: refuses(func(o core.PushOffered) bool { return o.Shape.Shallow > 0 }),
		},
		{
			Name:   "both-entries-count",
			Filter: bothEntries,
		},
		{
			Name:   "many-refs-refused",
			Filter: refuses(func(o core.PushOffered) bool { return len(o.Commands) > 1 }),
		},
	}
}

// deletesAnything reports whether a command deletes a ref wherever it is.
func deletesAnything(c gitproto.Command) bool { return c.Old.IsZero() && c.New.IsZero() }

// admits lets pushes run that the core refuses by one of the rules.
func admits(requirements ...string) func() Filter {
	return func() Filter {
		return letting(nil, func(_ core.PushOffered, r policy.Ruling) bool { return slices.Contains(requirements, r.Requirement) })
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
					return append(effects, core.PushRefused{Push: o.Push, Ruling: notSuch})
				}
				return effects
			},
		}
	}
}

var notSuch = policy.Ruling{Decision: policy.Refuse, Prefix: "restricted", Reason: "this server does not take such pushes"}

// refusesAtOnce is refuses without waiting for packs.
func refusesAtOnce(stop func(core.PushOffered) bool) func() Filter {
	return func() Filter {
		f := refuses(stop)()
		f.Early = stop
		return f
	}
}

// bothEntries lets pushes run to any commit that a refused state names twice for a ref.
func bothEntries() Filter {
	named := map[string]bool{} // by identifier, ref and object
	hears := func(i core.Input) {
		_, ev := published(i)
		if ev == nil || ev.Kind != policy.KindState {
			return
		}
		seen := map[string]bool{}
		for _, tag := range ev.Tags {
			if seen[tag[0]] && len(tag) > 1 {
				for _, other := range ev.Tags {
					if other[0] == tag[0] && len(other) > 1 {
						named[ev.Tags.GetD()+" "+other[0]+" "+other[1]] = true
					}
				}
			}
			seen[tag[0]] = true
		}
	}
	return letting(hears, func(o core.PushOffered, _ policy.Ruling) bool {
		return len(o.Commands) > 0 && named[o.Repo.Identifier+" "+o.Commands[0].Ref+" "+string(o.Commands[0].New)]
	})
}

// agreeing says of refs outside branches and tags that they have moved, and moves nothing.
type agreeing struct{ backend }

func (a agreeing) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	if !slices.ContainsFunc(p.Commands, func(c gitproto.Command) bool { return !push.Declarable(c.Ref) && !namesEvent(c) }) {
		return a.Backend.Receive(c, id, p, pack)
	}
	if err := p.Arrived(); err != nil {
		return gitstore.Report{}, err
	}
	report := gitstore.Report{Unpack: gitstore.UnpackOK}
	for _, command := range p.Commands {
		report.Results = append(report.Results, gitstore.Result{Ref: command.Ref, OK: true})
	}
	return report, nil
}

// A backend whose one method is replaced embeds the real one.
type backend struct{ gitstore.Backend }
