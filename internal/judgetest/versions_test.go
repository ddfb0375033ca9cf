package judgetest

import (
	"slices"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/defect"
)

// TestPlainLossIsNamedOnce: where any new version loses the events of longer identifiers, the row about versions is violated,
// and checks of something else are judged by what they are about, though each of them loses a decoy.
func TestPlainLossIsNamedOnce(t *testing.T) {
	d, ok := defect.Lookup("longer-identifiers-replaced")
	if !ok {
		t.Fatal("longer-identifiers-replaced: no such defect")
	}
	cfg := suite.Config{Tags: "@N34-ST-06 or @N34-ST-07 or @G01-LAT-02.own or @N01-REP-01.ties", Write: true, AllowHostile: true, Heavy: true, TimeBudget: 2 * time.Hour}
	r := judge(t, outside(simulated(d), false), cfg)
	for _, c := range r.Checks {
		if c.Verdict != suite.Pass {
			t.Errorf("%s: got %s: %s, want %s", c.Check.ID, c.Verdict, c.Reason, suite.Pass)
		}
	}
	row := slices.IndexFunc(r.Requirements, func(q suite.RequirementResult) bool { return q.Requirement.ID == "N01-REP-01" })
	if row < 0 || r.Requirements[row].Verdict != suite.Fail {
		t.Errorf("N01-REP-01: not violated, in %d requirements", len(r.Requirements))
	}
}
