package judgetest

import (
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/core"
)

// A reference that does sync plus does all that GRASP-03 says and that a check judges, in both worlds, and one that does not is judged by
// none of it.
func TestSyncPlusReferenceIsConformant(t *testing.T) {
	on := core.Config{}
	on.Sync.Plus.On = true
	for name, plus := range (besides{
		"sim":   fresh(defect.Defect{Config: func(c *core.Config) { c.Sync.Plus.On = true }}),
		"serve": freshServed(servetarget.Options{Backend: servetarget.BackendMemory, Core: on}),
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := judge(t, simulated(defect.Defect{}), suite.Config{ID: "G03-", Apart: besides{"grasp03": plus}})
			for _, c := range r.Checks {
				if f := c.Findings[0]; f.Verdict != suite.Observed || f.Reason != "" {
					t.Errorf("%s: got %s %s", c.Check.ID, f.Verdict, f.Reason)
				}
			}
			for _, c := range judge(t, simulated(defect.Defect{}), suite.Config{ID: "G03-"}).Checks {
				if c.Verdict != suite.NotApplicable {
					t.Errorf("%s without sync plus: got %s %s", c.Check.ID, c.Verdict, c.Reason)
				}
			}
		})
	}
}
