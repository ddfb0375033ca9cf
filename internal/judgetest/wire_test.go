package judgetest

import (
	"slices"
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
)

// onSockets are the wire defects that show on real sockets only.
var onSockets = []string{
	"binary-frames-kill", "bombs-in-memory", "fetches-in-memory", "packs-in-memory",
	"pushes-of-one-identifier-mixed", "pushes-of-one-key-mixed",
}

// Each wire defect is caught by the row that names it, although nobody knows that the server is ours; but for those that no
// check sees yet.
func TestWireDefectsAreCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("each defect is judged on one thread in virtual time, which takes minutes with the race detector")
	}
	for _, row := range spec.WireDefects() {
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			d, ok := defect.Lookup(row.Name)
			if !ok {
				t.Fatal("the defect cannot be planted")
			}
			cfg := suite.Config{ID: row.Catches, Lineage: lineageOf(row.Catches), Write: true, AllowHostile: true}
			if *full {
				cfg.ID = ""
			}
			by := verdicts(judge(t, asStranger(t, d), cfg))
			got := by[row.Catches]
			if waits := slices.Contains(uncaughtGit, row.Name); waits == got.Verdict.Violated() {
				t.Errorf("%s: got %s %s, and that it is not caught yet is %t", row.Catches, got.Verdict, got.Reason, waits)
			}
			for id, got := range by {
				if got.Verdict == suite.Fail && id != row.Catches && !slices.Contains(row.Also, id) {
					t.Errorf("%s: violated without cause: %s", id, got.Reason)
				}
			}
		})
	}
}

// The list of what is not caught yet names wire defects, each once.
func TestUncaughtAreWireDefects(t *testing.T) {
	for i, name := range uncaughtGit {
		if !slices.ContainsFunc(spec.WireDefects(), func(d spec.Defect) bool { return d.Name == name }) || slices.Contains(uncaughtGit[:i], name) {
			t.Errorf("%s: got no wire defect, or one twice", name)
		}
	}
}

// asStranger plants a defect into a server that nobody knows to be ours.
func asStranger(t *testing.T, d defect.Defect) target.Target {
	t.Helper()
	if slices.Contains(onSockets, d.Name) {
		return asForeignRaw(served(t, servetarget.Options{Backend: servetarget.BackendMemory, Defect: d}))
	}
	return asForeign(simulated(d))
}
