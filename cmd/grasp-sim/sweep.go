package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/sim"
)

const (
	workersMax     = 256
	aheadPerWorker = 4  // runs that may be done and wait for an earlier one
	failuresTold   = 20 // in full; of further ones one line is written
)

// A sweep is a run of each of many seeds. What it writes to out is in the order of the seeds and the same for every number
// of workers; it keeps sums and no run.
type sweep struct {
	runner    *runner
	seeds     seedRange
	workers   int
	keepGoing bool   // after a violation
	file      string // where it is kept how far the sweep is, "" for nowhere
	out       *bufio.Writer
	progress  *progress
	untold    bool // the last run failed, and it is not written yet, as a whole, how
	totals    *totals
}

// A job is a run to be made, and where its result goes.
type job struct {
	seed uint64
	done chan result // holds one
}

type result struct {
	outcome sim.Outcome
	err     error
}

// run makes the runs and tells what came of them. It returns when no worker is left.
func (s *sweep) run(ctx context.Context) error {
	s.totals = newTotals(s.runner.scenario.Invariants)
	if err := s.resume(); err != nil {
		return err
	}
	err := s.collect(ctx)
	if !s.untold {
		err = errors.Join(err, s.save())
	}
	s.progress.clear()
	told := s.runner.reached.report(s.out, s.runner.table, s.made(), fmt.Sprintf("%s --seeds %s", s.runner.scenario.command(), s.seeds.String()))
	err = errors.Join(err, told)
	s.totals.report(s.out, s.runner.scenario.Name, s.seeds, s.ending(err))
	if flushed := s.out.Flush(); flushed != nil {
		return errors.Join(err, fmt.Errorf("write report: %w", flushed))
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if s.totals.Failed > 0 {
		return &cli.ExitError{Code: exitViolated}
	}
	return err
}

// made says of which runs the sums are.
func (s *sweep) made() string {
	all := fmt.Sprintf("the seeds %s of %s", s.seeds.String(), s.runner.scenario.Name)
	if s.totals.complete(s.seeds) {
		return all
	}
	return fmt.Sprintf("the first %d of %s", s.totals.Run, all)
}

// ending says why the sweep has ended before its last seed.
func (s *sweep) ending(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case err != nil:
		return "the simulator failed"
	case s.totals.Failed > 0 && !s.keepGoing:
		return "stopped at the first violation"
	}
	return ""
}

// collect takes the results in the order of the seeds.
func (s *sweep) collect(ctx context.Context) error {
	working, stop := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer stop()
	if s.totals.complete(s.seeds) {
		return nil
	}
	for j := range s.start(working, &workers) {
		r, err := s.await(ctx, j)
		if err == nil {
			err = r.err
		}
		if err != nil {
			return err
		}
		s.untold = len(r.outcome.Violations) > 0
		if s.untold || s.totals.Run%checkpointEvery == 0 {
			if err := s.save(); err != nil {
				return err
			}
		}
		s.totals.add(j.seed, r.outcome)
		s.runner.reached.take(j.seed)
		if !s.untold {
			continue
		}
		if err := errors.Join(s.tell(ctx, j.seed, r.outcome), ctx.Err()); err != nil {
			return err // an interrupt leaves out what was before the failure
		}
		if s.untold = false; !s.keepGoing {
			return nil
		}
	}
	if s.totals.complete(s.seeds) {
		return nil
	}
	return ctx.Err()
}

// start starts the workers and returns the jobs in the order of the seeds. They are as many as may be ahead, and each is
// with a worker or will be, until the context ends.
func (s *sweep) start(ctx context.Context, group *sync.WaitGroup) <-chan job {
	left := seedRange{s.seeds.first + s.totals.Run, s.seeds.last}
	inOrder := make(chan job, s.workers*aheadPerWorker)
	jobs := make(chan job)
	group.Go(func() {
		defer close(inOrder)
		defer close(jobs)
		for seed := range left.all() {
			j := job{seed, make(chan result, 1)}
			select {
			case inOrder <- j:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	})
	for range s.workers {
		group.Go(func() {
			for j := range jobs {
				outcome, err := s.runner.run(ctx, j.seed, nil)
				if err == nil && s.runner.checked {
					err = s.runner.same(ctx, j.seed, outcome)
				}
				j.done <- result{outcome, err}
			}
		})
	}
	return inOrder
}

// await waits for the result of a job, and shows how far the sweep is meanwhile. When the context ends, it takes what is
// there.
func (s *sweep) await(ctx context.Context, j job) (result, error) {
	for {
		select {
		case r := <-j.done:
			return r, nil
		case <-s.progress.tick:
			s.progress.show(fmt.Sprintf("%d seeds of %d-%d run, %d failed", s.totals.Run, s.seeds.first, s.seeds.last, s.totals.Failed))
		case <-ctx.Done():
			select {
			case r := <-j.done:
				return r, nil
			default:
				return result{}, ctx.Err()
			}
		}
	}
}

// tell writes about a run that has failed.
func (s *sweep) tell(ctx context.Context, seed uint64, o sim.Outcome) error {
	s.progress.clear()
	if s.totals.Failed > failuresTold {
		fmt.Fprintf(s.out, "seed %d: VIOLATED %s; reproduce: %s\n", seed, firstOf(o.Violations), o.Reproduce)
	} else {
		f, err := s.runner.fail(ctx, seed, o)
		if err != nil {
			return err
		}
		f.tell(s.out)
		fmt.Fprintf(s.out, "trace %s\n\n", o.Trace)
	}
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}
