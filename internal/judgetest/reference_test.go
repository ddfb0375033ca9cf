package judgetest

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/core"
)

// The reference keeps every MUST and SHOULD that has a check in both worlds, with nothing blocked, and the same check ends
// with the same verdict in each. In memory it is judged by a sixth of the checks, and on git by a quarter of them, by others with each
// seed; with -full by all.
func TestReferenceIsConformant(t *testing.T) {
	contributes := core.Config{Contributions: core.ContributionConfig{On: true}} // whose rows are judged where they are listed
	contributing := defect.Defect{Config: func(c *core.Config) { c.Contributions = contributes.Contributions }}
	worlds := []struct {
		name  string
		open  func(t *testing.T) target.Target
		fresh func(context.Context) (target.Target, func() error, error) // nil: one target for all checks
	}{
		{"sim", func(*testing.T) target.Target { return simulated(contributing) }, fresh(contributing)},
		{"serve on memory", func(t *testing.T) target.Target {
			return served(t, servetarget.Options{Backend: servetarget.BackendMemory, Core: contributes})
		}, nil},
		{"serve on disk", func(t *testing.T) target.Target {
			return served(t, servetarget.Options{Backend: servetarget.BackendDisk, Core: contributes})
		}, freshServed(servetarget.Options{Backend: servetarget.BackendDisk, Core: contributes})},
		{"serve on git", func(t *testing.T) target.Target {
			if _, err := exec.LookPath("git"); err != nil {
				t.Skipf("no git on this machine: %v", err)
			}
			return served(t, servetarget.Options{Backend: servetarget.BackendExec, Core: contributes})
		}, freshServed(servetarget.Options{Backend: servetarget.BackendExec, Core: contributes})},
	}
	first := map[string]suite.Verdict{}
	for i, w := range worlds {
		t.Run(w.name, func(t *testing.T) {
			if testing.Short() && w.name != "serve on memory" {
				t.Skip("-short judges one world: the one with most goroutines for the race detector to look at")
			}
			if i > 0 {
				t.Parallel() // the simulated world is done: the others are compared with it
			}
			cfg := suite.Config{Settle: 30 * time.Second} // nobody is silent here, but five megabytes take long on a busy machine
			if testing.Short() {                          // the race detector sees the same code in every check
				cfg.Tags = "(" + strings.Join(everyThirtieth(t), " or ") + ") and not @needs:reachback and not @G01-PUSH-24"
			}
			share := map[string]uint32{"serve on memory": 6, "serve on git": 4}[w.name] // what these have of their own is in every push and fetch
			if !testing.Short() && !*full && share > 0 {
				cfg.Tags = strings.Join(someOf(t, share), " or ")
			}
			cfg.Fresh, cfg.Side = w.fresh, 2
			r := judge(t, w.open(t), cfg)
			verified(t, r)
			if cfg.Tags == "" {
				complete(t, r)
			}
			for _, c := range r.Checks {
				if c.Verdict == suite.LiveOnly {
					continue
				}
				if i == 0 {
					first[c.Check.ID] = c.Verdict
				} else if was := first[c.Check.ID]; was != "" && was != c.Verdict {
					t.Errorf("%s: got %s, but %s in the simulated world", c.Check.ID, c.Verdict, was)
				}
			}
		})
	}
}

// verified wants every check verified that applies.
func verified(t *testing.T, r *suite.Result) {
	t.Helper()
	for _, c := range r.Checks {
		left := c.Verdict == suite.NotApplicable || c.Verdict == suite.LiveOnly || c.Verdict == suite.Blocked && c.Check.Has("further")
		if !c.Verdict.Verified() && !left {
			t.Errorf("%s: %s: %s", c.Check.ID, c.Verdict, c.Reason)
		}
	}
}

// complete wants every row judged that has a check.
func complete(t *testing.T, r *suite.Result) {
	t.Helper()
	by := verdicts(r)
	for _, row := range core1(t) {
		if got := by[row.ID]; got.Verdict != suite.Pass {
			t.Errorf("%s: got %s %s, want verified", row.ID, got.Verdict, got.Reason)
		}
	}
	unchecked := withoutCheck(t, r)
	want := suite.Accounting{NotApplicable: len(unlisted) + unchecked, Planned: r.Accounting.Planned, Catalogue: len(spec.All())}
	if r.World == "sim" {
		want.Blocked = len(bare)
	}
	want.Run = want.Catalogue - want.Planned - want.NotApplicable - want.Blocked
	if r.Accounting != want {
		t.Errorf("got %+v, want every row run that has a check: %+v; blocked are %q", r.Accounting, want, blockedRows(r))
	}
	for _, id := range unlisted {
		if got := by[id]; got.Verdict != suite.NotApplicable {
			t.Errorf("%s: got %s, want its condition not to hold", id, got.Verdict)
		}
	}
	if len(r.Checks) < 70 {
		t.Errorf("got %d checks, want at least 70", len(r.Checks))
	}
}

// everyThirtieth are the tags of a thirtieth of the checks.
func everyThirtieth(t *testing.T) []string {
	t.Helper()
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for i, c := range checks {
		if i%30 == 0 && !slices.Contains(tags, tagOf(c)) {
			tags = append(tags, tagOf(c))
		}
	}
	return tags
}

// someOf are the tags of one of so many checks, of others with each seed.
func someOf(t *testing.T, share uint32) []string {
	t.Helper()
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for _, c := range checks {
		if tag := tagOf(c); drawnOf(share, seedOfRun(), tag) && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}

func blockedRows(r *suite.Result) (ids []string) {
	for _, q := range r.Requirements {
		if q.Verdict.NotRun() {
			ids = append(ids, q.Requirement.ID)
		}
	}
	return ids
}

// unlisted are the rows that speak of private services, of archives and of sync plus only, which the reference does not offer here (there are
// tests of their own for each), or of proof of work, which it does not ask for.
var unlisted = []string{
	"G01-N11-09", "G01-CORS-06", "N98-01", "N13-01",
	"G03-01", "G03-02", "G03-03", "G03-04", "G03-06",
	"G05-01", "G05-02", "G05-03", "G05-04", "G05-05", "G05-06", "G05-07",
	"G08-01", "G08-02", "G08-03", "G08-04", "G08-05", "G08-06", "G08-07", "G08-08", "G08-10", "G08-12", "G08-14", "G08-15",
}

// bare are the rows that need bare connections, which a simulated world has not.
var bare = []string{"SEC-08"}

func core1(t *testing.T) []spec.Requirement {
	t.Helper()
	rows, ok := spec.Profile("core-1")
	if !ok {
		t.Fatal("no profile core-1")
	}
	return rows
}
