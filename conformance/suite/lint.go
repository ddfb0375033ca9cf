package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
)

// Lint reports where the steps of checks do not fit together, one finding a line, in order:
//   - an act whose answer nobody judges or notes,
//   - a refusal without an accepted twin behind it,
//   - a set-up or a twin that deletes refs where deletion is not what the check is about,
//   - a control that the check ends with and that is all it judges.
func Lint(checks []features.Check) []string {
	var findings []string
	for _, c := range checks {
		at := fmt.Sprintf("%s:%d: ", c.File, c.Line)
		for _, finding := range theRegistry().lint(c) {
			findings = append(findings, at+finding)
		}
	}
	return findings
}

func (r *registry) lint(c features.Check) []string {
	all := r.of(c)
	judges := false
	var findings []string
	for i, b := range all {
		judges = judges || b.step.role == assertion || b.step.role == record || b.step.scores
		switch {
		case b.step.role == act && !b.step.answered && (b.step.sees == answers || b.step.sees == reports) && !judged(all[i:]):
			findings = append(findings, fmt.Sprintf("nobody looks at the answer to %q", c.Steps[i].Text))
		case b.step.refuses && !hasTwin(all[i:]) && !observesOnly(c):
			findings = append(findings, fmt.Sprintf("%q has no accepted twin", c.Steps[i].Text))
		case (b.step.role == setUp || b.step.role == twin) && deletes(c.Steps[i]) && !aboutDeletion(c):
			findings = append(findings, fmt.Sprintf("%q deletes a ref, which is a matter of its own", c.Steps[i].Text))
		}
	}
	if !judges {
		findings = append(findings, "nothing is judged")
	}
	return findings
}

// judged reports whether somebody looks at what the act brought that the steps begin with, before the next one.
func judged(steps []bound) bool {
	for _, b := range steps[1:] {
		switch b.step.role {
		case assertion, record:
			return true
		case act:
			if b.step.sees == answers || b.step.sees == reports {
				return false
			}
		case setUp, twin, control:
		}
	}
	return false
}

// hasTwin reports whether something of the kind that was refused is accepted behind the refusal that the steps begin with.
func hasTwin(steps []bound) bool {
	return slices.ContainsFunc(steps[1:], func(b bound) bool {
		positive := b.step.role == assertion && !b.step.refuses && b.step.sees == steps[0].step.sees
		return b.step.role == twin || positive
	})
}

// deletes reports whether the table of a line takes a ref away.
func deletes(s features.Step) bool {
	for _, row := range s.Table {
		for _, cell := range row {
			if cell == deletion {
				return true
			}
		}
	}
	return false
}

// aboutDeletion reports whether the check says so in its title.
func aboutDeletion(c features.Check) bool {
	return strings.Contains(c.Title, "delet") || strings.Contains(c.Title, "leaves out")
}

// observesOnly reports whether the check's row scores nothing.
func observesOnly(c features.Check) bool {
	row, _ := spec.Lookup(c.Requirements[0])
	return row.Score == spec.Observe
}
