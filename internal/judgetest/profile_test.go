package judgetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// A row counts in the lineages that have it; in the others what the server does is recorded.
func TestLineagesSelectRows(t *testing.T) {
	if testing.Short() {
		t.Skip("virtual time runs on one thread: -short leaves it to the run without the race detector")
	}
	broken, ok := defect.Lookup("filters-ignored")
	if !ok {
		t.Fatal("no defect filters-ignored")
	}
	const id = "G01-GIT-05" // of lineage C alone
	for lineage, want := range map[spec.Lineage][2]suite.Verdict{
		spec.LineageA: {suite.Observed, suite.Observed},
		spec.LineageB: {suite.Observed, suite.Observed},
		spec.LineageC: {suite.Pass, suite.Fail},
	} {
		for i, d := range []defect.Defect{{}, broken} {
			got := verdicts(judge(t, simulated(d), suite.Config{ID: id, Lineage: lineage}))[id]
			if got.Verdict != want[i] && (want[i] != suite.Fail || !got.Verdict.Violated()) {
				t.Errorf("%s in lineage %v with defect %q: got %s %s, want %s", id, lineage, d.Name, got.Verdict, got.Reason, want[i])
			}
		}
	}
}

// modelsShare is which share of the checks of other rows than those of maintainers a model is judged by without -full: one of so many.
const modelsShare = 4

// ofModels are the tags of the checks that a model is judged by without -full.
func ofModels(t *testing.T) []string {
	t.Helper()
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	tags := someOf(t, modelsShare)
	for _, c := range checks {
		if tag := tagOf(c); strings.HasPrefix(c.ID, "G01-MNT-") && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}

// The reference is conformant in both maintainer models, and the rows of the other model are recorded.
func TestMaintainerModels(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of checks, twice")
	}
	t.Parallel() // it keeps one processor busy
	tags := ""
	if !*full {
		tags = strings.Join(ofModels(t), " or ")
	}
	rows := map[string][2]suite.Verdict{ // by model of the tester: the row of the legacy model, that of the reciprocal one
		"legacy":     {suite.Pass, suite.Observed},
		"reciprocal": {suite.Observed, suite.Observed},
	}
	for _, model := range []repo.Model{repo.Legacy, repo.Reciprocal} {
		t.Run(model.String(), func(t *testing.T) {
			d := defect.Defect{Config: func(c *core.Config) { c.Model = model }}
			r := judge(t, simulated(d), suite.Config{Model: model.String(), Tags: tags, Fresh: fresh(d), Side: 2})
			for _, q := range r.Requirements {
				if q.Verdict.Violated() || q.Verdict.Undecided() {
					t.Errorf("%s: got %s %s", q.Requirement.ID, q.Verdict, q.Reason)
				}
			}
			by := verdicts(r)
			for i, id := range []string{"G01-MNT-02", "G01-MNT-06"} {
				if got := by[id].Verdict; got != rows[model.String()][i] {
					t.Errorf("%s: got %s, want %s", id, got, rows[model.String()][i])
				}
			}
		})
	}
}
