//go:build unix

package judgetest

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// What a judged mutant is told by the test that starts it.
var (
	judgedBy = flag.String("mutant.features", "", "judge this process by these feature files, with commas between them")
	judgedTo = flag.String("mutant.verdict", "", "file for the verdict")
)

// The ends of a mutant.
const (
	endFound     = "found"     // a row is violated that holds on the honest server
	endPanic     = "panic"     // the server panics
	endHang      = "hang"      // the server does not come to an end
	endUndecided = "undecided" // nothing is violated, and a check that holds on the honest server proves nothing any more
	endSurvived  = "survived"  // every check ends as on the honest server
	endUnreached = "unreached" // no check makes the server come by the place
)

// A judgement is what the suite says of one mutant.
type judgement struct {
	End     string `json:"end"`
	Feature string `json:"feature,omitempty"` // that ended it
	Check   string `json:"check,omitempty"`
	Row     string `json:"row,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// Bounds of a judged mutant. The honest server needs a twentieth of the memory, and a fifth of the time for the feature file
// that takes most.
const (
	memoryMax    = 2 << 30
	processorMax = 20 * time.Second // for one feature file; time of the processor, so that a busy machine makes no hang
)

// What a judged mutant dies of that comes to no end.
const (
	diesOfMemory = "the server takes memory without end"
	diesOfTime   = "the server takes time without end"
)

// TestJudgedMutant judges the server that this process is, feature file by feature file, each on a server of its own in
// virtual time, until the first violation.
func TestJudgedMutant(t *testing.T) {
	if *judgedBy == "" {
		t.Skip("the tests of mutants start it in a process of its own")
	}
	var began atomic.Int64 // processor time at which the feature file was begun
	go func() {
		for range time.Tick(200 * time.Millisecond) {
			var m runtime.MemStats
			if runtime.ReadMemStats(&m); m.HeapAlloc > memoryMax {
				panic(diesOfMemory)
			}
			if processorTime() > time.Duration(began.Load())+processorMax {
				panic(diesOfTime)
			}
		}
	}()
	verdict := judgement{End: endSurvived}
	for name := range strings.SplitSeq(*judgedBy, ",") {
		began.Store(int64(processorTime()))
		next := judgeByOne(t, name)
		if next.End != endSurvived && verdict.End == endSurvived || next.End == endFound || next.End == endPanic {
			verdict = next
		}
		if verdict.End == endFound || verdict.End == endPanic {
			break
		}
	}
	text, err := json.Marshal(verdict)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*judgedTo, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// processorTime is what this process has taken so far.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic("rusage: " + err.Error())
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// judgeByOne judges the simulated server by one feature file, as a server of somebody else: rows about the reference alone
// count for nothing. It verifies every signature itself, for what does that may be what is mutated.
func judgeByOne(t *testing.T, name string) judgement { return judgeByOn(t, name, defect.Defect{}) }

// judgeByOn is judgeByOne for a server with a planted mistake.
func judgeByOn(t *testing.T, name string, on defect.Defect) judgement {
	t.Helper()
	file, reciprocal := strings.CutSuffix(name, asReciprocal)
	text, err := fs.ReadFile(features.FS, file)
	if err != nil {
		t.Fatal(err)
	}
	cfg := suite.Config{Features: fstest.MapFS{file: {Data: text}}, Model: "legacy", Seed: "judgetest", Apart: offering(on)}
	if reciprocal {
		cfg.Model = "reciprocal"
		on.Config = func(c *core.Config) { c.Model = repo.Reciprocal }
	}
	result, err := suite.Run(t.Context(), simulatedTrusting(with(on, contributes), nil), cfg)
	if err != nil {
		t.Fatal(err)
	}
	verdict := judgement{End: endSurvived, Feature: name}
	if result.Down != "" {
		verdict.End, verdict.Reason = endUndecided, "down: "+result.Down
	}
	for _, r := range result.Requirements { // what the run itself has seen
		if r.Checks == 0 && r.Verdict.Violated() && !ofReference(r.Requirement) {
			return judgement{endFound, name, "", r.Requirement.ID, string(r.Verdict) + ": " + r.Reason}
		}
	}
	for _, c := range result.Checks {
		if !forForeign(c.Check) {
			continue
		}
		for _, f := range c.Findings {
			if row, known := spec.Lookup(f.ID); (f.Verdict.Violated() || notKept(c, f)) && known && !ofReference(row) {
				return judgement{endFound, name, c.Check.ID, f.ID, string(f.Verdict) + ": " + f.Reason}
			}
		}
		switch {
		case c.Verdict == suite.HarnessError && strings.Contains(c.Reason, "goroutine "):
			return judgement{endPanic, name, c.Check.ID, "", firstLine(c.Reason)}
		case c.Verdict.Undecided() && verdict.End == endSurvived:
			verdict = judgement{endUndecided, name, c.Check.ID, c.Check.Requirements[0], fmt.Sprintf("%s: %s", c.Verdict, firstLine(c.Reason))}
		}
	}
	return verdict
}

// forForeign reports whether a check is made for servers of other people too.
func forForeign(c features.Check) bool {
	row, known := spec.Lookup(c.Requirements[0])
	return known && !ofReference(row) && !c.Has("sim-only")
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// asReciprocal ends the name of a feature file by which a server is judged that follows the reciprocal model.
const asReciprocal = " (reciprocal)"

// foreignFeatures lists the feature files that have a check for servers of other people; that of maintainers twice, for
// both models.
func foreignFeatures(t *testing.T) []string {
	t.Helper()
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range checks {
		if forForeign(c) && !slices.Contains(names, c.File) {
			names = append(names, c.File)
		}
		if again := c.File + asReciprocal; c.Has("G01-MNT-06") && !slices.Contains(names, again) {
			names = append(names, again)
		}
	}
	return names
}
