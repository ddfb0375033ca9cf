package defect

import (
	"github.com/graspkit/graspkit/internal/archived"
	"github.com/graspkit/graspkit/reference"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/web"
)

// Plant changes what a server is opened with. Its service is known by then, and its backend is the one that keeps things.
func (d Defect) Plant(o *reference.Options) {
	o.Core.Service = o.Pages.Service // of which a mistake may make something
	d.Settings(&o.Core)
	if d.Private {
		lists(web.GraspPrivate)(&o.Pages)
	}
	if d.Web != nil {
		d.Web(&o.Pages)
	}
	if d.Backend != nil {
		o.Backend = d.Backend(o.Backend)
	}
	if d.Limits != nil {
		d.Limits(&o.Limits)
	}
	o.Seams = reference.Seams{Machine: d.Machine, Answer: d.Answer, Body: d.Body, Front: d.Front}
}

// Settings changes the settings of a core, for a server that is not opened by Plant.
func (d Defect) Settings(c *core.Config) {
	if d.Private {
		c.Private.On = true
	}
	if d.Archive || d.ReadOnly {
		c.Archive = archived.Config(d.ReadOnly)
	}
	if d.Config != nil {
		d.Config(c)
	}
}
