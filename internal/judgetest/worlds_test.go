package judgetest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/defect"
)

// How many equal worlds share the checks changes no verdict: neither of a proper server nor of a broken one.
func TestWorldsShareTheChecks(t *testing.T) {
	for _, name := range []string{"", "push-of-other-commit"} {
		all := slices.Concat([]defect.Defect{{}}, defect.All())
		d := all[slices.IndexFunc(all, func(d defect.Defect) bool { return d.Name == name })]
		said := func(worlds int) map[string]string {
			cfg := suite.Config{ID: "G01-PUSH"}
			for range worlds - 1 {
				cfg.Beside = append(cfg.Beside, simulated(d))
			}
			got := map[string]string{}
			for _, c := range judge(t, simulated(d), cfg).Checks {
				got[c.Check.ID] = string(c.Verdict)
			}
			return got
		}
		one := said(1)
		for _, worlds := range []int{2, 3} {
			if diff := cmp.Diff(one, said(worlds)); diff != "" {
				t.Errorf("%q: verdicts of one world and of %d (-one +others):\n%s", name, worlds, diff)
			}
		}
	}
}
