package judgetest

import (
	"slices"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
)

// Every planted defect is in the catalogue, and every defect of the catalogue can be planted.
func TestDefectsAreNamedOnce(t *testing.T) {
	var named []string
	for _, d := range spec.Defects() {
		named = append(named, d.Name)
	}
	slices.Sort(named)
	if planted := defect.Names(); !slices.Equal(planted, named) {
		t.Errorf("got defects %v, want those of the catalogue: %v", planted, named)
	}
}

// lineageOf is a text that asks for a requirement: the usual one if it does.
func lineageOf(id string) spec.Lineage {
	row, ok := spec.Lookup(id)
	if !ok || slices.Contains(row.Lineages(), spec.DefaultLineage) {
		return spec.DefaultLineage
	}
	return row.Lineages()[0]
}

// socketSettle is the wait for an answer where one that never comes is waited out in real time.
const socketSettle = 15 * time.Second

// Each defect is caught by the requirement that names it, and with -full no MUST is violated that the catalogue does not
// expect.
func TestDefectsAreCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("each defect is judged on one thread in virtual time, which takes minutes with the race detector")
	}
	if *insource != "" {
		t.Cleanup(func() { killers.write(t, *insource) })
	}
	for _, row := range spec.Defects() {
		if slices.ContainsFunc(spec.WireDefects(), func(d spec.Defect) bool { return d.Name == row.Name }) {
			continue // TestWireDefectsAreCaught judges it as that of somebody else
		}
		if d, _ := defect.Lookup(row.Name); d.InSource != (*insource != "") {
			continue // TestDefectsInSourceAreCaught judges it in a build of its own
		}
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			d, ok := defect.Lookup(row.Name)
			if !ok {
				t.Fatal("the defect cannot be planted")
			}
			cfg := suite.Config{ID: row.Catches, Lineage: lineageOf(row.Catches)}
			if *full {
				cfg.ID = ""
			}
			result := judgedAlone(t, row, cfg, func(cfg suite.Config) *suite.Result {
				if !slices.Contains(bare, row.Catches) {
					return judge(t, simulated(d), cfg)
				}
				cfg.Settle = socketSettle
				return judge(t, served(t, servetarget.Options{Backend: servetarget.BackendMemory, Defect: d}), cfg)
			})
			killers.note(row.Name, result)
			by := verdicts(result)
			if got := by[row.Catches]; !got.Verdict.Violated() && !deviates(got) {
				t.Errorf("%s: got %s %s, want it violated", row.Catches, got.Verdict, got.Reason)
			}
			for id, got := range by {
				if row.Broad() {
					break
				}
				// The rules of the reference itself are finer than any list of what a mistake breaks beside its own row.
				if got.Verdict == suite.Fail && id != row.Catches && !slices.Contains(row.Also, id) && !ofReference(got.Requirement) {
					t.Errorf("%s: violated without cause: %s", id, got.Reason)
				}
			}
			if !*full {
				return
			}
			for _, id := range row.Also {
				if !by[id].Verdict.Violated() && !deviates(by[id]) {
					t.Errorf("%s: got %s, want it violated as the catalogue says", id, by[id].Verdict)
				}
			}
		})
	}
}

// deviates reports whether a row that scores nothing is recorded as not kept.
func deviates(got suite.RequirementResult) bool {
	return got.Requirement.Score == spec.Observe && got.Verdict == suite.Observed && got.Reason != ""
}

// ofReference reports whether a row is about the reference alone.
func ofReference(row spec.Requirement) bool {
	return slices.ContainsFunc(row.Conditions, func(c spec.Condition) bool { return c.Kind == spec.ReferenceWorld })
}
