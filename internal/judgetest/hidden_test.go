package judgetest

import (
	"slices"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/defect"
)

// What an advertisement does not offer is a finding of the rows that are about it. Others push all the same, as somebody would who does
// not ask first, and are judged by what comes of that: a mistake that every user meets at once must not hide all that follow.
func TestWhatIsNotOfferedHidesNothingElse(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of checks are judged, which takes minutes with the race detector")
	}
	for name, rows := range map[string][]string{
		"empty-push-advertisement-bare":                 {"G01-PUSH-01"},
		"empty-push-advertisement-without-capabilities": {"G01-PUSH-01"},
		"reports-unannounced":                           {"G01-PUSH-28"},
		"deletions-unannounced":                         {"G01-PUSH-07"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, ok := defect.Lookup(name)
			if !ok {
				t.Fatal("the defect cannot be planted")
			}
			for _, id := range []string{"G01-PUSH", "G01-HEAD", "G01-GIT-06", "G01-PR-1", "N09-0", "G01-LAT"} {
				result := judge(t, outside(simulated(d), false), suite.Config{ID: id, Write: true, AllowHostile: true})
				for _, c := range result.Checks {
					of := slices.ContainsFunc(rows, func(row string) bool { return slices.Contains(c.Check.Requirements, row) })
					if !of && !slices.Contains([]suite.Verdict{suite.Pass, suite.Observed, suite.NotApplicable, suite.Blocked, suite.Unsupported}, c.Verdict) {
						t.Errorf("%s: got %s (%s), want what it is without the mistake", c.Check.ID, c.Verdict, c.Reason)
					}
				}
			}
		})
	}
}
