package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
)

// replayFlags are the flags of replay.
type replayFlags struct {
	choice

	seed   uint64
	until  recordNumber
	server string
	state  bool
	parts  []string
}

// A recordNumber is a flag: the number of a record of a trace, zero for the end.
type recordNumber uint64

// Set implements pflag.Value.
func (n *recordNumber) Set(text string) error {
	if text == "end" {
		*n = 0
		return nil
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil || v == 0 {
		return errors.New("want the number of a record, as 812 where a report or a trace has #812, or end")
	}
	*n = recordNumber(v)
	return nil
}

// String implements pflag.Value.
func (n *recordNumber) String() string {
	if *n == 0 {
		return "end"
	}
	return strconv.FormatUint(uint64(*n), 10)
}

// Type implements pflag.Value.
func (*recordNumber) Type() string { return "STEP" }

func replayCommand() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay [SCENARIO]",
		Short: "Run up to a step and show what a server did, and its whole state",
		Long: `replay runs a scenario from a seed up to a step and tells what the last step of a server was: the input that it was given,
and everything that it did, with the names of the trace. --state prints the whole state of the server behind that step.

A step has the number of its record: the one that lines of a report begin with, and "seq" of a trace. Without --until the
run goes to its end, which is the violation if there is one. The server is that of the record or of the violation,
unless --server names another. Parts of a state are named at the beginning of its lines, and --part picks some.

Exit codes: 0 the step was reached, 2 it was not, or the command line or a file cannot be used, 3 the simulator failed.`,
		Example: `  grasp-sim replay crash --seed 12
  grasp-sim replay crash --seed 12 --until 812 --state
  grasp-sim replay crash --seed 12 --until 812 --server server2 --state --part held,repositories`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.one(cmd, args, &f.seed)
			if err != nil {
				return err
			}
			if len(f.parts) > 0 && !f.state {
				usage := cli.Usagef("--part goes with --state")
				usage.Hint = "give --state too, or leave it out"
				return usage
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if err := replayTo(cmd.Context(), out, &runner{scenario: s, program: program(cmd)}, f); err != nil {
				return err
			}
			if err := out.Flush(); err != nil {
				return fmt.Errorf("write state: %w", err)
			}
			return nil
		},
	}
	f.flag(cmd)
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "where all draws of the run come from; that of the scenario if it names one")
	cmd.Flags().Var(&f.until, "until", "the last record of the run; end is where it ends")
	cmd.Flags().StringVar(&f.server, "server", "", "the server that is looked at")
	cmd.Flags().BoolVar(&f.state, "state", false, "print the state of the server")
	cmd.Flags().StringSliceVar(&f.parts, "part", nil, "print these parts of the state alone, such as held,repositories")
	return cmd
}

// replayTo makes the run and tells where it has come to.
func replayTo(ctx context.Context, out *bufio.Writer, r *runner, f replayFlags) error {
	at := newReplayed(uint64(f.until))
	watched := *r
	watched.options = at.options(r.options)
	outcome, err := watched.run(ctx, f.seed, at)
	if err != nil && !errors.Is(err, errStopped) {
		return err
	}
	if f.until > 0 && err == nil {
		usage := cli.Usagef("replay %s with seed %d: there is no record %d, the run has %d", r.scenario.arg, f.seed, f.until, at.record.Seq)
		usage.Hint = "give the number of a record of this run; grasp-sim run --trace FILE writes them"
		return usage
	}
	on, err := at.chosen(f.server, outcome.Violations)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "scenario %s, seed %d, up to record %d:\n  %s\n", r.scenario.Name, f.seed, at.record.Seq, words(symbolic(at.names, at.record)))
	for _, v := range outcome.Violations {
		fmt.Fprintln(out, violationText(at.names, v))
	}
	at.tell(out, on)
	if f.state {
		return at.tellState(out, on, f.parts)
	}
	return nil
}
