package judgetest

import (
	"maps"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/legal"
)

// named is a legal server.
func named(t *testing.T, name string) legal.Server {
	t.Helper()
	all := legal.All()
	at := slices.IndexFunc(all, func(s legal.Server) bool { return s.Name == name })
	if at < 0 {
		t.Fatalf("no legal server %s", name)
	}
	return all[at]
}

// A server that takes its time over every answer may discard what waits while a check waits for others: it is tried again, alone.
func TestOutlivedChecksAccuseNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("judged in virtual time, which takes long with the race detector")
	}
	s := named(t, "eight-seconds-late")
	var r *suite.Result
	synctest.Test(t, func(t *testing.T) {
		r = judge(t, s.Open(clock.New()), suite.Config{Parallel: 4, ID: "G01-PURG-0", Seed: "G01-PURG-0", TimeBudget: legalBudget, Tags: bulky})
	})
	wrong := wronged(s, r)
	maps.Copy(wrong, undecided(s, r))
	for id, why := range wrong {
		t.Errorf("%s: %s", id, why)
	}
}

// A server that has no room for one more connection, as those that the checks themselves have open fill it, is not dead, even where
// it has taken nothing yet: who was turned away is judged alone.
func TestFullServerIsNotDown(t *testing.T) {
	s := named(t, "six-connections")
	var r *suite.Result
	synctest.Test(t, func(t *testing.T) {
		r = judge(t, s.Open(clock.New()), suite.Config{Parallel: 4, ID: "G01-ANN-05", TimeBudget: legalBudget})
	})
	if r.Down != "" {
		t.Errorf("it counts as down: %s", r.Down)
	}
	for _, c := range r.Checks {
		if c.Verdict != suite.Pass {
			t.Errorf("%s: got %s %s", c.Check.ID, c.Verdict, c.Reason)
		}
	}
}
