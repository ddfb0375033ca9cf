package main

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/coverage"
)

// reached collects what runs have reached. Only those that were told of count, in whatever order they were made; a nil one
// collects nothing.
type reached struct {
	mu   sync.Mutex
	runs map[uint64]*coverage.Account // by seed; not told of yet
	sum  *coverage.Account
}

func newReached() *reached {
	return &reached{runs: map[uint64]*coverage.Account{}, sum: coverage.New()}
}

// watch has the run of a seed counted.
func (r *reached) watch(seed uint64, opts sim.Options) sim.Options {
	if r == nil {
		return opts
	}
	a := coverage.New()
	r.mu.Lock()
	r.runs[seed] = a
	r.mu.Unlock()
	return a.Watch(opts)
}

// take adds the run of a seed to the sum.
func (r *reached) take(seed uint64) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sum.Add(r.runs[seed])
	delete(r.runs, seed)
}

// report writes the sum in short, and to a file in full if one is named. The arguments are those of the command that made the runs.
func (r *reached) report(w io.Writer, path, runs, args string) error {
	if r == nil {
		return nil
	}
	if err := r.sum.Summary(w); err != nil || path == "" {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("create table: %w", err)
	}
	defer f.Close()
	if err := r.sum.Table(f, runs, fmt.Sprintf("go run ./cmd/grasp-sim run %s --coverage-table %s", args, quoted(path))); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("close table: %w", err)
	}
	return nil
}
