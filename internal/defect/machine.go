package defect

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// Machine puts the defect's filter around a core.
func (d Defect) Machine(m core.Machine) core.Machine {
	if d.Filter == nil {
		return m
	}
	return &filtered{Machine: m, filter: d.Filter()}
}

type filtered struct {
	core.Machine
	filter Filter
	own    core.Effects
}

// Step feeds the changed input and appends the changed effects.
func (f *filtered) Step(now instant.Instant, in core.Input, out *core.Effects) {
	given, keep := in, true
	if f.filter.In != nil {
		given, keep = f.filter.In(in)
	}
	f.own.Reset()
	if keep {
		f.Machine.Step(now, given, &f.own)
	}
	effects := f.own.List
	if f.filter.Out != nil {
		effects = f.filter.Out(in, effects)
	}
	out.List = append(out.List, effects...)
}

// Repository shows the changed view.
func (f *filtered) Repository(id repo.ID) web.Repository {
	r := f.Machine.Repository(id)
	if f.filter.View != nil {
		r = f.filter.View(r)
	}
	return r
}
