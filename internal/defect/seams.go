package defect

import "github.com/graspkit/graspkit/reference"

// Seams plants what the defect has for the parts of a server.
func (d Defect) Seams() reference.Seams {
	return reference.Seams{Machine: d.Machine, Answer: d.Answer, Body: d.Body, Front: d.Front}
}
