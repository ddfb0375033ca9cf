package compare

import (
	"slices"

	"github.com/graspkit/graspkit/conformance/suite"
)

// A Change says what has become of a requirement from one run to another.
type Change uint8

// The changes. Other is everything that proves neither a gain nor a loss: what was not judged before and is violated now may
// always have been.
const (
	Same   Change = iota
	Worse         // it was verified and is violated, or it is a MUST that was verified and is not any more
	Better        // it was not verified and is now
	Other
	New  // only the later run has the requirement
	Gone // only the earlier run has it
)

// Changes are all changes but Same, in the order in which they are told.
func Changes() []Change { return []Change{Worse, Other, Better, New, Gone} }

// rank orders changes as they are told.
func (c Change) rank() int {
	if at := slices.Index(Changes(), c); at >= 0 {
		return at
	}
	return len(Changes())
}

// String is the change in one word.
func (c Change) String() string {
	switch c {
	case Same:
		return "same"
	case Worse:
		return "worse"
	case Better:
		return "better"
	case Other:
		return "other"
	case New:
		return "new"
	case Gone:
		return "gone"
	}
	return "invalid change"
}

// Sign is the change in one character.
func (c Change) Sign() string { return []string{" ", "v", "^", "~", "n", "g"}[c] }

func changeOf(score string, before, after Cell) Change {
	was, is := suite.Verdict(before.Verdict), suite.Verdict(after.Verdict)
	switch {
	case before.Verdict == after.Verdict && before.Known == after.Known:
		return Same
	case before.Verdict == "":
		return New
	case after.Verdict == "":
		return Gone
	case was.Verified() && is.Violated(), was.Verified() && !is.Verified() && score == "MUST":
		return Worse
	case !was.Verified() && is.Verified():
		return Better
	}
	return Other
}
