package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
)

// exitViolated is the exit code of a run in which an invariant was violated.
const exitViolated = 1

func runCommand() *cobra.Command {
	var seed uint64
	var tracePath string
	cmd := &cobra.Command{
		Use:   "run [SCENARIO]",
		Short: "Run a scenario once and check its invariants",
		Long: `run simulates a scenario from a seed and checks its invariants after every step and in the quiet phase at the end.
SCENARIO is the name of a scenario that comes with the program (without one: first) or the path of a file. The last
line on stdout is the hash of everything that happened, "trace" and 64 hex digits: two runs with the same hash are the
same run. --trace writes all of it, one JSON object a line.`,
		Example: `  grasp-sim run --seed 7
  grasp-sim run first --seed 7 --trace first.jsonl
  grasp-sim run ./my-scenario.yaml --seed 1`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			scenario := "first"
			if len(args) > 0 {
				scenario = args[0]
			}
			s, err := loadScenario(scenario)
			if err != nil {
				return err
			}
			r := &runner{scenario: s, program: program(cmd)}
			return runOnce(cmd.Context(), cmd.OutOrStdout(), r, seed, tracePath)
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 0, "where all draws of the run come from")
	cmd.Flags().StringVar(&tracePath, "trace", "", "write what happened to this `FILE`, one JSON object a line")
	return cmd
}

// program names this program and its version.
func program(cmd *cobra.Command) string { return cmd.Root().Name() + " " + cmd.Root().Version }

// runOnce makes one run and tells what came of it.
func runOnce(ctx context.Context, stdout io.Writer, r *runner, seed uint64, tracePath string) error {
	var by watcher
	finish := func() error { return nil }
	if tracePath != "" {
		file, err := createTrace(tracePath)
		if err != nil {
			return err
		}
		by, finish = file, file.close
	}
	outcome, err := r.run(ctx, seed, by)
	if err = errors.Join(err, finish()); err != nil {
		return err
	}
	var failed *failure
	if len(outcome.Violations) > 0 {
		f, err := r.fail(ctx, seed, outcome)
		if err != nil {
			return err
		}
		failed = &f
	}
	out := bufio.NewWriter(stdout)
	report(out, r.scenario.Name, seed, outcome, failed)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	if failed != nil {
		return &cli.ExitError{Code: exitViolated}
	}
	return nil
}
