package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/shrink"
)

// How long a search goes on, unless it is told otherwise.
const (
	shrinkRuns    = 3000
	shrinkRunsMax = 1_000_000
	shrinkTime    = time.Minute
)

// shrinkFlags are the flags of shrink.
type shrinkFlags struct {
	choice

	seed  uint64
	runs  int
	limit time.Duration
	out   string
}

func shrinkCommand() *cobra.Command {
	f := shrinkFlags{runs: shrinkRuns}
	cmd := &cobra.Command{
		Use:   "shrink [SCENARIO]",
		Short: "Find the smallest scenario that fails as one does",
		Long: `shrink runs a scenario from a seed until an invariant is violated, and then looks for the smallest scenario that violates
the same one in the same way: with the fewest servers, actors, operations, hosts and faults, on links that lose nothing,
for the shortest time. What people do keeps its names and its draws when something else is left out.

The result is a whole scenario with the seed, written to stdout, or to a file with -o. It is a file for scenarios/regress as
it is: it fails until the mistake is mended, and says if the mistake comes back. How far the search is is told on stderr.
It ends when no single step helps, or when its runs or its time are used up, with the smallest scenario up to there.

Exit codes: 0 it was made smaller, 2 nothing is violated, or the command line or a file cannot be used, 3 the simulator failed.`,
		Example: `  grasp-sim shrink crash --seed 12
  grasp-sim shrink ./my-scenario.yaml --seed 1 -o scenarios/regress/003-what-it-is-about.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			collectSeldom()
			s, err := f.one(cmd, args, &f.seed)
			if err != nil {
				return err
			}
			p, stop := newProgress(cmd.ErrOrStderr())
			defer stop()
			return shrinkTo(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), &runner{scenario: s, program: program(cmd)}, f, p)
		},
	}
	f.flag(cmd)
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "the seed that fails; that of the scenario if it names one")
	cmd.Flags().Var(count{&f.runs, 1, shrinkRunsMax}, "runs", "how many runs are made at most")
	cmd.Flags().DurationVar(&f.limit, "time", shrinkTime, "how long the search takes at most")
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "write the scenario to this `FILE`, and take its name for that of the scenario")
	return cmd
}

// shrinkTo makes the search and writes what it has found.
func shrinkTo(ctx context.Context, stdout, stderr io.Writer, r *runner, f shrinkFlags, p *progress) error {
	if err := r.checkName(f); err != nil {
		return err
	}
	begun := time.Now()
	result, ending, err := r.shrink(ctx, f, p)
	p.clear()
	switch {
	case errors.Is(err, shrink.ErrHolds):
		usage := cli.Usagef("shrink %s with seed %d: %w", r.scenario.arg, f.seed, err)
		usage.Hint = fmt.Sprintf("give a seed that fails; grasp-sim run %s --seeds 1-1000 finds some", r.scenario.command())
		return usage
	case err != nil:
		return err
	}
	text, err := r.shrunk(ctx, f, result)
	if err != nil {
		return err
	}
	told := stderr
	if f.out == "" {
		_, err = io.WriteString(stdout, text)
	} else {
		told = stdout
		err = writeScenario(f.out, text)
	}
	if err != nil {
		return fmt.Errorf("write scenario: %w", err)
	}
	out := bufio.NewWriter(told)
	fmt.Fprintf(out, "%s: %d operations of %d actors, after %d runs in %s", result.Outcome.Violation, result.Operations, result.Actors,
		result.Runs, time.Since(begun).Round(time.Millisecond))
	if !result.Whole {
		fmt.Fprintf(out, "; %s, so there may be a smaller one", ending)
	}
	fmt.Fprintln(out)
	if f.out != "" {
		fmt.Fprintf(out, "reproduce: grasp-sim run %s\n", quoted(pathOf(f.out)))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// shrink searches. Ending says why the search has ended before its end, if it has.
func (r *runner) shrink(ctx context.Context, f shrinkFlags, p *progress) (result shrink.Result, ending string, err error) {
	root, err := scenarios.ReadNode(r.scenario.arg, r.scenario.source)
	if err != nil {
		return result, "", fmt.Errorf("read scenario again: %w", err)
	}
	limited, stop := context.WithTimeout(ctx, f.limit)
	defer stop()
	search := shrink.Search{Runs: f.runs, Run: func(s scenarios.Scenario) (shrink.Outcome, error) {
		tried := *r
		tried.scenario.Scenario = s
		o, err := tried.run(limited, f.seed, nil)
		if err != nil || len(o.Violations) == 0 {
			return shrink.Outcome{}, err
		}
		first := firstOf(o.Violations)
		return shrink.Outcome{Violation: first.String(), At: first.At.Sub(sim.Start), Operations: o.Operations}, nil
	}, Tell: func(how shrink.Progress) {
		select {
		case <-p.tick:
			p.show(fmt.Sprintf("%d runs: %d operations of %d actors", how.Runs, how.Operations, how.Actors))
		default:
		}
	}}
	result, err = search.Of(r.scenario.arg, root)
	switch {
	case err != nil && result.Runs == 0: // it never failed
		return result, "", err
	case errors.Is(err, context.DeadlineExceeded):
		return result, "the time is used up", nil
	case errors.Is(err, context.Canceled):
		return result, "interrupted", nil
	}
	return result, "the runs are used up", err
}
