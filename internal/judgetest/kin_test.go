package judgetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/legal"
)

// Servers that do, or leave, what the documents beside GRASP-01 ask for in their own ways are not accused: of no row that scores, and
// of none that is recorded only.
func TestLegalKin(t *testing.T) {
	for i, s := range legal.Kin() {
		if testing.Short() && i%40 > 0 { // to the race detector they are alike
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			cfg := suite.Config{Parallel: 4, TimeBudget: legalBudget, ID: s.Rows, Keys: keysOf(t, s.Members), AllowHostile: true, Write: true}
			var r *suite.Result
			synctest.Test(t, func(t *testing.T) { r = judge(t, s.Open(clock.New()), cfg) })
			notAccused(t, r, s.Owes, s.Unsaid, strings.HasPrefix(s.Name, "no-"))
		})
	}
}

// doorTags are checks of what every service owes, by which a private one is judged through the door: of events, queries, pushes,
// fetches, pages and protected events.
const doorTags = "@N01-EV-01 or @N01-REQ-01.kinds or @N01-CNT-01 or @N42-01 or @N42-01.faulty or @N70-01 or @N70-01.other or @G01-ANN-01 or @G01-ANN-02 " +
	"or @G01-PUSH-01 or @G01-PUSH-02 or @G01-PURG-07 or @G01-PURG-08 or @G01-GIT-03 or @G01-GIT-10 or @G01-HEAD-01 or @G01-PR-01 or @G01-WEB-01 or @G01-CORS-01 or @N77-01"

// Private services of their own makes are not accused of anything through the door either, and nothing is left undecided: the two keys
// of members that their judge has open it.
func TestLegalKinThroughTheDoor(t *testing.T) {
	if testing.Short() {
		t.Skip("many servers, one like the other to the race detector: -short leaves them to the run without it")
	}
	for _, s := range legal.Kin() {
		if !strings.HasPrefix(s.Name, "members-") {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			cfg := suite.Config{Parallel: 4, Tags: doorTags, Keys: keysOf(t, s.Members), AllowHostile: true, Write: true}
			var r *suite.Result
			synctest.Test(t, func(t *testing.T) { r = judge(t, s.Open(clock.New()), cfg) })
			notAccused(t, r, nil, nil, false)
		})
	}
}

// The same of servers that need others: their time is that of a simulated world, in which git hosts and relays can be had.
func TestLegalArchivesAndPluses(t *testing.T) {
	if testing.Short() {
		t.Skip("virtual time runs on one thread: -short leaves it to the run without the race detector")
	}
	for _, s := range slices.Concat(legal.Archives(), legal.Pluses()) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			on := s.Open()
			r := judge(t, abroad{timed{outsider{on, on, on, on}, on}, on}, suite.Config{ID: s.Rows, Keys: keysOf(t, s.Keys), Write: true, TimeBudget: legalBudget * 5})
			notAccused(t, r, s.Owes, s.Unsaid, s.Unlisted)
		})
	}
}

// Abroad is an outsider that reaches relays of its judge, too.
type abroad struct {
	timed
	target.Relays
}

// Reachback implements target.Hosts and target.Relays.
func (a abroad) Reachback() bool { return a.Relays.Reachback() }

// keysOf are the keys of a tester.
func keysOf(t *testing.T, secrets []string) (keys []client.Key) {
	t.Helper()
	for i, secret := range secrets {
		key, err := client.ParseKey(fmt.Sprint("member ", i+1), secret)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	return keys
}

// notAccused judges a run of a server that breaks no rule. Nothing of it is undecided but what rests on rows of which nothing can be
// said; one that does nothing of what the rows are about is judged by none of them that has a condition.
func notAccused(t *testing.T, r *suite.Result, owes map[string]string, unsaid []string, unlisted bool) {
	t.Helper()
	judged := 0
	for _, c := range r.Checks {
		silent := slices.Contains(unsaid, c.Check.Requirements[0])
		switch f := c.Findings[0]; {
		case owes[f.ID] != "":
		case f.Verdict.Violated() || f.Verdict == suite.Observed && f.Reason != "":
			t.Errorf("%s: accused: %s %s", c.Check.ID, f.Verdict, f.Reason)
		case f.Verdict.Undecided() && !silent:
			t.Errorf("%s: undecided: %s %s", c.Check.ID, f.Verdict, f.Reason)
		case f.Verdict.Verified():
			judged++
		default:
			t.Logf("%s: %s %s", c.Check.ID, f.Verdict, f.Reason)
		}
	}
	if judged == 0 && len(unsaid) == 0 && !unlisted {
		t.Error("nothing is judged")
	}
	t.Logf("%d of %d checks judged", judged, len(r.Checks))
}

// What the places show of pushes to repositories is recorded, and differs between servers that both are right.
func TestCopiesAtPlacesAreRecorded(t *testing.T) {
	said := map[string]string{}
	for _, s := range legal.Kin() {
		if s.Name != "places-with-copies" && s.Name != "places-below-a-path" {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			for _, c := range judge(t, s.Open(clock.New()), suite.Config{Tags: "@G06-MIR-02"}).Checks {
				said[s.Name] = fmt.Sprint(c.Verdict, " ", c.Notes)
			}
		})
	}
	if len(said) != 2 || said["places-with-copies"] == said["places-below-a-path"] {
		t.Errorf("got %q, want another record where there are copies", said)
	}
}
