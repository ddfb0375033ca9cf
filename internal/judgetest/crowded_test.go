package judgetest

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/legal"
)

// A server that has no room for one more connection, as those that the checks themselves have open fill it, is not dead, even where
// it has taken nothing yet: who was turned away is judged alone.
func TestFullServerIsNotDown(t *testing.T) {
	all := legal.All()
	s := all[slices.IndexFunc(all, func(s legal.Server) bool { return s.Name == "six-connections" })]
	var r *suite.Result
	synctest.Test(t, func(t *testing.T) {
		r = judge(t, s.Open(clock.New()), suite.Config{Parallel: 4, ID: "G01-ANN-05", TimeBudget: legalBudget})
	})
	if r.Down != "" {
		t.Errorf("it counts as down: %s", r.Down)
	}
	for _, c := range r.Checks {
		if c.Verdict != suite.Pass {
			t.Errorf("%s: got %s %s", c.Check.ID, c.Verdict, c.Reason)
		}
	}
}
