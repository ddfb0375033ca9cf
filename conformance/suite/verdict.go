package suite

import "slices"

// A Verdict says how a check, or a requirement in one run, ended. Its text is the one in reports.
type Verdict string

// The verdicts of conformance reports.
const (
	Pass           Verdict = "PASS"            // what was seen is what is required, and the accepted twin was accepted
	Fail           Verdict = "FAIL"            // a MUST is violated, with evidence
	Warn           Verdict = "WARN"            // a SHOULD is violated
	Observed       Verdict = "OBSERVED"        // recorded; nothing can be violated
	NotApplicable  Verdict = "NOT_APPLICABLE"  // a condition does not hold: not claimed and not offered
	Unsupported    Verdict = "UNSUPPORTED"     // the server refused in the documented way, by policy
	Blocked        Verdict = "BLOCKED"         // something of ours is missing; the unlock hint says what
	SimOnly        Verdict = "SIM_ONLY"        // only a simulated world can show it
	LiveOnly       Verdict = "LIVE_ONLY"       // only a live world can show it
	Inconclusive   Verdict = "INCONCLUSIVE"    // silence, a dead transport, a rate limit: nothing is proven
	SetupFail      Verdict = "SETUP_FAIL"      // what had to be so beforehand could not be reached
	DependencyFail Verdict = "DEPENDENCY_FAIL" // something else that the check rests on is broken
	HarnessError   Verdict = "HARNESS_ERROR"   // our own fault
	PlannedOnly    Verdict = "PLANNED"         // of requirements: there is no check yet
	NotObservable  Verdict = "UNOBSERVABLE"    // of requirements: no client can see it
	ProvenByTest   Verdict = "PROVEN"          // of requirements: a test of this project shows it, and this run does not
)

// severity orders verdicts from worst to best: a requirement is as good as its worst check.
func severity() []Verdict {
	return []Verdict{
		Fail, HarnessError, SetupFail, DependencyFail, Inconclusive, Warn, Unsupported, Blocked,
		SimOnly, LiveOnly, Pass, Observed, NotApplicable, NotObservable, ProvenByTest, PlannedOnly,
	}
}

// worse returns the worse of two verdicts; the empty one is the best.
func worse(a, b Verdict) Verdict {
	order := severity()
	rank := func(v Verdict) int {
		if i := slices.Index(order, v); i >= 0 {
			return i
		}
		return len(order)
	}
	if rank(b) < rank(a) {
		return b
	}
	return a
}

// Violated reports whether the verdict tells of a violation.
func (v Verdict) Violated() bool { return v == Fail || v == Warn }

// Verified reports whether the verdict tells that the requirement was seen to hold.
func (v Verdict) Verified() bool { return v == Pass || v == Observed }

// Undecided reports whether the check ran, or tried to, and proved nothing. A MUST in this state keeps a
// run from being good.
func (v Verdict) Undecided() bool {
	switch v {
	case Inconclusive, SetupFail, DependencyFail, HarnessError:
		return true
	default:
		return false
	}
}

// NotRun reports whether the check was not run for a reason that lies with us or with the world.
func (v Verdict) NotRun() bool {
	switch v {
	case Blocked, SimOnly, LiveOnly:
		return true
	default:
		return false
	}
}
