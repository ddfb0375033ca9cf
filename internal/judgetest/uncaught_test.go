package judgetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
)

// ported are the defects that show only where the service has a port, which the simulated one has not.
var ported = []string{
	"ports-compared-by-prefix", "service-found-as-user", "service-found-in-fragment", "service-found-in-path",
	"service-found-in-query",
}

// No check finds the mistakes of the list yet, on a server that nobody knows to be ours. One that is found leaves the
// list, and nothing is added to it without being looked at by somebody.
func TestUncaughtDefects(t *testing.T) {
	if testing.Short() {
		t.Skip("each defect is judged on one thread in virtual time, which takes minutes with the race detector")
	}
	for _, name := range spec.Missed() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := slices.IndexFunc(spec.Defects(), func(d spec.Defect) bool { return d.Name == name })
			if at < 0 {
				t.Fatal("the catalogue does not know it")
			}
			row := spec.Defects()[at]
			for id, got := range strange(t, row) {
				if got.Verdict.Violated() && (id == row.Catches || *full) {
					t.Errorf("%s: got %s %s: it is found now, take it off the list", id, got.Verdict, got.Reason)
				}
			}
		})
	}
}

// strange judges the reference with a planted defect as a server of somebody else: by the requirement that has to catch it,
// with -full by all.
func strange(t *testing.T, row spec.Defect) map[string]suite.RequirementResult {
	t.Helper()
	d, ok := defect.Lookup(row.Name)
	if !ok {
		t.Fatal("the defect cannot be planted")
	}
	on := simulated(d)
	if slices.Contains(ported, row.Name) {
		reference, is := served(t, servetarget.Options{Backend: servetarget.BackendMemory, Defect: d}).(ours)
		if !is {
			t.Fatal("the served reference lacks a power")
		}
		on = atDoor(reference, d)
	}
	cfg := suite.Config{
		ID: row.Catches, Lineage: lineageOf(row.Catches), Write: true, AllowHostile: true, TimeBudget: 2 * time.Hour,
	}
	clock := waits(t, row.Catches)
	if *full {
		cfg.ID, clock = "", true
	}
	return verdicts(judge(t, outside(on, clock), cfg))
}

// waits reports whether a check of a requirement waits long.
func waits(t *testing.T, id string) bool {
	t.Helper()
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(checks, func(c features.Check) bool {
		return c.Wait() > 0 && slices.ContainsFunc(c.Requirements, func(r string) bool { return strings.HasPrefix(r, id) })
	})
}
