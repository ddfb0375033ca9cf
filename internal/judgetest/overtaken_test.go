package judgetest

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/legal"
)

// A server may move refs by itself between what it advertises and a push. Neither a push that has to succeed nor one that has
// to be refused is judged by that.
func TestOvertakenPushesAreJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("virtual time runs on one thread: -short leaves it to the run without the race detector")
	}
	all := legal.All()
	at := slices.IndexFunc(all, func(s legal.Server) bool { return s.Name == "refs-a-second-behind" })
	cfg := suite.Config{Tags: "@G01-PR-16.state or @G01-PUSH-14.phases or @N34-ST-07 or @G01-LAT-01.loser-there", Parallel: 4}
	var r *suite.Result
	synctest.Test(t, func(t *testing.T) { r = judge(t, all[at].Open(clock.New()), cfg) })
	for _, c := range r.Checks {
		if c.Verdict != suite.Pass {
			t.Errorf("%s: got %s %s, want %s", c.Check.ID, c.Verdict, c.Reason, suite.Pass)
		}
	}
	if len(r.Checks) == 0 {
		t.Error("got no checks")
	}
}
