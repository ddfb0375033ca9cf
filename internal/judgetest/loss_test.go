package judgetest

import (
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
)

// allLost is a server that has nothing behind a restart.
func allLost() defect.Defect {
	return defect.Defect{Name: "all-lost", Filter: func() defect.Filter {
		return defect.Filter{In: func(i core.Input) (core.Input, bool) {
			if _, is := i.(core.Started); is { // at the first start there is nothing to lose
				return core.Started{}, true
			}
			return i, true
		}}
	}}
}

// A server that loses at a restart what it had breaks one rule: what every check sees of that behind a restart of its own is due to it.
func TestLossAtARestartIsOneFinding(t *testing.T) {
	if testing.Short() {
		t.Skip("dozens of checks are judged, which takes minutes with the race detector")
	}
	const rows = "G01-PUSH-01,G01-PUSH-13,G01-PR-04,G01-REL-01,N09-05,N01-REP-01,G01-ANN-14,G01-LAT-02,N62-01,G01-DEL-01"
	r := judge(t, outside(simulated(allLost()), true), suite.Config{ID: "G01-GIT-01," + rows, Tags: bulky, Write: true})
	waiting := 0
	for _, cause := range r.Causes {
		if cause.ID != "G01-GIT-01" {
			t.Errorf("%d checks wait for %s: %s", cause.Checks, cause.ID, cause.Reason)
		}
		waiting += cause.Checks
	}
	for _, q := range r.Requirements {
		if q.Verdict.Violated() != (q.Requirement.ID == "G01-GIT-01") {
			t.Errorf("%s: got %s %s", q.Requirement.ID, q.Verdict, q.Reason)
		}
	}
	if waiting < 8 {
		t.Errorf("%d checks wait for it, want those of all rows", waiting)
	}
	alone := verdicts(judge(t, outside(simulated(allLost()), true), suite.Config{ID: "G01-PUSH-13", Tags: bulky, Write: true}))
	if got := alone["G01-PUSH-13"]; got.Verdict != suite.Fail {
		t.Errorf("where nobody judges what it is due to, a row says so itself: got %s %s", got.Verdict, got.Reason)
	}
}
