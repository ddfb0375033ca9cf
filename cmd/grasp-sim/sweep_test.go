package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
)

// swept makes a sweep and returns what it prints on stdout.
func swept(ctx context.Context, t *testing.T, s sweep) (string, error) {
	t.Helper()
	var stdout strings.Builder
	s.out = bufio.NewWriter(&stdout)
	if s.progress == nil {
		s.progress = &progress{}
	}
	err := s.run(ctx)
	return stdout.String(), err
}

func violated(err error) bool {
	exit, ok := errors.AsType[*cli.ExitError](err)
	return ok && exit.Code == exitViolated
}

// What a sweep prints does not depend on how many runs are made at a time.
func TestDeterminismOfSweeps(t *testing.T) {
	for name, c := range map[string]struct {
		digits    string
		keepGoing bool
		holds     bool
	}{
		"all hold": {"", false, true}, "stops": {"7", false, false}, "keeps going": {"7", true, false}, "all fail": {"0123456789abcdef", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want string
			for _, workers := range []int{1, 4, workersMax} {
				s := sweep{runner: planted(t, c.digits), seeds: seedRange{3, 14}, workers: workers, keepGoing: c.keepGoing}
				got, err := swept(t.Context(), t, s)
				if c.holds && err != nil || !c.holds && !violated(err) {
					t.Errorf("%d workers: got error %v, want a violation: %v", workers, err, !c.holds)
				}
				if want == "" {
					want = got
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%d workers (-one +many):\n%s", workers, diff)
				}
			}
		})
	}
}

// Each failing seed is told as a run of that seed tells it, and no other.
func TestASweepTellsWhatEachRunTells(t *testing.T) {
	var want []string
	var first uint64
	var told strings.Builder
	for seed := uint64(1); seed <= 12; seed++ {
		var alone strings.Builder
		if !violated(runOnce(t.Context(), &alone, planted(t, "7"), seed, "")) {
			continue
		}
		if first == 0 {
			first = seed
		}
		_, failure, _ := strings.Cut(alone.String(), "VIOLATED")
		want = append(want, "VIOLATED"+failure)
		fmt.Fprintf(&told, "VIOLATED%s\n", failure)
	}
	if len(want) < 2 || len(want) > 11 {
		t.Fatalf("%d of 12 seeds fail: the plant must break some and not all", len(want))
	}
	all, err := swept(t.Context(), t, sweep{runner: planted(t, "7"), seeds: seedRange{1, 12}, workers: 2, keepGoing: true})
	if !violated(err) {
		t.Errorf("got error %v, want a violation", err)
	}
	if !strings.HasPrefix(all, told.String()+fmt.Sprintf("scenario first, seeds 1-12: 12 run, %d failed; ", len(want))) {
		t.Errorf("got\n%s\nwant it to begin with\n%s", all, told.String())
	}
	if line := fmt.Sprintf("\nVIOLATED INV-01 served-without-data: %d of 12 seeds, the first is %d\nsweep ", len(want), first); !strings.Contains(all, line) {
		t.Errorf("got\n%s\nwant the line %q", all, line)
	}
	stopped, err := swept(t.Context(), t, sweep{runner: planted(t, "7"), seeds: seedRange{1, 12}, workers: 2})
	if !violated(err) {
		t.Errorf("got error %v, want a violation", err)
	}
	if !strings.HasPrefix(stopped, want[0]) || !strings.Contains(stopped, fmt.Sprintf("\nscenario first, seeds 1-12: %d run, 1 failed; ", first)) ||
		!strings.Contains(stopped, fmt.Sprintf("\nstopped at the first violation: the seeds from %d on were not run\nsweep ", first+1)) {
		t.Errorf("got\n%s\nwant it to stop behind seed %d", stopped, first)
	}
}

func TestASweepTellsABoundedNumberOfFailuresInFull(t *testing.T) {
	got, err := swept(t.Context(), t, sweep{runner: planted(t, "0123456789abcdef"), seeds: seedRange{0, failuresTold + 2}, workers: 2, keepGoing: true})
	if !violated(err) {
		t.Errorf("got error %v, want a violation", err)
	}
	if n := strings.Count(got, "\nbefore it, "); n != failuresTold {
		t.Errorf("got %d reports in full, want %d", n, failuresTold)
	}
	for seed := failuresTold; seed <= failuresTold+2; seed++ {
		line := fmt.Sprintf("\nseed %d: VIOLATED INV-01 served-without-data; reproduce: grasp-sim run first --seed %d\n", seed, seed)
		if !strings.Contains(got, line) {
			t.Errorf("got\n%s\nwant the line %q", got, line)
		}
	}
}

func TestASweepIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := planted(t, "")
	made := 0
	r.options = func() sim.Options {
		if made++; made > 5 {
			cancel()
		}
		return sim.Options{}
	}
	got, err := swept(ctx, t, sweep{runner: r, seeds: seedRange{1, 1<<64 - 1}, workers: 1})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want that of the context", err)
	}
	if !strings.HasPrefix(got, "scenario first, seeds 1-18446744073709551615: ") ||
		!strings.Contains(got, "\ninterrupted: the seeds from ") || !strings.Contains(got, "\nsweep ") {
		t.Errorf("got\n%s\nwant the sums of what was run", got)
	}
}

func TestATableSaysOfWhichRunsItIs(t *testing.T) {
	r := planted(t, "0123456789abcdef")
	r.reached, r.table = newReached(), filepath.Join(t.TempDir(), "table.md")
	if _, err := swept(t.Context(), t, sweep{runner: r, seeds: seedRange{1, 12}, workers: 2}); !violated(err) {
		t.Errorf("got error %v, want a violation", err)
	}
	if table, err := os.ReadFile(r.table); err != nil || !strings.Contains(string(table), "\nOf the first 1 of the seeds 1-12 of first. ") {
		t.Errorf("got error %v and the table\n%.200s\nwant one run of twelve", err, table)
	}
}

func TestASweepEndsWithTheSimulatorsError(t *testing.T) {
	for want, reason := range map[string]any{
		"run first with seed 4: sim: invariant: planted": "sim: invariant: planted",
		"run first with seed 4: panic: 42\ngoroutine ":   42,
	} {
		r := planted(t, "")
		made := 0
		r.options = func() sim.Options {
			made++
			if made <= 3 {
				return sim.Options{}
			}
			return sim.Options{Wrap: func(int, core.Machine) core.Machine { panic(reason) }}
		}
		got, err := swept(t.Context(), t, sweep{runner: r, seeds: seedRange{1, 9}, workers: 1, keepGoing: true})
		if err == nil || !strings.HasPrefix(err.Error(), want) || violated(err) {
			t.Errorf("got error %v, want %s", err, want)
		}
		if !strings.HasPrefix(got, "scenario first, seeds 1-9: 3 run, 0 failed; ") ||
			!strings.Contains(got, "\nthe simulator failed: the seeds from 4 on were not run\nup to there: all invariants held\n") {
			t.Errorf("got\n%s\nwant the sums of what was run", got)
		}
	}
}

func TestProgressIsToldOnStderr(t *testing.T) {
	for name, c := range map[string]struct {
		terminal bool
		want     string
	}{
		"a terminal":     {true, "\r\x1b[K5 seeds of 1-9 run, 2 failed\r\x1b[K"},
		"somewhere else": {false, "5 seeds of 1-9 run, 2 failed\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr strings.Builder
			tick := make(chan time.Time)
			p := &progress{w: &stderr, terminal: c.terminal, tick: tick}
			s := sweep{seeds: seedRange{1, 9}, progress: p, totals: &totals{sums: sums{Run: 5, Failed: 2}}}
			j := job{done: make(chan result, 1)}
			go func() { // the result comes behind one tick
				tick <- time.Time{}
				j.done <- result{}
			}()
			if _, err := s.await(t.Context(), j); err != nil {
				t.Fatal(err)
			}
			p.clear()
			p.clear()
			if stderr.String() != c.want {
				t.Errorf("got %q, want %q", stderr.String(), c.want)
			}
		})
	}
}

func TestTotalsOfOneKind(t *testing.T) {
	sums := newTotals([]string{"INV-02", "INV-01"})
	sums.add(8, sim.Outcome{Events: 1, Steps: 2, Records: 3, Checked: []sim.Count{{Name: "INV-01", N: 4}, {Name: "INV-02"}}, Trace: "a"})
	sums.add(9, sim.Outcome{
		Events: 10, Steps: 20, Records: 30, Checked: []sim.Count{{Name: "INV-01", N: 40}, {Name: "INV-02"}}, Trace: "b",
		Violations: []invariant.Violation{
			{ID: "INV-01", Code: "second", At: sim.Start.Add(2)}, {ID: "INV-01", Code: "first", At: sim.Start.Add(1)},
		},
	})
	var out strings.Builder
	sums.report(&out, "small", seedRange{8, 9}, "stopped at the first violation")
	want := `scenario small, seeds 8-9: 2 run, 1 failed; 11 events, 22 steps of servers, 33 trace records
checked:
  INV-01                   44
  INV-02                   never checked
VIOLATED INV-01 first: 1 of 2 seeds, the first is 9
sweep 911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2
` // printf 'a\nb\n' | sha256sum
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("sums (-want +got):\n%s", diff)
	}
}

func TestSeedRanges(t *testing.T) {
	for text, want := range map[string][]uint64{
		"1-3": {1, 2, 3}, "7": {7}, "0-0": {0}, "18446744073709551614-18446744073709551615": {1<<64 - 2, 1<<64 - 1},
	} {
		var s seedRange
		if err := s.Set(text); err != nil {
			t.Errorf("%s: got error %v", text, err)
		}
		if diff := cmp.Diff(want, slices.Collect(s.all())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	for _, text := range []string{"", "-", "1-", "-1", "1-2-3", "a-b", "1,2", "1..3", "0x1", "2-1", "0-18446744073709551616"} {
		if err := new(seedRange).Set(text); err == nil {
			t.Errorf("%q: got no error", text)
		}
	}
}
