//go:build unix

package findtest

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/sim"
)

// What a process that makes runs is told by the test that starts it.
var (
	runsOf    = flag.String("runs", "", "make the runs that this `file` lists, until one is violated")
	runsTo    = flag.String("runs.verdict", "", "`file` for the verdict")
	runsWrong = flag.String("runs.defect", "", "plant the defect of this `name`")
)

// An errand is what a process is to do.
type errand struct {
	Runs []oneRun      `json:"runs"`
	Max  time.Duration `json:"max"` // processor time of all runs; none is begun afterwards
}

// A oneRun is a run, with what is known of it on the honest server.
type oneRun struct {
	World string        `json:"world"`
	Seed  uint64        `json:"seed"`
	Trace string        `json:"trace"` // hash; nothing if it is not known
	Took  time.Duration `json:"took"`  // processor time
}

// String is how a report names the run.
func (r oneRun) String() string { return fmt.Sprintf("%s --seed %d", r.World, r.Seed) }

// file is its part of the name of a file.
func (r oneRun) file() string {
	return fmt.Sprintf("%s-%d", strings.ReplaceAll(r.World, "/", "-"), r.Seed)
}

// The ends of a mistake.
const (
	endSeen      = "seen"      // an invariant or the model speaks
	endPanic     = "panic"     // the core panics, or the process dies
	endHang      = "hang"      // the core comes to no end
	endNoRun     = "no run"    // no server starts, or the simulator finds another fault with it
	endUnseen    = "unseen"    // runs differ from those of the honest server, and nothing speaks
	endSame      = "same"      // no run differs
	endUnreached = "unreached" // no run comes by the place
)

// A verdict is what the runs say of one mistake.
type verdict struct {
	End       string        `json:"end"`
	Run       string        `json:"run,omitempty"`       // that ended it, or the first that differs
	Violation string        `json:"violation,omitempty"` // its id and its code
	Detail    string        `json:"detail,omitempty"`
	Runs      int           `json:"runs"`             // that were made
	Differ    int           `json:"differ,omitempty"` // of them, from those of the honest server
	Took      time.Duration `json:"took"`             // processor time
	Trace     string        `json:"trace,omitempty"`  // of the last run
}

// Bounds of a run. The honest server needs a fifth of the memory; a run that takes ten times as long as on the honest server,
// and these seconds at least, comes to no end.
const (
	memoryMax  = 2 << 30
	runAtLeast = 10 * time.Second
)

// What a process dies of whose run comes to no end.
const (
	diesOfMemory = "the run takes memory without end"
	diesOfTime   = "the run takes time without end"
)

// TestRuns makes the runs of an errand on the server that this process is, until the first violation.
func TestRuns(t *testing.T) {
	if *runsOf == "" {
		t.Skip("the tests of mistakes start it in a process of its own")
	}
	text, err := os.ReadFile(*runsOf)
	if err != nil {
		t.Fatal(err)
	}
	var e errand
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	var until atomic.Int64 // processor time at which the run has come to no end
	until.Store(int64(runAtLeast))
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			var m runtime.MemStats
			if runtime.ReadMemStats(&m); m.HeapAlloc > memoryMax {
				panic(diesOfMemory)
			}
			if int64(processorTime()) > until.Load() {
				panic(diesOfTime)
			}
		}
	}()
	v := verdict{End: endSame}
	began := processorTime()
	for _, r := range e.Runs {
		if processorTime()-began+r.Took > e.Max {
			continue
		}
		fmt.Printf("run %v\n", r) // for whoever started this, should the process die
		until.Store(int64(processorTime() + max(runAtLeast, 10*r.Took)))
		v.make(t, r)
		if v.End == endSeen || v.End == endPanic || v.End == endNoRun {
			break
		}
	}
	v.Took = processorTime() - began
	if text, err = json.Marshal(v); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*runsTo, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// make makes one run.
func (v *verdict) make(t *testing.T, r oneRun) {
	t.Helper()
	s, err := world(r.World, r.Seed)
	if err != nil {
		t.Fatal(err)
	}
	o, err := sim.Run(s, r.Seed, planted(t))
	v.Runs++
	if err != nil {
		v.End, v.Run, v.Violation, v.Detail = endNoRun, r.String(), "no run", err.Error()
		return
	}
	v.Trace = o.Trace
	if len(o.Violations) > 0 {
		first := o.Violations[0]
		v.End, v.Run, v.Violation, v.Detail = endSeen, r.String(), first.ID+" "+first.Code, first.Detail
		if first.ID == "PANIC" {
			v.End = endPanic
		}
		return
	}
	if r.Trace != "" && r.Trace != o.Trace {
		if v.Differ++; v.Differ == 1 {
			v.End, v.Run = endUnseen, r.String()
		}
	}
}

// planted are the options of a run with the defect that was asked for, on all its servers.
func planted(t *testing.T) sim.Options {
	t.Helper()
	if *runsWrong == "" {
		return sim.Options{}
	}
	d, known := defect.Lookup(*runsWrong)
	if !known {
		t.Fatalf("no defect is called %s", *runsWrong)
	}
	return sim.Options{
		Wrap: func(_ int, m core.Machine) core.Machine { return d.Frank(m) },
		Config: func(_ int, c *core.Config) {
			if d.Config != nil {
				d.Config(c)
			}
		},
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
