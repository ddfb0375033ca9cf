package suite_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
)

// The first violation ends a run: what is behind it is blocked with the reason, and the report is whole.
func TestStop(t *testing.T) {
	t.Parallel()
	stopped := func(parallel int, ends func(suite.CheckResult) bool) (*suite.Result, int) {
		f := newFake()
		f.exchange = status(404, "")
		f.frame = answerAll(true, "")
		r := judge(t, f, func(c *suite.Config) {
			c.ID, c.Parallel = "G01-ANN-0", parallel
			c.Stop = ends
		})
		n := 0
		for _, c := range r.Checks {
			if c.Verdict == suite.Blocked && strings.Contains(c.Reason, "stopped by --fail-fast") {
				n++
			}
		}
		return r, n
	}
	for _, parallel := range []int{1, 4} {
		r, n := stopped(parallel, func(c suite.CheckResult) bool { return c.Verdict == suite.Fail })
		failed := slices.IndexFunc(r.Checks, func(c suite.CheckResult) bool { return c.Verdict == suite.Fail })
		if failed < 0 || n < len(r.Checks)/2 {
			t.Errorf("%d at a time: got violation %d and %d of %d checks stopped, want one, and most", parallel, failed, n, len(r.Checks))
		}
		if got := verdictOf(r, r.Checks[max(failed, 0)].Check.Requirements[0]); got != suite.Fail {
			t.Errorf("%d at a time: got %s of the requirement, want FAIL", parallel, got)
		}
	}
	if _, n := stopped(1, func(suite.CheckResult) bool { return false }); n != 0 {
		t.Errorf("nothing ends the run: got %d checks stopped, want none", n)
	}
}
