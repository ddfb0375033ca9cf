package judgetest

import (
	"maps"
	"slices"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
)

// Two runs of one seed against one server end alike, for their nonces differ; without a nonce they do not, for the second
// one meets what the first has left.
func TestSameSeedAgainEndsAlike(t *testing.T) {
	id := ""
	if testing.Short() {
		id = "G01-PUSH"
	}
	run := func(on target.Target, nonce string) map[string]suite.Verdict {
		by := map[string]suite.Verdict{}
		for _, c := range judge(t, on, suite.Config{ID: id, Nonce: nonce}).Checks {
			by[c.Check.ID] = c.Verdict
		}
		return by
	}
	differ := func(a, b map[string]suite.Verdict) (ids []string) {
		for _, id := range slices.Sorted(maps.Keys(a)) {
			if a[id] != b[id] {
				ids = append(ids, id+": "+string(a[id])+", then "+string(b[id]))
			}
		}
		return ids
	}
	kept := simulated(defect.Defect{})
	for _, d := range differ(run(kept, "one"), run(kept, "two")) {
		t.Errorf("with a nonce: %s", d)
	}
	id = "G01-PUSH"
	worn := simulated(defect.Defect{})
	if len(differ(run(worn, ""), run(worn, ""))) == 0 {
		t.Error("without a nonce: got the same verdicts twice, want some that what is there already spoils")
	}
}
