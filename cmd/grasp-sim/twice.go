package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/graspkit/graspkit/sim"
)

// notItself is the error of two runs of one seed that are not the same: one of the simulator, or of the core.
func (r *runner) notItself(seed uint64, first, second sim.Outcome) error {
	return fmt.Errorf("run %s with seed %d: not deterministic: its trace is %s, and %s when it is run again; grasp-sim run %s --seed %d --twice finds where",
		r.scenario.arg, seed, first.Trace, second.Trace, r.scenario.command(), seed)
}

// same makes a run again, and returns an error if it is another.
func (r *runner) same(ctx context.Context, seed uint64, o sim.Outcome) error {
	again, err := r.run(ctx, seed, nil)
	if err == nil && again.Trace != o.Trace {
		err = r.notItself(seed, o, again)
	}
	return err
}

// traced makes a run and writes its trace to a file, if that has a name.
func (r *runner) traced(ctx context.Context, seed uint64, path string) (sim.Outcome, error) {
	if path == "" {
		return r.run(ctx, seed, nil)
	}
	file, err := createTrace(path)
	if err != nil {
		return sim.Outcome{}, err
	}
	o, err := r.run(ctx, seed, file)
	return o, errors.Join(err, file.close())
}

// twice makes a run two times, and tells the first record in which the two differ, if they do. Then their traces are kept.
func (r *runner) twice(ctx context.Context, stdout io.Writer, seed uint64, path string) (sim.Outcome, error) {
	dir, err := os.MkdirTemp("", "grasp-sim-twice-")
	if err != nil {
		return sim.Outcome{}, fmt.Errorf("make folder of traces: %w", err)
	}
	keep := false
	defer func() {
		if !keep {
			_ = os.RemoveAll(dir) // of no use to anybody
		}
	}()
	first, second := path, filepath.Join(dir, "second.jsonl")
	if first == "" {
		first = filepath.Join(dir, "first.jsonl")
	}
	o, err := r.traced(ctx, seed, first)
	if err != nil {
		return o, err
	}
	again, err := r.traced(ctx, seed, second)
	if err != nil || again.Trace == o.Trace {
		return o, err
	}
	keep = true
	d, _, err := compare(first, second)
	if err != nil {
		return o, errors.Join(r.notItself(seed, o, again), err)
	}
	out := bufio.NewWriter(stdout)
	if err := errors.Join(tellDifference(out, first, second, d), out.Flush()); err != nil {
		return o, errors.Join(r.notItself(seed, o, again), err)
	}
	return o, fmt.Errorf("run %s with seed %d: not deterministic: its trace is %s, and %s when it is run again", r.scenario.arg, seed, o.Trace, again.Trace)
}
