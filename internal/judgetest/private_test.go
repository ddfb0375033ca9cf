package judgetest

import (
	"context"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/core"
)

// A private reference does all that GRASP-08 says and that a check judges, in both worlds, while a public one is judged by none of it.
func TestPrivateReferenceIsConformant(t *testing.T) {
	for name, private := range map[string]func(context.Context) (target.Target, func() error, error){
		"sim":   fresh(defect.Defect{Private: true}),
		"serve": freshServed(servetarget.Options{Backend: servetarget.BackendMemory, Core: core.Config{Private: core.PrivateConfig{On: true}}}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := judge(t, simulated(defect.Defect{}), suite.Config{ID: "G08-", Private: private, Parallel: 2})
			judged := 0
			for id, got := range verdicts(r) {
				switch {
				case got.Verdict == suite.Observed && got.Reason == "":
					judged++
				case got.Verdict != suite.PlannedOnly && got.Verdict != suite.NotObservable:
					t.Errorf("%s: got %s %s", id, got.Verdict, got.Reason)
				}
			}
			if judged < 11 {
				t.Errorf("got %d rows judged, want 11 at least", judged)
			}
			for _, c := range r.Checks {
				if c.Verdict != suite.Observed {
					t.Errorf("%s: got %s %s", c.Check.ID, c.Verdict, c.Reason)
				}
			}
			for _, c := range judge(t, simulated(defect.Defect{}), suite.Config{ID: "G08-"}).Checks {
				if c.Verdict != suite.NotApplicable {
					t.Errorf("%s at a public service: got %s %s", c.Check.ID, c.Verdict, c.Reason)
				}
			}
		})
	}
}
