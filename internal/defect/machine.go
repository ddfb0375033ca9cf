package defect

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// Machine puts the defect's filter, and what else it has for the core, around a core.
func (d Defect) Machine(m core.Machine) core.Machine {
	if d.Core == nil && d.Filter == nil {
		return m
	}
	if d.Core != nil {
		m = d.Core(m)
	}
	o := &once{offered: map[core.PushID]bool{}, asked: map[core.PushID]bool{}}
	if d.Filter != nil {
		f := d.Filter()
		m, o.early = &filtered{Machine: m, filter: f, silent: map[string]int{}}, f.Early
	}
	o.Machine = m
	return o
}

type filtered struct {
	core.Machine
	filter Filter
	own    core.Effects
	silent map[string]int // answers to events of ours that nobody is to hear, by id
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
	from := len(out.List)
	for _, e := range effects {
		if !f.answersOurs(e) {
			out.List = append(out.List, e)
		}
	}
	if f.filter.Also == nil {
		return
	}
	for _, more := range f.filter.Also(in, out.List[from:]) {
		f.also(now, more, out)
	}
}

// also feeds an input of ours.
func (f *filtered) also(now instant.Instant, in core.Input, out *core.Effects) {
	if _, ev := published(in); ev != nil {
		f.silent[ev.ID]++
	}
	f.own.Reset()
	f.Machine.Step(now, in, &f.own)
	effects := f.own.List
	if f.filter.Out != nil {
		effects = f.filter.Out(in, effects)
	}
	for _, e := range effects {
		if !f.answersOurs(e) {
			out.List = append(out.List, e)
		}
	}
}

// answersOurs reports whether an effect is an answer that nobody waits for.
func (f *filtered) answersOurs(e core.Effect) bool {
	send, _ := e.(core.Send)
	m, is := send.Msg.(relay.OK)
	if !is || f.silent[m.ID] == 0 {
		return false
	}
	f.silent[m.ID]--
	return true
}

// Repository shows the changed view.
func (f *filtered) Repository(id repo.ID) web.Repository {
	r := f.Machine.Repository(id)
	if f.filter.View != nil {
		r = f.filter.View(r)
	}
	return r
}
