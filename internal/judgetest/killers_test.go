package judgetest

import (
	"bufio"
	"os"
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
	"github.com/graspkit/graspkit/reference/repo"
)

// killersFile has a line for each check that a mistake violates which is planted for another row: the check and the mistake,
// sorted.
const killersFile = "testdata/killers.txt"

// A killing run is one mistake, the text and the model that ask for the rows, and whether real sockets are needed.
type killingRun struct {
	mistake string
	lineage spec.Lineage
	model   string
	sockets bool
}

// Each mistake violates the checks that the list says, beside those of its own row.
func TestKillersKill(t *testing.T) {
	if testing.Short() {
		t.Skip("each mistake is judged on one thread in virtual time, which takes minutes with the race detector")
	}
	for run, checks := range readKillers(t) {
		t.Run(run.mistake, func(t *testing.T) {
			t.Parallel()
			d, ok := defect.Lookup(run.mistake)
			if !ok {
				t.Fatal("the mistake cannot be planted")
			}
			if run.model != "" {
				d.Config = reciprocal(d.Config)
			}
			var on target.Target = simulated(d)
			if run.sockets {
				reference, is := served(t, servetarget.Options{Backend: servetarget.BackendMemory, Defect: d}).(ours)
				if !is {
					t.Fatal("the served reference lacks a power")
				}
				on = atDoor(reference, d)
			}
			var tags []string
			for _, c := range checks {
				tags = append(tags, tagOf(c))
			}
			slices.Sort(tags)
			result := judge(t, on, suite.Config{
				Tags: strings.Join(slices.Compact(tags), " or "), Lineage: run.lineage, Model: run.model, Write: true, AllowHostile: true, Heavy: true, TimeBudget: 2 * time.Hour,
			})
			killers.also(run.mistake, result)
			for _, c := range checks {
				at := slices.IndexFunc(result.Checks, func(r suite.CheckResult) bool { return r.Check.ID == c.ID })
				if at < 0 {
					t.Errorf("%s: got no result", c.ID)
				} else if got := result.Checks[at]; !got.Verdict.Violated() {
					t.Errorf("%s: got %s %s, want it violated, or off %s", c.ID, got.Verdict, got.Reason, killersFile)
				}
			}
		})
	}
}

// tagOf is the tag that a check has its id from, without the word of a row of examples.
func tagOf(c features.Check) string {
	best := ""
	for _, tag := range c.Tags {
		if len(tag) > len(best) && strings.HasPrefix("@"+c.ID+".", tag+".") {
			best = tag
		}
	}
	return best
}

// readKillers reads the list.
func readKillers(t *testing.T) map[killingRun][]features.Check {
	t.Helper()
	all, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(killersFile)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	runs := make(map[killingRun][]features.Check)
	last := ""
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		if line <= last {
			t.Errorf("%s: %q does not come behind %q", killersFile, line, last)
		}
		last = line
		id, mistake, _ := strings.Cut(line, " ")
		at := slices.IndexFunc(all, func(c features.Check) bool { return c.ID == id })
		if at < 0 {
			t.Errorf("%s: %s is no check", killersFile, id)
			continue
		}
		run := killingRun{mistake, lineageOf(all[at].Requirements[0]), "", socketsOnly(all[at])}
		if all[at].Has("needs:two-sided") {
			run.model = "reciprocal"
		}
		runs[run] = append(runs[run], all[at])
	}
	return runs
}

// socketsOnly reports whether a check needs real sockets: stock git is a program of its own.
func socketsOnly(c features.Check) bool { return c.Has("client:git") }

// reciprocal makes maintainers list back.
func reciprocal(config func(*core.Config)) func(*core.Config) {
	return func(c *core.Config) {
		if config != nil {
			config(c)
		}
		c.Model = repo.Reciprocal
	}
}
