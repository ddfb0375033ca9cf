package defect

import (
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
)

// once lets the pack of every push come, so that whoever is planted behind it has to think of one judgment, and not of two.
type once struct {
	core.Machine
	offered map[core.PushID]bool
	asked   map[core.PushID]bool        // the core expects their packs
	early   func(core.PushOffered) bool // refused all the same; may be nil
}

// Step answers what is asked about packs that are to come.
func (o *once) Step(now instant.Instant, in core.Input, out *core.Effects) {
	switch in := in.(type) {
	case core.PushAsked:
		if o.early != nil && o.early(core.PushOffered(in)) {
			out.List = append(out.List, core.PushRefused{Push: in.Push, Ruling: notSuch})
			return
		}
		if in.Repo.IsContribution() {
			o.asks(now, in, out)
			return
		}
		out.List = append(out.List, core.PushExpected{Push: in.Push})
		return
	case core.PushOffered:
		o.offered[in.Push] = true
	case core.PushDone:
		delete(o.offered, in.Push)
		delete(o.asked, in.Push)
	case core.PushForgone:
		if !o.offered[in.Push] && !o.asked[in.Push] {
			return
		}
		delete(o.offered, in.Push)
		delete(o.asked, in.Push)
	}
	o.Machine.Step(now, in, out)
}

// asks asks the core, for a place for contributions is made before the pack comes. What a mistake lets run is let come.
func (o *once) asks(now instant.Instant, in core.PushAsked, out *core.Effects) {
	var own core.Effects
	o.Machine.Step(now, in, &own)
	o.asked[in.Push] = true
	for _, e := range own.List {
		if _, admitted := e.(core.PushAdmitted); admitted {
			delete(o.asked, in.Push)
			e = core.PushExpected{Push: in.Push}
		}
		out.List = append(out.List, e)
	}
}

// Frank is Machine for a world whose judges see what is answered about packs that are to come: the filter makes its mistake in
// these answers as in all others, and what it lets be is answered as an honest server does.
func (d Defect) Frank(m core.Machine) core.Machine {
	if d.Core != nil {
		m = d.Core(m)
	}
	if d.Filter == nil {
		return m
	}
	return &filtered{Machine: m, filter: frank(d.Filter()), silent: map[string]int{}}
}

// frank has a filter take a question about a push for the push.
func frank(f Filter) Filter {
	is := func(in core.Input) (core.PushOffered, bool) {
		asked, ok := in.(core.PushAsked)
		return core.PushOffered(asked), ok
	}
	early := func(in core.Input) bool {
		offered, ok := is(in)
		return ok && f.Early != nil && f.Early(offered)
	}
	whole := f
	whole.In = func(in core.Input) (core.Input, bool) {
		offered, asked := is(in)
		switch {
		case early(in):
			return in, false
		case f.In == nil:
			return in, true
		case !asked:
			return f.In(in)
		}
		given, keep := f.In(offered)
		if offered, ok := given.(core.PushOffered); ok {
			given = core.PushAsked(offered)
		}
		return given, keep
	}
	whole.Out = func(in core.Input, effects []core.Effect) []core.Effect {
		offered, asked := is(in)
		switch {
		case early(in):
			return []core.Effect{core.PushRefused{Push: offered.Push, Ruling: notSuch}}
		case f.Out == nil:
			return effects
		case !asked:
			return f.Out(in, effects)
		}
		changed := slices.Clone(effects)
		for i, e := range changed {
			if expected, ok := e.(core.PushExpected); ok {
				changed[i] = core.PushAdmitted(expected)
			}
		}
		changed = slices.Clone(f.Out(offered, changed))
		for i, e := range changed {
			if admitted, ok := e.(core.PushAdmitted); ok {
				changed[i] = core.PushExpected(admitted)
			}
		}
		return changed
	}
	return whole
}
