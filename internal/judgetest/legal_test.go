package judgetest

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/legal"
)

const (
	// legalShare is which share of the checks a legal server is judged by without -full, beside those of rows that it owes, and nearShare
	// which one of those that its way is about: one of so many. Each server draws its own, and each seed of a run others.
	legalShare, nearShare = 100, 5
	// legalBudget is the time budget of a run: more than any check waits for and than the slowest pace asks for, for it costs nothing.
	legalBudget = 24 * time.Hour
	// bulky are the checks that cost more than all others together, and tell no legal server from another.
	bulky = "not @G01-PUSH-24 and not @N77-05 and not @G01-GIT-19.large and not @G01-PURG-23 and not @SEC-07"
)

// legalInto is a folder where TestLegalServers writes what was said of each server.
var legalInto = flag.String("legal-into", "", "write what is said of each legal server to a file in this `folder`")

// Servers that break no rule are not accused, and a run of all checks ends well: nothing that a MUST rests on is left undecided
// because of their ways.
func TestLegalServers(t *testing.T) {
	if testing.Short() {
		t.Skip("each server is judged in virtual time, which takes minutes with the race detector")
	}
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range legal.All() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			cfg := suite.Config{Parallel: 4, TimeBudget: legalBudget, Model: s.Model, Tags: bulky, Write: true, AllowHostile: true}
			if !*full {
				cfg.Tags = "(" + strings.Join(sampled(s, checks), " or ") + ") and " + bulky
			}
			for i, secret := range s.Members {
				key, err := client.ParseKey(fmt.Sprint("member ", i+1), secret)
				if err != nil {
					t.Fatal(err)
				}
				cfg.Keys = append(cfg.Keys, key)
			}
			var r *suite.Result
			synctest.Test(t, func(t *testing.T) { r = judge(t, s.Open(clock.New()), cfg) })
			wrong := wronged(s, r)
			file(t, s, r, wrong)
			if *full && !endsWell(s, r) {
				t.Errorf("got exit code %d and %q", concluded(r).Exit, r.Down)
			}
			if *full {
				maps.Copy(wrong, undecided(s, r))
			}
			for id, why := range wrong {
				t.Errorf("%s: %s", id, why)
			}
		})
	}
}

// A server of members is judged with their keys, and without them says once why nearly nothing is.
func TestMembersAreJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("to the race detector members are like others")
	}
	all := legal.All()
	s := all[slices.IndexFunc(all, func(s legal.Server) bool { return len(s.Members) > 0 })]
	for _, keys := range [][]string{s.Members, nil} {
		cfg := suite.Config{Parallel: 4, ID: "G01-PUSH-0"}
		for _, secret := range keys {
			key, err := client.ParseKey("member", secret)
			if err != nil {
				t.Fatal(err)
			}
			cfg.Keys = append(cfg.Keys, key)
		}
		var r *suite.Result
		synctest.Test(t, func(t *testing.T) { r = judge(t, s.Open(clock.New()), cfg) })
		count, told := map[suite.Verdict]int{}, 0
		for _, c := range r.Checks {
			count[c.Verdict]++
		}
		for _, fact := range r.Facts {
			if strings.HasPrefix(fact, "policy: ") {
				told++
			}
		}
		switch {
		case len(keys) > 0 && (count[suite.Pass]+count[suite.Blocked]+count[suite.NotApplicable] != len(r.Checks) || count[suite.NotApplicable] > 1 || told != 0):
			t.Errorf("with keys: got %v and %q", count, r.Facts)
		case len(keys) == 0 && (count[suite.Unsupported] == 0 || count[suite.Pass] > 0 || told != 1 || len(wronged(s, r)) > 0):
			t.Errorf("without keys: got %v and %q", count, r.Facts)
		}
	}
}

// wronged are the checks by whose verdict a legal server is accused of what it does not owe, with what they say.
func wronged(s legal.Server, r *suite.Result) map[string]string {
	wrong := map[string]string{}
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			_, owed := s.Owes[f.ID]
			if (f.Verdict.Violated() || f.Verdict == suite.HarnessError) && !owed {
				wrong[c.Check.ID] = fmt.Sprintf("%s of %s: %s", f.Verdict, f.ID, f.Reason)
			}
		}
	}
	return wrong
}

// undecided are the checks of which a run says nothing because of the ways of a server, but for those that rest on what it owes.
func undecided(s legal.Server, r *suite.Result) map[string]string {
	open := map[string]string{}
	for _, c := range r.Checks {
		owed := s.Owes[c.Cause] != "" || slices.ContainsFunc(c.Check.Requirements, func(id string) bool { return s.Owes[id] != "" })
		if c.Verdict.Undecided() && !owed {
			open[c.Check.ID] = fmt.Sprintf("%s: %s", c.Verdict, c.Reason)
		}
	}
	return open
}

// concluded is what a run comes to.
func concluded(r *suite.Result) record.Run { return record.Of(record.Execution{}, r).Runs[0] }

// endsWell reports whether a run ends as it does with the reference, but for what the server owes, and for what it does not
// let us write.
func endsWell(s legal.Server, r *suite.Result) bool {
	for _, q := range r.Requirements {
		if q.Verdict.Violated() && s.Owes[q.Requirement.ID] == "" {
			return false
		}
	}
	switch concluded(r).Exit {
	case record.ExitHarness:
		return len(undecided(s, r)) == 0
	case record.ExitViolated:
		return len(s.Owes) > 0
	}
	return true
}

// sampled are the tags of the checks that a server is judged by: those of rows that it owes, a share of those that its way is about, and a
// smaller one of all others.
func sampled(s legal.Server, checks []features.Check) []string {
	var tags []string
	for _, c := range checks {
		_, owed := s.Owes[c.Requirements[0]]
		near := slices.ContainsFunc(s.Near, func(id string) bool { return strings.HasPrefix(c.Requirements[0], id) || strings.HasPrefix(c.ID, id) })
		share := uint32(legalShare)
		if near {
			share = nearShare
		}
		if owed || drawnOf(share, seedOfRun(), s.Name+c.Tags[0]) {
			tags = append(tags, c.Tags[0])
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// file writes what was said of a server, if the tester has named a folder for it.
func file(t *testing.T, s legal.Server, r *suite.Result, wrong map[string]string) {
	t.Helper()
	if *legalInto == "" {
		return
	}
	count := map[suite.Verdict]int{}
	for _, c := range r.Checks {
		count[c.Verdict]++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: exit %d, %s, down %q, wrong %d, %v, %v\n", s.Name, concluded(r).Exit, concluded(r).Conformance, r.Down, len(wrong), count, r.Facts)
	for _, c := range r.Checks {
		if c.Verdict.Violated() || c.Verdict.Undecided() || c.Verdict == suite.Unsupported || c.Verdict == suite.Blocked {
			_, is := wrong[c.Check.ID]
			fmt.Fprintf(&b, "%s wrong=%t %s: %s\n", c.Verdict, is, c.Check.ID, strings.ReplaceAll(c.Reason, "\n", " "))
		}
	}
	if err := os.WriteFile(filepath.Join(*legalInto, s.Name+".txt"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
