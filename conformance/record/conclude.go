package record

import (
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
)

// Conclude says what the run allows to claim and which exit code it earns. strict makes a missed SHOULD count like a violated
// MUST.
func (r *Run) Conclude(strict bool) {
	r.Claim, r.Conformance = r.claim()
	r.Exit, r.ExitReasons = r.exit(strict)
}

func (r *Run) claim() (c Claim, word string) {
	for _, row := range r.Requirements {
		switch row.Verdict {
		case suite.PlannedOnly, suite.NotApplicable, suite.NotObservable, suite.ProvenByTest:
			continue
		case suite.Observed: // of any score: outside its lineage or profile a row is no requirement
			c.Observed++
			continue
		default:
		}
		switch row.Score {
		case spec.Must.String():
			c.Must.add(row.Verdict)
		case spec.Should.String():
			c.Should.add(row.Verdict)
		default:
			c.Observed++
		}
	}
	all := c.Must.Total + c.Should.Total
	switch {
	case slices.ContainsFunc(r.Requirements, func(row Requirement) bool { return row.Verdict == suite.Fail }):
		word = NonConformant // a WARN on a MUST row comes from a position on the text, and is no violation of it
	case r.Down != "" || 2*(c.Must.Verified+c.Should.Verified) < all || all == 0:
		word = Unknown
	case c.Must.Verified < c.Must.Total:
		word = Partial
	default:
		word = Conformant
	}
	return c, word
}

func (t *Tally) add(v suite.Verdict) {
	t.Total++
	switch {
	case v.Verified():
		t.Verified++
	case v.Violated():
		t.Violated++
	default:
		t.Unverified++
	}
}

// exit is the exit code, and why it is not zero.
func (r *Run) exit(strict bool) (code int, reasons []string) {
	var violated, undecided, unsupported []string
	for _, row := range r.Requirements {
		v := row.Verdict
		switch {
		case v == suite.Fail || strict && v == suite.Warn:
			violated = append(violated, row.ID)
		case v == suite.HarnessError || v == suite.SetupFail || v.Undecided() && row.Score == spec.Must.String():
			undecided = append(undecided, row.ID)
		case v == suite.Unsupported:
			unsupported = append(unsupported, row.ID)
		}
	}
	reasons = []string{}
	say := func(worth int, format string, args ...any) {
		if code == ExitGood {
			code = worth
		}
		reasons = append(reasons, fmt.Sprintf(format, args...))
	}
	if len(violated) > 0 {
		say(ExitViolated, "violated: %s", enumerated(violated))
	}
	if r.Down != "" {
		say(ExitUnreachable, "the target is down: %s", r.Down)
	}
	if len(undecided) > 0 {
		say(ExitHarness, "not decided: %s", enumerated(undecided))
	}
	if len(unsupported) > 0 && r.Conformance == Unknown {
		say(ExitHarness, "not supported by the target: %s, and too little else was verified", enumerated(unsupported))
	}
	return code, reasons
}

// enumeratedMax bounds the ids that one sentence names.
const enumeratedMax = 12

func enumerated(ids []string) string {
	if len(ids) == 1 {
		return ids[0]
	}
	text := fmt.Sprintf("%d requirements (", len(ids))
	for i, id := range ids {
		if i == enumeratedMax {
			return text + fmt.Sprintf(", and %d more)", len(ids)-i)
		}
		if i > 0 {
			text += ", "
		}
		text += id
	}
	return text + ")"
}

// WorstExit is the exit code of several runs together: a violation counts more than a dead target, and that more than an
// inconclusive one.
func WorstExit(codes ...int) int {
	for _, worst := range []int{ExitViolated, ExitUnreachable, ExitHarness, ExitStale, ExitBlocked} {
		if slices.Contains(codes, worst) {
			return worst
		}
	}
	return ExitGood
}
