//go:build unix

package findtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/graspkit/graspkit/internal/mutate"
)

// stuckAfter bounds how long a process may do nothing at all.
const stuckAfter = 10 * time.Minute

// honestMax bounds a run of the honest server, which takes longer the first time, for it writes down which points it comes by.
const honestMax = 2 * time.Minute

// A program is this test with other sources, in a folder of its own. What its runs came to is kept there, so that who was
// interrupted goes on where that was; another program in the same folder begins anew.
type program struct {
	dir    string
	points []mutate.Point
	runs   []oneRun         // of the honest server, in the order in which they are tried
	reach  map[int][]oneRun // those of them that come by each point
}

func (p *program) path(name string) string { return filepath.Join(p.dir, name) }

// newProgram makes, or finds, the folder of a program below that of the report.
func newProgram(t *testing.T, name string) *program {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(*findOut, "work", name))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &program{dir: dir, reach: map[int][]oneRun{}}
}

// build builds the program with other sources in the place of some.
func (p *program) build(t *testing.T, overlay string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", p.path("program"), ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build with other sources: %v\n%s", err, out)
	}
	if err := p.forgetOthers(); err != nil {
		t.Fatal(err)
	}
}

// buildMutants builds the program that can be every mutant of the packages that the patterns name.
func buildMutants(t *testing.T, patterns ...string) *program {
	t.Helper()
	p := newProgram(t, "mutants")
	overlay, points, err := mutate.Build("../..", p.dir, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	p.points = points
	p.build(t, overlay)
	return p
}

// run has a process go on an errand, as the mutant of that number or with the defect of that name, unless it has been there.
func (p *program) run(ctx context.Context, name string, number int, e errand, env ...string) verdict {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stuckAfter)
	defer cancel()
	text, err := json.Marshal(e)
	if err != nil {
		return verdict{End: endPanic, Detail: "errand: " + err.Error()}
	}
	file := p.path(strings.ReplaceAll(fmt.Sprint(ofErrand, name, "-", number, strings.Join(env, "")), "/", "_"))
	if v, known := endOf(file, text); known {
		return v
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return verdict{End: endPanic, Detail: "errand: " + err.Error()}
	}
	cmd := exec.CommandContext(ctx, p.path("program"), "-test.run", "^TestRuns$", "-test.timeout", "0",
		"-runs", file, "-runs.verdict", file+".verdict", "-runs.defect", name)
	cmd.Env = append(os.Environ(), mutate.ActiveEnv+"="+strconv.Itoa(number), "GOMAXPROCS=1", "GOGC=400")
	cmd.Env = append(cmd.Env, env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	failed := cmd.Run()
	v := p.verdictOf(ctx, cmd, out.String(), failed, file+".verdict")
	if cmd.ProcessState.Exited() || ctx.Err() != nil { // else somebody has interrupted it
		keepEnd(file, v)
	}
	return v
}

// verdictOf says how a process ended that went on an errand.
func (p *program) verdictOf(ctx context.Context, cmd *exec.Cmd, said string, failed error, file string) verdict {
	v := verdict{Run: lastRun(said), Took: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	switch {
	case ctx.Err() != nil:
		v.End, v.Violation, v.Detail = endHang, "no end", fmt.Sprintf("no end after %v", v.Took.Round(time.Second))
		return v
	case strings.Contains(said, "panic: "+diesOfTime) || strings.Contains(said, "panic: "+diesOfMemory):
		v.End, v.Violation, v.Detail = endHang, "no end", panicOf(said)
		return v
	}
	text, err := os.ReadFile(file)
	if err == nil {
		v = verdict{}
		err = json.Unmarshal(text, &v)
	}
	if err = errors.Join(err, failed); err != nil {
		v.Run = lastRun(said)
		v.End, v.Violation, v.Detail = endPanic, "the process died", panicOf(said)
	}
	return v
}

// lastRun is the run that a process was about when it ended.
func lastRun(out string) string {
	last := ""
	for line := range strings.Lines(out) {
		if run, is := strings.CutPrefix(line, "run "); is {
			last = strings.TrimSpace(run)
		}
	}
	return last
}

// panicOf finds in the output of a process what it died of.
func panicOf(out string) string {
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
			return strings.TrimSpace(line)
		}
	}
	return out
}

// observe makes all runs on the honest server, some at a time, and learns which points each comes by. A run that is violated
// without a mistake is told, and left out.
func (p *program) observe(t *testing.T, workers int, worlds []setting) {
	t.Helper()
	seen := make([][]oneRun, len(worlds))
	var mu sync.Mutex
	each(workers, len(worlds), func(i int) {
		var all time.Duration
		for seed := uint64(1); seed <= seedsMax && all < min(worldMax, *findMax); seed++ {
			r := oneRun{World: worlds[i].name, Seed: worlds[i].without + seed}
			reached := p.path(ofReached + r.file())
			unhurried := r // what it takes is not known yet
			unhurried.Took = honestMax / 10
			v := p.run(t.Context(), "", 0, errand{Runs: []oneRun{unhurried}, Max: stuckAfter}, mutate.ReachedEnv+"="+reached)
			all += v.Took
			if v.End != endSame {
				t.Errorf("the honest server in %v: got %s %s %s, want nothing found", r, v.End, v.Violation, v.Detail)
				continue
			}
			r.Trace, r.Took = v.Trace, v.Took
			mu.Lock()
			seen[i] = append(seen[i], r)
			mu.Unlock()
		}
	})
	for _, small := range []bool{true, false} {
		for seed := range uint64(seedsMax) {
			for i := range worlds {
				for _, r := range seen[i] {
					if worlds[i].small == small && r.Seed == worlds[i].without+seed+1 {
						p.came(t, r, p.path(ofReached+r.file()))
					}
				}
			}
		}
	}
}

// came adds a run behind the others, and to the points that it came by.
func (p *program) came(t *testing.T, r oneRun, reached string) {
	t.Helper()
	p.runs = append(p.runs, r)
	text, err := os.ReadFile(reached)
	if errors.Is(err, os.ErrNotExist) {
		return // of a build without points
	}
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{} // who was interrupted has begun the list twice
	for line := range strings.Lines(string(text)) {
		n, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		if !seen[n] {
			p.reach[n] = append(p.reach[n], r)
		}
		seen[n] = true
	}
}

// each calls do with the numbers below n, some at a time.
func each(workers, n int, do func(i int)) {
	queue := make(chan int, n)
	for i := range n {
		queue <- i
	}
	close(queue)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range queue {
				do(i)
			}
		})
	}
	group.Wait()
}
