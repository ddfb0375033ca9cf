package judgetest

import (
	"os/exec"
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
)

// The reference keeps every MUST and SHOULD of core-1 in both worlds, with nothing blocked, and the same check ends with
// the same verdict in each.
func TestReferenceIsConformant(t *testing.T) {
	worlds := []struct {
		name string
		open func(t *testing.T) target.Target
	}{
		{"sim", func(*testing.T) target.Target { return simulated(defect.Defect{}) }},
		{"serve on memory", func(t *testing.T) target.Target {
			return served(t, servetarget.Options{Backend: servetarget.BackendMemory})
		}},
		{"serve on disk", func(t *testing.T) target.Target {
			return served(t, servetarget.Options{Backend: servetarget.BackendDisk})
		}},
		{"serve on git", func(t *testing.T) target.Target {
			if _, err := exec.LookPath("git"); err != nil {
				t.Skipf("no git on this machine: %v", err)
			}
			return served(t, servetarget.Options{Backend: servetarget.BackendExec})
		}},
	}
	first := map[string]suite.Verdict{}
	for i, w := range worlds {
		t.Run(w.name, func(t *testing.T) {
			r := judge(t, w.open(t), suite.Config{})
			conformant(t, r)
			for _, c := range r.Checks {
				if i == 0 {
					first[c.Check.ID] = c.Verdict
				} else if first[c.Check.ID] != c.Verdict {
					t.Errorf("%s: got %s, but %s in the simulated world", c.Check.ID, c.Verdict, first[c.Check.ID])
				}
			}
		})
	}
}

func conformant(t *testing.T, r *suite.Result) {
	t.Helper()
	for _, c := range r.Checks {
		if c.Verdict != suite.Pass && c.Verdict != suite.NotApplicable {
			t.Errorf("%s: %s: %s", c.Check.ID, c.Verdict, c.Reason)
		}
	}
	by := verdicts(r)
	for _, row := range core1(t) {
		if got := by[row.ID]; got.Verdict != suite.Pass {
			t.Errorf("%s: got %s %s, want verified", row.ID, got.Verdict, got.Reason)
		}
	}
	a := r.Accounting
	if a.Blocked != 0 || a.NotApplicable != 0 || a.Run != a.Catalogue-a.Planned {
		t.Errorf("got %+v, want every row run that has a check", a)
	}
	if len(r.Checks) < 70 {
		t.Errorf("got %d checks, want at least 70", len(r.Checks))
	}
}

func core1(t *testing.T) []spec.Requirement {
	t.Helper()
	rows, ok := spec.Profile("core-1")
	if !ok {
		t.Fatal("no profile core-1")
	}
	return rows
}
