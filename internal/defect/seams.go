package defect

import "github.com/graspkit/graspkit/reference"

// Plant changes what a server is opened with. Its service is known by then, and its backend is the one that keeps things.
func (d Defect) Plant(o *reference.Options) {
	o.Core.Service = o.Pages.Service // of which a mistake may make something
	if d.Config != nil {
		d.Config(&o.Core)
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
