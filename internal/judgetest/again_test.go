package judgetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
)

// familiesShare is of how many families of rows one is judged without -full.
const familiesShare = 3

// Two runs of one seed against one server end alike, for their nonces differ. Each family of rows has a server of its own:
// one that keeps two runs of the whole suite takes long to restart.
func TestSameSeedAgainEndsAlike(t *testing.T) {
	for _, family := range rowFamilies() {
		t.Run(family, func(t *testing.T) {
			switch {
			case testing.Short() && family != "G01-HEAD":
				t.Skip("-short judges one family")
			case family == "G01-PUSH", testing.Short():
			case !*full && !drawnOf(familiesShare, seedOfRun(), family):
				t.Skip("of the other families each run draws a third")
			}
			t.Parallel()
			on := simulated(defect.Defect{})
			first, second := twice(t, on, suite.Config{ID: family, Nonce: "one"}, suite.Config{ID: family, Nonce: "two"})
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("with a nonce (-first +second):\n%s", diff)
			}
		})
	}
}

// Without a nonce the second run meets what the first has left.
func TestSameSeedWithoutNonceSpoils(t *testing.T) {
	if testing.Short() {
		t.Skip("-short judges one family twice, with nonces")
	}
	t.Parallel() // it keeps one processor busy
	same := suite.Config{ID: "G01-PUSH"}
	if first, second := twice(t, simulated(defect.Defect{}), same, same); cmp.Equal(first, second) {
		t.Error("got the same verdicts twice, want some that what is there already spoils")
	}
}

// twice judges a server two times and returns the verdicts by check.
func twice(t *testing.T, on target.Target, one, two suite.Config) (first, second map[string]suite.Verdict) {
	t.Helper()
	first, second = map[string]suite.Verdict{}, map[string]suite.Verdict{}
	for _, run := range []struct {
		cfg suite.Config
		by  map[string]suite.Verdict
	}{{one, first}, {two, second}} {
		for _, c := range judge(t, on, run.cfg).Checks {
			run.by[c.Check.ID] = c.Verdict
		}
	}
	return first, second
}

// rowFamilies are the ids of rows without their numbers.
func rowFamilies() []string {
	var all []string
	for _, row := range spec.All() {
		if i := strings.LastIndex(row.ID, "-"); row.Coverage.Kind == spec.Checked && !slices.Contains(all, row.ID[:i]) {
			all = append(all, row.ID[:i])
		}
	}
	return all
}
