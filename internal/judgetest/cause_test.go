package judgetest

import (
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/defect"
)

// alsoFor are rows that a mistake breaks beside, and that others rest on, too.
var alsoFor = map[string]string{"owner-only": "G01-ANN-14"}

// What could not be judged is blamed on the row by which the refused push should have been accepted, and not on pushes at large.
func TestRefusedPushesAreBlamedOnTheirOwnRow(t *testing.T) {
	if testing.Short() {
		t.Skip("dozens of checks are judged, which takes minutes with the race detector")
	}
	for _, c := range []struct{ name, cause, judged string }{
		{"pull-request-refs-need-an-event", "G01-PR-01", "G01-PR-"},
		{"owner-only", "G01-MNT-01", "G01-MNT"},
		{"owner-only", "G01-MNT-01", "G01-XR"},
		{"escaped-paths-refused", "G01-ANN-11", "G01-REL-0"},
		{"escaped-paths-refused", "G01-ANN-11", "G01-DEL-06"},
		{"deletions-refused", "G01-PUSH-07", "G01-PUSH-"},
	} {
		t.Run(c.name+"/"+c.judged, func(t *testing.T) {
			t.Parallel()
			d, ok := defect.Lookup(c.name)
			if !ok {
				t.Fatal("the defect cannot be planted")
			}
			result := judge(t, outside(simulated(d), false), suite.Config{ID: c.judged, Write: true})
			if len(result.Causes) == 0 {
				t.Error("nothing rests on the mistake")
			}
			for _, cause := range result.Causes {
				if cause.ID != c.cause && cause.ID != alsoFor[c.name] {
					t.Errorf("got %d checks not judged for %s (%s), want them for %s", cause.Checks, cause.ID, cause.Reason, c.cause)
				}
			}
		})
	}
}

// That HEAD moves with the next push only is a violation of one row: the one about whose HEAD counts looks behind a push.
func TestWhenHeadMovesIsNotWhoseHeadCounts(t *testing.T) {
	d, ok := defect.Lookup("head-on-push-only")
	if !ok {
		t.Fatal("the defect cannot be planted")
	}
	for _, c := range judge(t, outside(simulated(d), false), suite.Config{ID: "G01-HEAD-06", Write: true}).Checks {
		if c.Verdict != suite.Pass {
			t.Errorf("%s: got %s (%s), want PASS", c.Check.ID, c.Verdict, c.Reason)
		}
	}
}
