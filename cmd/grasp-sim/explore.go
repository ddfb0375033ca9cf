package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/internal/nearest"
	"github.com/graspkit/graspkit/sim/explore"
)

// exploreFlags are the flags of explore.
type exploreFlags struct {
	list    bool
	states  int
	crashes int
	file    string
}

// Limits of explore.
const (
	exploreStatesMax  = 100_000_000 // a world takes some 50 bytes of memory
	exploreCrashesMax = 8
)

func exploreCommand() *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore [FAMILY...|all]",
		Short: "Look at every history of small worlds",
		Long: `explore goes through all interleavings of a few deeds: events that are sent and pushes that are made by several people,
packs that do not come, answers of git and of the disk that arrive in any order, time that passes, and crashes between any
two of these. After every step the invariants are checked, and again wherever nothing is under way; families that are said
to end alike are compared at their ends. Worlds that were reached before are not looked at again.

FAMILY is one of those that --list names; without one, or with "all", all are looked at. Of each the program writes how many
states it has reached, how many of them differ, how many were merged, the longest history, and whether it is complete
or was cut off. A violation is told as the shortest history that leads to it.`,
		Example: `  grasp-sim explore --list
  grasp-sim explore first-push
  grasp-sim explore first-push --crashes 3
  grasp-sim explore everything --states 2000000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.list {
				return listFamilies(cmd.OutOrStdout())
			}
			families, err := familiesOf(args)
			if err != nil {
				return err
			}
			collectSeldom()
			x := explorer{flags: f, program: program(cmd), out: bufio.NewWriter(cmd.OutOrStdout())}
			x.options = explore.Options{States: f.states, Crashes: f.crashes, HasCrashes: cmd.Flags().Changed("crashes")}
			return x.run(cmd.Context(), families)
		},
	}
	cmd.Flags().BoolVar(&f.list, "list", false, "name the families, and look at none")
	cmd.Flags().Var(count{&f.states, 1, exploreStatesMax}, "states", "how many states of a family are reached, at most; by default as many as 10 seconds are enough for")
	cmd.Flags().Var(count{&f.crashes, 0, exploreCrashesMax}, "crashes", "how often the server crashes in a history, at most; by default as the family says")
	cmd.Flags().StringVar(&f.file, "counterexample", "", "write the history that breaks a rule to this `FILE` too")
	f.states = explore.StatesMax
	return cmd
}

// familiesOf returns the families that arguments name.
func familiesOf(args []string) ([]explore.Family, error) {
	all := explore.Families()
	if len(args) == 0 || len(args) == 1 && args[0] == "all" {
		return all, nil
	}
	var list []explore.Family
	for _, arg := range args {
		at := -1
		names := make([]string, 0, len(all))
		for i, f := range all {
			names = append(names, f.Name)
			if f.Name == arg {
				at = i
			}
		}
		if at < 0 {
			usage := cli.Usagef("unknown family %q", arg)
			usage.Hint = "use " + strings.Join(nearest.To(arg, names), ", ") + ", or all; --list says what they are"
			return nil, usage
		}
		list = append(list, all[at])
	}
	return list, nil
}

func listFamilies(w io.Writer) error {
	for _, f := range explore.Families() {
		if _, err := fmt.Fprintf(w, "%-22s %s\n", f.Name, f.About); err != nil {
			return fmt.Errorf("write families: %w", err)
		}
	}
	return nil
}

// An explorer looks at families one after the other and tells what it finds.
type explorer struct {
	flags   exploreFlags
	options explore.Options
	program string
	out     *bufio.Writer
}

func (x *explorer) run(ctx context.Context, families []explore.Family) error {
	x.options.Stop = func() bool { return ctx.Err() != nil }
	fmt.Fprintf(x.out, "%-22s %9s %9s %9s %5s %7s  %s\n", "family", "states", "distinct", "merged", "depth", "time", "")
	failed := 0
	for _, f := range families {
		begin := time.Now()
		r := explore.Explore(f, x.options)
		if err := x.tell(f, r, time.Since(begin)); err != nil {
			return err
		}
		if r.Failure != nil {
			failed++
		}
		if err := ctx.Err(); err != nil {
			return err //nolint:wrapcheck // an interrupt is told by the command line
		}
	}
	if failed > 0 {
		return &cli.ExitError{Code: exitViolated}
	}
	return nil
}

// tell writes what was found of a family.
func (x *explorer) tell(f explore.Family, r explore.Result, took time.Duration) error {
	ending := "complete"
	switch {
	case r.Failure != nil:
		ending = "VIOLATED"
	case !r.Complete:
		ending = fmt.Sprintf("cut at %d states", r.States)
	}
	fmt.Fprintf(x.out, "%-22s %9d %9d %9d %5d %6.2fs  %s\n", f.Name, r.States, r.Distinct, r.Merged(), r.Depth, took.Seconds(), ending)
	if r.Failure != nil {
		text := x.words(f, r)
		fmt.Fprint(x.out, text)
		if x.flags.file != "" {
			if err := os.WriteFile(x.flags.file, []byte(text), 0o644); err != nil { //nolint:gosec // a report for anybody
				return fmt.Errorf("write counterexample: %w", err)
			}
		}
	}
	if err := x.out.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// words is the history that breaks a rule, for a person.
func (x *explorer) words(f explore.Family, r explore.Result) string {
	var b strings.Builder
	failure := r.Failure
	for _, v := range failure.Violations {
		fmt.Fprintf(&b, "VIOLATED %s: %s\n", v, v.Detail)
	}
	which := "the shortest history that leads to it"
	if !failure.Shortest {
		which = "the shortest history found that leads to it"
	}
	fmt.Fprintf(&b, "%s, of %d moves, in the family %s (%s):\n", which, len(failure.Moves), f.Name, f.About)
	for _, line := range failure.Lines {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintf(&b, "program %s\nreproduce: grasp-sim explore %s --states %d", x.program, f.Name, x.flags.states)
	if x.options.HasCrashes {
		fmt.Fprintf(&b, " --crashes %d", x.options.Crashes)
	}
	fmt.Fprintln(&b)
	return b.String()
}
