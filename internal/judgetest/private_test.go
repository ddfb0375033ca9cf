package judgetest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/core"
)

// besides open targets for folders of features.
type besides = map[string]func(context.Context) (target.Target, func() error, error)

// A private reference does all that GRASP-08 says and that a check judges, in both worlds, while a public one is judged by none of it.
func TestPrivateReferenceIsConformant(t *testing.T) {
	for name, private := range map[string]func(context.Context) (target.Target, func() error, error){
		"sim":   fresh(defect.Defect{Private: true}),
		"serve": freshServed(servetarget.Options{Backend: servetarget.BackendMemory, Core: core.Config{Private: core.PrivateConfig{On: true}}}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := judge(t, simulated(defect.Defect{}), suite.Config{ID: "G08-", Apart: besides{"grasp08": private}, Parallel: 2})
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
				if c.Check.Has("needs:grasp=6") || c.Check.Has("live-only") { // which it does not offer, and TestMembersWorkWithStockGit
					continue
				}
				if c.Verdict != suite.Observed {
					t.Errorf("%s: got %s %s", c.Check.ID, c.Verdict, c.Reason)
				}
			}
			for _, c := range judge(t, simulated(defect.Defect{}), suite.Config{ID: "G08-"}).Checks {
				if c.Verdict != suite.NotApplicable && c.Verdict != suite.LiveOnly {
					t.Errorf("%s at a public service: got %s %s", c.Check.ID, c.Verdict, c.Reason)
				}
			}
		})
	}
}

// Every check of a private service is seen to fail: a planted mistake makes it record that a row is not kept.
func TestPrivateChecksHaveKillers(t *testing.T) {
	if testing.Short() {
		t.Skip("each mistake is judged on one thread in virtual time, which takes minutes with the race detector")
	}
	killer := map[string]string{}
	for _, d := range defect.All() {
		if !d.Private {
			continue
		}
		for _, c := range judge(t, simulated(d), suite.Config{ID: "G08-"}).Checks {
			if _, known := killer[c.Check.ID]; !known {
				killer[c.Check.ID] = ""
			}
			if f := c.Findings[0]; f.Verdict == suite.Observed && f.Reason != "" {
				killer[c.Check.ID] = d.Name
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(killer)) {
		elsewhere := slices.ContainsFunc(strings.Split(membersGit, " or "), func(tag string) bool { return strings.HasPrefix("@"+id, tag) })
		if killer[id] == "" && !elsewhere {
			t.Errorf("%s: no planted mistake is seen by it", id)
		}
	}
}
