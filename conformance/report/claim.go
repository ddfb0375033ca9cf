// Package report writes the results of conformance runs: to a terminal, as JSON and as JUnit. It also says
// what may be claimed after a run, and which exit code a run earns.
//
// It judges nothing anew and reads no environment.
package report

import (
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
)

// The words of a claim.
const (
	Conformant    = "CONFORMANT"     // every MUST that has a check was verified
	Partial       = "PARTIAL"        // no violation found, something not verified
	NonConformant = "NON-CONFORMANT" // a MUST is violated
	Unknown       = "UNKNOWN"        // less than half was verified, or the target is down
)

// A Tally counts requirements of one score. Rows that are planned or not applicable are not in it.
type Tally struct {
	Total, Verified, Violated, Unverified int
}

// A Claim is what one run allows to say about its target.
type Claim struct {
	Word         string
	Must, Should Tally
	Observed     int // requirements of score OBSERVE that were recorded
}

// ClaimOf sums up a run.
func ClaimOf(r *suite.Result) Claim {
	var c Claim
	for _, row := range r.Requirements {
		switch row.Verdict {
		case suite.PlannedOnly, suite.NotApplicable, suite.NotObservable, suite.ProvenByTest:
			continue
		case suite.Observed: // of any score: outside its lineage or profile a row is no requirement
			c.Observed++
			continue
		default:
		}
		switch row.Requirement.Score {
		case spec.Must:
			c.Must.add(row.Verdict)
		case spec.Should:
			c.Should.add(row.Verdict)
		case spec.Observe:
			c.Observed++
		}
	}
	all := c.Must.Total + c.Should.Total
	switch {
	case c.Must.failed(r):
		c.Word = NonConformant
	case r.Down != "" || 2*(c.Must.Verified+c.Should.Verified) < all || all == 0:
		c.Word = Unknown
	case c.Must.Verified < c.Must.Total:
		c.Word = Partial
	default:
		c.Word = Conformant
	}
	return c
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

// failed reports whether a MUST ended in FAIL; a WARN on a MUST row comes from a position on the text and
// is no violation of it.
func (t *Tally) failed(r *suite.Result) bool {
	for _, row := range r.Requirements {
		if row.Verdict == suite.Fail {
			return true
		}
	}
	return false
}

// Exit codes of a run.
const (
	ExitGood        = 0 // nothing violated, no MUST inconclusive
	ExitViolated    = 1 // a MUST is violated
	ExitHarness     = 3 // a fault of ours, or a MUST that stayed inconclusive
	ExitUnreachable = 4 // the target was not reached, or died
)

// ExitCode is the exit code that a run earns. strict makes a violated SHOULD count like a MUST.
func ExitCode(r *suite.Result, strict bool) int {
	undecided, unsupported := false, false
	for _, row := range r.Requirements {
		switch {
		case row.Verdict == suite.Fail || (strict && row.Verdict == suite.Warn):
			return ExitViolated
		case row.Verdict == suite.HarnessError || row.Verdict == suite.SetupFail:
			undecided = true
		case row.Verdict.Undecided() && row.Requirement.Score == spec.Must:
			undecided = true
		case row.Verdict == suite.Unsupported:
			unsupported = true
		}
	}
	switch {
	case r.Down != "":
		return ExitUnreachable
	case undecided || (unsupported && ClaimOf(r).Word == Unknown):
		return ExitHarness
	}
	return ExitGood
}

// WorstExit is the exit code of several runs together: a violation counts more than a dead target, and
// that more than an inconclusive one.
func WorstExit(codes ...int) int {
	for _, worst := range []int{ExitViolated, ExitUnreachable, ExitHarness} {
		for _, code := range codes {
			if code == worst {
				return worst
			}
		}
	}
	return ExitGood
}
