package judgetest

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// steady is how often TestSteady runs the main job.
var steady = flag.Int("steady", 0, "run the main job `N` times, half of them on a busy machine, and compare the reports")

const (
	loopsPerCore = 4                // beside every second round
	roundMax     = 20 * time.Minute // one run of the main job takes no longer, on any machine
)

// The main job says the same every time, whatever its seed and whatever else the machine does.
func TestSteady(t *testing.T) {
	if *steady == 0 {
		t.Skip("takes hours: make steady")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "grasp-check")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../cmd/grasp-check").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	var first map[string]verdict
	for round := range *steady {
		loops := round % 2 * loopsPerCore * runtime.NumCPU()
		begin := time.Now()
		got := mainJob(t, program, filepath.Join(dir, "run.json"), loops)
		if first == nil {
			first = got
			for _, world := range []string{"sim", "serve"} {
				if exit := got[world+" exit"]; exit.Verdict != "0" {
					t.Errorf("%s: exit code %s, %s", world, exit.Verdict, exit.Reason)
				}
			}
		}
		changed := 0
		for _, what := range slices.Sorted(maps.Keys(first)) {
			if got[what].Verdict != first[what].Verdict {
				changed++
				t.Errorf("round %d: %s: %s in the first round, now %s: %s", round+1, what, first[what].Verdict, got[what].Verdict, got[what].Reason)
			}
		}
		t.Logf("round %d of %d, %d busy loops, %s: %d verdicts, %d changed", round+1, *steady, loops, time.Since(begin).Round(time.Second), len(got), changed)
	}
}

// A verdict is what a report says of one check, one requirement or one target.
type verdict struct{ Verdict, Reason string }

// reported is what of a JSON report is compared.
type reported struct {
	Runs []struct {
		Target       string         `json:"target"`
		Seed         string         `json:"seed"`
		Exit         int            `json:"exit"`
		Checks       []reportedLine `json:"checks"`
		Requirements []reportedLine `json:"requirements"`
	} `json:"runs"`
}

type reportedLine struct {
	ID      string `json:"id"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
}

// mainJob judges the reference in both of its worlds, with busy loops beside, and returns what the report says.
func mainJob(t *testing.T, program, file string, loops int) map[string]verdict {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), roundMax)
	defer cancel()
	busy, rest := context.WithCancel(ctx)
	var ends []func() error
	for range loops {
		loop := exec.CommandContext(busy, "sh", "-c", `while kill -0 "$PPID"; do :; done`) // it does not outlive this test
		if err := loop.Start(); err != nil {
			t.Fatalf("busy loop: %v", err)
		}
		ends = append(ends, loop.Wait)
	}
	out, err := exec.CommandContext(ctx, program, "--json", file).CombinedOutput()
	rest()
	for _, end := range ends {
		_ = end() // it was killed
	}
	text, readErr := os.ReadFile(file)
	var doc reported
	if readErr == nil {
		readErr = json.Unmarshal(text, &doc)
	}
	if readErr != nil || len(doc.Runs) != 2 {
		t.Fatalf("the main job: %v, report of %d targets: %v\n%s", err, len(doc.Runs), readErr, out)
	}
	all := map[string]verdict{}
	for _, r := range doc.Runs {
		all[r.Target+" exit"] = verdict{fmt.Sprint(r.Exit), "seed " + r.Seed}
		for _, c := range r.Checks {
			all[r.Target+" check "+c.ID] = verdict{c.Verdict, c.Reason}
		}
		for _, q := range r.Requirements {
			all[r.Target+" requirement "+q.ID] = verdict{q.Verdict, "seed " + r.Seed}
		}
	}
	return all
}
