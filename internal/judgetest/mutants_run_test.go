//go:build unix

package judgetest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/graspkit/graspkit/internal/mutate"
)

// A mutantProgram is this test as a program that can be any mutant of some packages.
type mutantProgram struct {
	dir    string // with the program and what it writes
	points []mutate.Point
	reach  map[int][]string         // the feature files that come by each point, the quickest first
	took   map[string]time.Duration // processor time of each feature file on the honest server
}

// stuckAfter bounds how long a mutant may do nothing at all.
const stuckAfter = 10 * time.Minute

// buildMutants builds the program of the packages that the patterns name.
func buildMutants(t *testing.T, patterns ...string) *mutantProgram {
	t.Helper()
	p := &mutantProgram{dir: t.TempDir(), reach: map[int][]string{}, took: map[string]time.Duration{}}
	overlay, points, err := mutate.Build("../..", p.dir, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	p.points = points
	buildOver(t, overlay, p.path("program"))
	return p
}

func (p *mutantProgram) path(name string) string { return filepath.Join(p.dir, name) }

// observe judges the honest server by each of the feature files, and learns which points it comes by in it.
func (p *mutantProgram) observe(t *testing.T, names []string) {
	t.Helper()
	for i, name := range names {
		reached := p.path("reached" + strconv.Itoa(i))
		verdict, took := p.judge(t.Context(), 0, []string{name}, mutate.ReachedEnv+"="+reached)
		if verdict.End != endSurvived {
			t.Fatalf("the honest server in %s: got %+v, want nothing found", name, verdict)
		}
		p.took[name] = took
		file, err := os.Open(reached)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(file); lines.Scan(); {
			n, err := strconv.Atoi(lines.Text())
			if err != nil {
				t.Fatal(err)
			}
			p.reach[n] = append(p.reach[n], name)
		}
		file.Close()
	}
	for _, list := range p.reach {
		slices.SortStableFunc(list, func(a, b string) int { return int(p.took[a] - p.took[b]) })
	}
}

// judge judges one mutant by feature files, and returns the processor time that it took. What a check cannot tell apart
// from the honest server, because it does not come by the point, is left out.
func (p *mutantProgram) judge(ctx context.Context, number int, names []string, env ...string) (judgement, time.Duration) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stuckAfter)
	defer cancel()
	file := p.path("verdict" + strconv.Itoa(number))
	cmd := exec.CommandContext(ctx, p.path("program"), "-test.run", "^TestJudgedMutant$",
		"-mutant.features", strings.Join(names, ","), "-mutant.verdict", file)
	cmd.Env = append(os.Environ(), mutate.ActiveEnv+"="+strconv.Itoa(number), "GOMAXPROCS=1", "GOGC=400")
	cmd.Env = append(cmd.Env, env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	failed := cmd.Run()
	took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	text, err := os.ReadFile(file)
	var verdict judgement
	switch {
	case ctx.Err() != nil:
		return judgement{End: endHang, Reason: fmt.Sprintf("no end after %v", took.Round(time.Second))}, took
	case strings.Contains(out.String(), "panic: "+diesOfTime) || strings.Contains(out.String(), "panic: "+diesOfMemory):
		return judgement{End: endHang, Reason: panicOf(out.String())}, took
	case err != nil || failed != nil:
		return judgement{End: endPanic, Reason: panicOf(out.String())}, took
	}
	if err := json.Unmarshal(text, &verdict); err != nil {
		return judgement{End: endPanic, Reason: "verdict: " + err.Error()}, took
	}
	return verdict, took
}

// panicOf finds in the output of a process what it died of.
func panicOf(out string) string {
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
			return strings.TrimSpace(line)
		}
	}
	return firstLine(out)
}

// A judgedMutant is a mutant with its end.
type judgedMutant struct {
	mutate.Point
	judgement
	Took time.Duration
}

// judgeAll judges mutants, some at a time, and tells of each as it ends. It stops starting new ones when ctx ends. The
// feature files that have found most mutants of the same file are the first to judge.
func (p *mutantProgram) judgeAll(ctx context.Context, points []mutate.Point, workers int, tell func(judgedMutant)) []judgedMutant {
	queue := make(chan mutate.Point, len(points))
	for _, point := range points {
		queue <- point
	}
	close(queue)
	var mu sync.Mutex
	var all []judgedMutant
	finders := map[string]map[string]int{} // how many mutants of a file each feature file has found; guarded by mu
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for point := range queue {
				if ctx.Err() != nil {
					return
				}
				m := judgedMutant{Point: point, judgement: judgement{End: endUnreached}}
				if names := slices.Clone(p.reach[point.Number]); len(names) > 0 {
					mu.Lock()
					found := maps.Clone(finders[point.File])
					mu.Unlock()
					slices.SortStableFunc(names, func(a, b string) int { return found[b] - found[a] })
					m.judgement, m.Took = p.judge(ctx, point.Number, names)
				}
				mu.Lock()
				if finders[point.File] == nil {
					finders[point.File] = map[string]int{}
				}
				finders[point.File][m.Feature]++
				all = append(all, m)
				tell(m)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	slices.SortFunc(all, func(a, b judgedMutant) int { return a.Number - b.Number })
	return all
}
