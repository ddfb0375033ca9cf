package invariant

import "github.com/graspkit/graspkit/reference/instant"

// A Violation is one broken rule.
type Violation struct {
	ID     string // of the invariant, "INV-20"
	Code   string // which way it was broken, "admitted-undeclared"; the same for every run that breaks it so
	At     instant.Instant
	Server string
	Detail string // for the person who looks into it; differs from run to run
}

// String is the id and the code: a shrinking search compares it, so it holds nothing that differs between runs.
func (v Violation) String() string { return v.ID + " " + v.Code }
