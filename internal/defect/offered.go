package defect

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
)

// once lets the pack of every push come, so that whoever is planted behind it has to think of one judgment, and not of two.
type once struct {
	core.Machine
	offered map[core.PushID]bool
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
		out.List = append(out.List, core.PushExpected{Push: in.Push})
		return
	case core.PushOffered:
		o.offered[in.Push] = true
	case core.PushDone:
		delete(o.offered, in.Push)
	case core.PushForgone:
		if !o.offered[in.Push] {
			return
		}
		delete(o.offered, in.Push)
	}
	o.Machine.Step(now, in, out)
}
