package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/trace"
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
			return runScenario(cmd.OutOrStdout(), scenario, seed, tracePath)
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 0, "where all draws of the run come from")
	cmd.Flags().StringVar(&tracePath, "trace", "", "write what happened to this `FILE`, one JSON object a line")
	return cmd
}

func runScenario(stdout io.Writer, name string, seed uint64, tracePath string) error {
	s, err := loadScenario(name)
	if err != nil {
		return err
	}
	var opts sim.Options
	finish := func() error { return nil }
	if tracePath != "" {
		if finish, err = traceTo(tracePath, &opts); err != nil {
			return err
		}
	}
	outcome, err := sim.Run(s, seed, opts)
	if err = errors.Join(err, finish()); err != nil {
		return err
	}
	outcome.Reproduce = fmt.Sprintf("grasp-sim run %s --seed %d", name, seed)
	return conclude(stdout, s.Name, seed, outcome)
}

// conclude writes the report of a run and returns the error that ends the command, if any.
func conclude(stdout io.Writer, name string, seed uint64, o sim.Outcome) error {
	out := bufio.NewWriter(stdout)
	report(out, name, seed, o)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	if len(o.Violations) > 0 {
		return &cli.ExitError{Code: exitViolated}
	}
	return nil
}

// traceTo makes the run write its trace to a file; finish closes it.
func traceTo(path string, opts *sim.Options) (finish func() error, err error) {
	f, err := os.Create(path)
	if err != nil {
		usage := cli.Usagef("create trace: %w", err)
		usage.Hint = "name a file in a folder that exists and that you can write to"
		return nil, usage
	}
	names := trace.NewNames()
	out := bufio.NewWriter(f)
	w := trace.NewWriter(out, names)
	opts.Named, opts.Sink = names.Give, w.Write
	return func() error {
		if err := errors.Join(w.Err(), out.Flush(), f.Close()); err != nil {
			return fmt.Errorf("write trace %s: %w", path, err)
		}
		return nil
	}, nil
}

// report writes the summary of a run. What it prints depends on the run alone, never on the machine or the time.
func report(w io.Writer, name string, seed uint64, o sim.Outcome) {
	fmt.Fprintf(w, "scenario %s, seed %d: %s simulated, %d events, %d steps of servers, %d trace records\n",
		name, seed, o.Simulated, o.Events, o.Steps, o.Records)
	counts(w, "happened", o.Facts)
	counts(w, "checked", o.Checked)
	for _, v := range o.Violations {
		fmt.Fprintf(w, "VIOLATED %s on %s at %s: %s\n", v, v.Server, v.At.Sub(sim.Start), v.Detail)
	}
	if len(o.Violations) > 0 {
		fmt.Fprintf(w, "reproduce: %s\n", o.Reproduce)
	} else {
		fmt.Fprintln(w, "all invariants held")
	}
	fmt.Fprintf(w, "trace %s\n", o.Trace)
}

func counts(w io.Writer, title string, list []sim.Count) {
	fmt.Fprintf(w, "%s:\n", title)
	for _, c := range list {
		fmt.Fprintf(w, "  %-24s %d\n", c.Name, c.N)
	}
}
