package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/record"
)

// A standing is what a verdict comes to: every output has one form for each.
type standing uint8

const (
	outside   standing = iota // of no account here: not applicable, planned, proven elsewhere, unobservable
	violated                  // FAIL
	missed                    // WARN
	faulty                    // HARNESS_ERROR
	unreached                 // SETUP_FAIL, DEPENDENCY_FAIL
	undecided                 // INCONCLUSIVE
	refused                   // UNSUPPORTED
	notRun                    // BLOCKED, SIM_ONLY, LIVE_ONLY
	verified                  // PASS
	recorded                  // OBSERVED
)

// standingOf reads the word of a verdict; one that this version does not know is undecided, never verified.
func standingOf(verdict record.Verdict) standing {
	switch verdict {
	case "PASS":
		return verified
	case "OBSERVED":
		return recorded
	case "FAIL":
		return violated
	case "WARN":
		return missed
	case "HARNESS_ERROR":
		return faulty
	case "SETUP_FAIL", "DEPENDENCY_FAIL":
		return unreached
	case "UNSUPPORTED":
		return refused
	case "BLOCKED", "SIM_ONLY", "LIVE_ONLY":
		return notRun
	case "NOT_APPLICABLE", "PLANNED", "UNOBSERVABLE", "PROVEN":
		return outside
	default:
		return undecided
	}
}

// proved reports whether something was seen to hold.
func (s standing) proved() bool { return s == verified || s == recorded }

// open reports whether something was tried and nothing came of it.
func (s standing) open() bool { return s == faulty || s == unreached || s == undecided }

// skipped reports whether nothing was tried, or nothing may be said.
func (s standing) skipped() bool { return s == refused || s == notRun || s == outside }

// sign is the glyph beside the word of a verdict.
func (s standing) sign() string {
	switch s {
	case violated, faulty:
		return "\u2715"
	case missed:
		return "!"
	case unreached, undecided, refused:
		return "?"
	case verified:
		return "\u2713"
	case recorded:
		return "\u25cb"
	case notRun, outside:
		return "\u2013"
	}
	return "?"
}

// class is the name of the color of a verdict in a page.
func (s standing) class() string {
	switch s {
	case violated, faulty:
		return "bad"
	case missed:
		return "weak"
	case unreached, undecided:
		return "open"
	case verified:
		return "good"
	case recorded:
		return "seen"
	case refused, notRun, outside:
		return "none"
	}
	return "open"
}

// excused reports whether a failure was expected and still is.
func excused(k *record.Known) bool { return k != nil && !k.Stale && !k.Expired }

// worst returns all checks that are violated or open, or that were expected to be: by verdict, a MUST before a SHOULD, and in the
// order of the features; what was expected comes last. Those that wait for a root cause are among them.
func worst(r *record.Run) []*record.Check {
	var all []*record.Check
	for i := range r.Checks {
		c := &r.Checks[i]
		if s := standingOf(c.Verdict); s == violated || s == missed || s.open() || c.Known != nil && c.Known.Stale {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *record.Check) int {
		return cmp.Compare(order(a), order(b))
	})
	return all
}

// order is how much a check matters, the least the most.
func order(c *record.Check) int {
	n := 2 * int(standingOf(c.Verdict))
	if c.Score != "MUST" {
		n++
	}
	if excused(c.Known) {
		n += 100
	}
	return n
}

// alone returns the requirements whose verdict is told by no check: a witness watched them, or the run itself saw them broken
// where no check looked.
func alone(r *record.Run) []*record.Requirement {
	told := make(map[string]bool)
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			told[f.ID] = told[f.ID] || f.Verdict.Violated()
		}
	}
	var rows []*record.Requirement
	for i := range r.Requirements {
		row := &r.Requirements[i]
		if row.Coverage == "watched" && row.Verdict != "" && row.Checks == 0 || row.Verdict.Violated() && !told[row.ID] {
			rows = append(rows, row)
		}
	}
	return rows
}

// place is where a check stands in the repository of the suite.
func place(c *record.Check) string {
	file := line(c.File, nameBytesMax)
	if strings.HasPrefix(file, "features/") {
		return file
	}
	return "features/" + file
}

// clauses maps the ids of requirements to their rows.
func clauses(r *record.Run) map[string]*record.Requirement {
	rows := make(map[string]*record.Requirement, len(r.Requirements))
	for i := range r.Requirements {
		rows[r.Requirements[i].ID] = &r.Requirements[i]
	}
	return rows
}

// primary is the id of the first requirement of a check.
func primary(c *record.Check) string {
	if len(c.Findings) > 0 {
		return c.Findings[0].ID
	}
	id, _, _ := strings.Cut(c.ID, ".")
	return id
}

// meaning says a word of a claim in a sentence.
func meaning(word string) string {
	switch word {
	case record.Conformant:
		return "Every MUST that has a check was verified."
	case record.Partial:
		return "No violation was found, and something was not verified."
	case record.NonConformant:
		return "At least one MUST is violated."
	}
	return "Less than half was verified, or the target is down: nothing may be claimed."
}
