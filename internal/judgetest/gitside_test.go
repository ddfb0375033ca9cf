package judgetest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
)

// A gitless server has a relay, and gives no answer about a repository: it stands still, or hangs up.
type gitless struct {
	target.Target

	hangsUp bool
}

// RoundTrip waits for as long as the client does.
func (g gitless) RoundTrip(req *http.Request) (*http.Response, error) {
	at, _, _ := strings.Cut(target.RequestTarget(req), "?")
	switch {
	case !strings.Contains(at, ".git") || req.Method == http.MethodOptions:
		return g.Target.RoundTrip(req)
	case g.hangsUp:
		return nil, fmt.Errorf("read answer: %w", target.ErrClosed)
	}
	<-req.Context().Done()
	return nil, fmt.Errorf("read answer: %w", context.Cause(req.Context()))
}

// A server whose relay answers and whose git does not is alive, and that is one finding: what needs git is due to it, and the relay is
// judged all the same.
func TestSilentGitIsOneFinding(t *testing.T) {
	if testing.Short() {
		t.Skip("judged in virtual time, which takes long with the race detector")
	}
	for _, hangsUp := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := named(t, "talkative")
			r := judge(t, gitless{s.Open(clock.New()), hangsUp}, suite.Config{Parallel: 4, ID: "G01-GIT,G01-PUSH-0,G01-ANN-1,N01-E", Tags: bulky, Write: true})
			if r.Down != "" {
				t.Errorf("hangs up %t: it counts as down: %s", hangsUp, r.Down)
			}
			for _, q := range r.Requirements {
				if q.Verdict.Violated() != (q.Requirement.ID == "G01-GIT-01") {
					t.Errorf("hangs up %t: %s: got %s %s", hangsUp, q.Requirement.ID, q.Verdict, q.Reason)
				}
			}
			passed, open := 0, 0
			for _, c := range r.Checks {
				if c.Verdict == suite.Pass {
					passed++
				}
				if c.Verdict == suite.Inconclusive && c.Check.Requirements[0] != "G01-GIT-01" {
					open++
				}
			}
			if passed == 0 || open > 0 {
				t.Errorf("hangs up %t: %d checks passed, and of %d nobody knows why they say nothing", hangsUp, passed, open)
			}
		})
	}
}

// That a ref of a pull request needs its event first breaks one row: what only has to have a commit here gets it in the order that
// every server takes.
func TestRefsThatNeedAnEventBreakOneRow(t *testing.T) {
	if testing.Short() {
		t.Skip("dozens of checks are judged, which takes minutes with the race detector")
	}
	d, ok := defect.Lookup("pull-request-refs-need-an-event")
	if !ok {
		t.Fatal("the defect cannot be planted")
	}
	hidden := []string{}
	for _, c := range judge(t, outside(simulated(d), false), suite.Config{ID: "G01-PURG-2,G01-PR-15,G01-LAT", Tags: bulky, Write: true}).Checks {
		if c.Verdict.Violated() {
			t.Errorf("%s: got %s %s", c.Check.ID, c.Verdict, c.Reason)
		}
		if c.Verdict.Undecided() {
			hidden = append(hidden, c.Check.ID)
		}
	}
	for _, id := range hidden {
		if !slices.Contains([]string{"G01-PURG-20.before", "G01-PR-15.branch"}, id) { // what comes before the event is their matter
			t.Errorf("%s is not judged", id)
		}
	}
}
