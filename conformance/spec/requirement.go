// Package spec is the requirement catalogue: one table of what a GRASP server must, should or may do, with
// the id, the score, the condition and the coverage of each requirement, the timing constants, and the
// planted defects that each requirement catches.
//
// It is data. It judges nothing, runs nothing and imports nothing of the project.
package spec

// Commit is the commit of the GRASP text that the catalogue follows.
const Commit = "f35b4f9a4ed2f0aaaf46926e4b1733c79e21b377"

// A Score decides what a violation is worth. The zero value is invalid.
type Score uint8

// The scores.
const (
	Must    Score = iota + 1 // a violation is a failure
	Should                   // a violation is a warning
	Observe                  // what the server does is recorded, never a failure
)

// String is the score as reports print it: "MUST", "SHOULD" or "OBSERVE".
func (s Score) String() string {
	switch s {
	case Must:
		return "MUST"
	case Should:
		return "SHOULD"
	case Observe:
		return "OBSERVE"
	}
	return "invalid score"
}

// A Lineage names one of the texts of GRASP-01 that servers follow. The zero value is invalid.
type Lineage uint8

// The lineages, oldest first.
const (
	LineageA Lineage = iota + 1 // December 2025
	LineageB                    // a draft of February 2026
	LineageC                    // August 2026, the text at Commit
)

// DefaultLineage is the lineage that a run is judged by unless told otherwise.
const DefaultLineage = LineageC

// String is the lineage's letter.
func (l Lineage) String() string {
	switch l {
	case LineageA:
		return "A"
	case LineageB:
		return "B"
	case LineageC:
		return "C"
	}
	return "invalid lineage"
}

// ParseLineage reads a lineage's letter.
func ParseLineage(letter string) (Lineage, bool) {
	for _, l := range []Lineage{LineageA, LineageB, LineageC} {
		if l.String() == letter {
			return l, true
		}
	}
	return 0, false
}

// A Requirement is one sentence that a server is judged by.
type Requirement struct {
	// ID is the name of the requirement everywhere: tag of its checks, argument of commands, field of
	// reports. It never changes and is never used again.
	ID string
	// Score is what a violation is worth while every condition holds.
	Score Score
	// Conditions all have to hold, or the requirement is not applicable (an observation, for lineages and
	// maintainer profiles).
	Conditions []Condition
	// Section is the title of the catalogue section that the requirement stands in.
	Section string
	// Text is our wording of the requirement, one sentence.
	Text string
	// Coverage says how the requirement is judged.
	Coverage Coverage
}

// Lineages are the lineages in which the requirement is normative, oldest first.
func (r Requirement) Lineages() []Lineage {
	for _, c := range r.Conditions {
		if c.Kind == InLineage {
			return c.Lineages
		}
	}
	return []Lineage{LineageA, LineageB, LineageC}
}

// Catches are the names of the planted defects that a check of this requirement catches.
func (r Requirement) Catches() []string {
	var names []string
	for _, d := range Defects() {
		if d.Catches == r.ID {
			names = append(names, d.Name)
		}
	}
	return names
}

// A CoverageKind says how a requirement is judged. The zero value is invalid.
type CoverageKind uint8

// The kinds of coverage.
const (
	Checked      CoverageKind = iota + 1 // at least one check of features/ carries the id
	Unobservable                         // no client can see it; Coverage.Text says why
	Planned                              // Coverage.Text is the title of the work that will bring its check
	Watched                              // a monitor of the simulated world judges all that happens; Coverage.Text says when it looks
	Proven                               // Coverage.Text is the test that proves it: a package of this module and its function
)

// String is the kind in one word.
func (k CoverageKind) String() string {
	switch k {
	case Checked:
		return "check"
	case Unobservable:
		return "unobservable"
	case Planned:
		return "planned"
	case Watched:
		return "watched"
	case Proven:
		return "proven"
	}
	return "invalid coverage"
}

// Coverage says how a requirement is judged.
type Coverage struct {
	Kind CoverageKind
	Text string // what the kind says; empty for Checked
	// Rest is, for Checked, what of the requirement no check judges, and why; for Proven, why no check can.
	Rest string
}
