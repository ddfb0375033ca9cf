package judgetest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/archived"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/core"
)

// archive opens an archive of all that lists another service.
func archive(world string, readOnly bool) func(context.Context) (target.Target, func() error, error) {
	if world == "sim" {
		return fresh(defect.Defect{Archive: !readOnly, ReadOnly: readOnly})
	}
	return freshServed(servetarget.Options{Backend: servetarget.BackendMemory, Core: core.Config{Archive: archived.Config(readOnly)}})
}

// An archive does all that GRASP-05 says, in both worlds, and a server that is none is judged by none of it.
func TestArchiveIsConformant(t *testing.T) {
	for _, world := range []string{"sim", "serve"} {
		t.Run(world, func(t *testing.T) {
			t.Parallel()
			r := judge(t, simulated(defect.Defect{}), suite.Config{ID: "G05-", Apart: besides{
				"grasp05": archive(world, false), "grasp05/read-only": archive(world, true),
			}})
			for _, c := range r.Checks {
				if f := c.Findings[0]; !f.Verdict.Verified() || f.Reason != "" {
					t.Errorf("%s: got %s %s", c.Check.ID, f.Verdict, f.Reason)
				}
			}
			for _, c := range judge(t, simulated(defect.Defect{}), suite.Config{ID: "G05-"}).Checks {
				if c.Verdict != suite.NotApplicable {
					t.Errorf("%s at a server that is no archive: got %s %s", c.Check.ID, c.Verdict, c.Reason)
				}
			}
		})
	}
}

// A server of somebody else is judged by what its document says, be it an archive that is only read and takes nothing by which
// other checks would see that time has passed; what does not apply to one kind of archive does not fail there.
func TestForeignArchiveIsJudgedByItsDocument(t *testing.T) {
	for name, readOnly := range map[string]bool{"pushes are taken": false, "only read": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := defect.Defect{Archive: !readOnly, ReadOnly: readOnly}
			verified := 0
			for _, c := range judge(t, outside(simulated(d), true), suite.Config{ID: "G05-", Write: true, TimeBudget: 3 * time.Hour}).Checks {
				switch {
				case c.Verdict.Verified():
					verified++
				case c.Check.Has("needs:read-only-archive") && !readOnly && c.Verdict == suite.NotApplicable:
				case strings.HasPrefix(c.Check.ID, "G05-02.") && c.Verdict == suite.Blocked: // an outsider is given no relays
				default:
					t.Errorf("%s: got %s %s", c.Check.ID, c.Verdict, c.Reason)
				}
			}
			if verified < 9 {
				t.Errorf("got %d checks verified, want 9 at least", verified)
			}
		})
	}
}

// Every check of an archive that judges is seen to fail by a planted mistake.
func TestArchiveChecksHaveKillers(t *testing.T) {
	if testing.Short() {
		t.Skip("virtual time runs on one thread: -short leaves it to the run without the race detector")
	}
	killer := map[string]string{}
	for _, d := range defect.All() {
		if !d.Archive && !d.ReadOnly {
			continue
		}
		for _, c := range judge(t, simulated(d), suite.Config{ID: "G05-"}).Checks {
			if _, known := killer[c.Check.ID]; !known {
				killer[c.Check.ID] = ""
			}
			if f := c.Findings[0]; f.Verdict.Violated() || f.Verdict == suite.Observed && f.Reason != "" {
				killer[c.Check.ID] = d.Name
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(killer)) {
		if killer[id] == "" && !strings.HasPrefix(id, "G05-07") { // which is recorded, whatever it is
			t.Errorf("%s: no planted mistake is seen by it", id)
		}
	}
}
