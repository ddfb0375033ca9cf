package judgetest

import (
	"slices"
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/web"
)

// ofFetching are the rows of the catalogue with a check that apply only to servers that list GRASP-02, which the reference
// does not: it fetches git data, but no events.
func ofFetching() []string {
	var ids []string
	for _, row := range spec.All() {
		asked := slices.ContainsFunc(row.Conditions, func(c spec.Condition) bool { return c.Kind == spec.GRASPListed && c.Number == 2 })
		if row.Coverage.Kind == spec.Checked && asked {
			ids = append(ids, row.ID)
		}
	}
	return ids
}

// The reference would keep the rows of git data from elsewhere if it listed GRASP-02.
func TestReferenceFetches(t *testing.T) {
	listing := defect.Defect{Web: func(c *web.Config) { c.Grasps = append(slices.Clone(c.Grasps), "GRASP-02") }}
	ids := ofFetching()
	if len(ids) == 0 {
		t.Fatal("got no rows of GRASP-02 with a check")
	}
	for name, on := range map[string]target.Target{
		"sim": simulated(listing), "serve": served(t, servetarget.Options{Defect: listing}),
	} {
		for _, prefix := range []string{"G02-", "SEC-"} {
			by := verdicts(judge(t, on, suite.Config{ID: prefix}))
			for _, id := range ids {
				row, _ := spec.Lookup(id)
				if got, judged := by[id]; judged && got.Verdict != suite.Pass && (row.Score != spec.Observe || got.Verdict != suite.Observed) {
					t.Errorf("%s in %s: got %s %s, want it kept", id, name, got.Verdict, got.Reason)
				}
			}
		}
	}
}
