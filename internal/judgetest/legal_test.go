package judgetest

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/report"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/legal"
)

const (
	// legalShare is which share of the checks a legal server is judged by without -full, beside those that name it: one
	// of so many. Each server draws its own.
	legalShare = 20
	// legalBudget is the time budget of a run: more than any check waits for, for it costs nothing.
	legalBudget = 36 * time.Minute
	// bulky are the checks that cost more than all others together, and tell no legal server from another.
	bulky = "not @G01-PUSH-24 and not @N77-05 and not @G01-GIT-19.large and not @G01-PURG-23 and not @SEC-07"
)

// legalInto is a folder where TestLegalServers writes what was said of each server.
var legalInto = flag.String("legal-into", "", "write what is said of each legal server to a file in this `folder`")

// Servers that break no rule are not accused: what the suite says against them is in the list of what it still gets wrong,
// and what is in that list it still says.
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
			cfg := suite.Config{Parallel: 4, TimeBudget: legalBudget, Model: s.Model, Tags: bulky}
			if !*full {
				cfg.Tags = "(" + strings.Join(sampled(s, checks), " or ") + ") and " + bulky
			}
			var r *suite.Result
			synctest.Test(t, func(t *testing.T) { r = judge(t, s.Open(clock.New()), cfg) })
			wrong := wronged(s, r)
			record(t, s, r, wrong)
			good := len(wrong) == 0 && endsWell(s, r)
			if slices.Contains(misjudged[s.Name], byTurns) {
				if *full && good {
					t.Error("nothing is wrong any more: take it from the list")
				}
				return
			}
			if *full && len(misjudged[s.Name]) == 0 && !good {
				t.Errorf("got exit code %d and %q", report.ExitCode(r, false), r.Down)
			}
			for id, why := range wrong {
				if !slices.Contains(misjudged[s.Name], id) {
					t.Errorf("%s: %s", id, why)
				}
			}
			for _, c := range r.Checks {
				if _, is := wrong[c.Check.ID]; !is && slices.Contains(misjudged[s.Name], c.Check.ID) {
					t.Errorf("%s: got %s, which is no longer wrong: take it from the list", c.Check.ID, c.Verdict)
				}
			}
		})
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

// endsWell reports whether a run ends as it does with the reference, but for what the server owes, and for what it does not
// let us write.
func endsWell(s legal.Server, r *suite.Result) bool {
	code := report.ExitCode(r, false)
	if code == report.ExitHarness {
		return !slices.ContainsFunc(r.Checks, func(c suite.CheckResult) bool {
			return c.Verdict == suite.HarnessError || c.Verdict == suite.Inconclusive || c.Verdict == suite.SetupFail || c.Verdict == suite.DependencyFail
		})
	}
	return code == 0 || code == report.ExitViolated && slices.ContainsFunc(r.Requirements, func(q suite.RequirementResult) bool {
		return q.Verdict == suite.Fail && s.Owes[q.Requirement.ID] != ""
	})
}

// sampled are the tags of the checks that a server is judged by: those of rows that it owes or that its way is about, those that are
// wrong about it, and a share of all others.
func sampled(s legal.Server, checks []features.Check) []string {
	var tags []string
	for _, c := range checks {
		h := fnv.New32a()
		_, _ = h.Write([]byte(s.Name + c.Tags[0])) // a hash takes everything
		_, owed := s.Owes[c.Requirements[0]]
		near := slices.ContainsFunc(s.Near, func(id string) bool { return strings.HasPrefix(c.Requirements[0], id) })
		if owed || near || h.Sum32()%legalShare == 0 || slices.Contains(misjudged[s.Name], c.ID) {
			tags = append(tags, c.Tags[0])
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// record writes what was said of a server, if the tester has named a folder for it.
func record(t *testing.T, s legal.Server, r *suite.Result, wrong map[string]string) {
	t.Helper()
	if *legalInto == "" {
		return
	}
	count := map[suite.Verdict]int{}
	for _, c := range r.Checks {
		count[c.Verdict]++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: exit %d, %s, down %q, wrong %d, %v, %v\n", s.Name, report.ExitCode(r, false), report.ClaimOf(r).Word, r.Down, len(wrong), count, r.Facts)
	for _, c := range r.Checks {
		if c.Verdict.Violated() || c.Verdict.Undecided() || c.Verdict == suite.Unsupported {
			_, is := wrong[c.Check.ID]
			fmt.Fprintf(&b, "%s wrong=%t %s: %s\n", c.Verdict, is, c.Check.ID, strings.ReplaceAll(c.Reason, "\n", " "))
		}
	}
	if err := os.WriteFile(filepath.Join(*legalInto, s.Name+".txt"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
