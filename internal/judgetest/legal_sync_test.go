package judgetest

import (
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/legal"
)

// Servers that get events from elsewhere in another way, or do not, are not accused.
func TestLegalSyncs(t *testing.T) {
	for _, s := range legal.Syncs() {
		t.Run(s.Name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("virtual time runs on one thread: -short leaves it to the run without the race detector")
			}
			t.Parallel()
			judged := 0
			for id, got := range verdicts(judge(t, s.Open(), suite.Config{ID: "G02-"})) {
				row, _ := spec.Lookup(id)
				switch {
				case got.Verdict == suite.Pass || got.Verdict == suite.Observed && row.Score == spec.Observe:
					judged++
				case got.Verdict == suite.NotApplicable || row.Coverage.Kind != spec.Checked:
				case s.Owes[id] == "":
					t.Errorf("%s: got %s: %s", id, got.Verdict, got.Reason)
				}
			}
			if least := 2; judged < least {
				t.Errorf("got %d rows judged, want %d at least", judged, least)
			}
		})
	}
}
