package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
)

func planCommand() *cobra.Command {
	var id, tags, profile string
	var budget time.Duration
	cmd := &cobra.Command{
		Use:     "plan",
		Short:   "Say what a run would ask of a server, without asking it anything",
		Example: "  grasp-check plan\n  grasp-check plan --id G01-PUSH\n  grasp-check plan --profile security",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, rows, err := suite.Select(suite.Config{Features: features.FS, Seed: "plan", ID: id, Tags: tags, Profile: profile})
			if err != nil {
				return selectionError(err)
			}
			e := suite.EstimateOf(found)
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "%d requirements, %d checks\n%d events, %d pushes, %d repositories, %s\n", len(rows), e.Checks, e.Events, e.Pushes, e.Repositories, suite.SizeText(e.Bytes))
			fmt.Fprintf(out, "longest wait in real time: %v (--time-budget; without it such checks are blocked)\n", e.Waits)
			if err := writeWays(out, suite.WaysOf(found, budgets(budget, e)...)); err != nil {
				return err
			}
			for _, power := range slices.Sorted(maps.Keys(e.Needs)) {
				fmt.Fprintf(out, "%d checks need %s\n", e.Needs[power], power)
			}
			return nil
		},
	}
	cmd.Flags().Var((*prefixes)(&id), "id", idUsage("plan that"))
	cmd.Flags().StringVar(&profile, "profile", "", "plan what there is "+profileUsage())
	cmd.Flags().StringVar(&tags, "tags", "", "plan what a tag `EXPR` selects")
	cmd.Flags().DurationVar(&budget, "time-budget", 0, "plan for a run that may wait up to `DURATION` (36m and 200m)")
	return cmd
}

// budgets are the times to wait that a plan is made for: the one that was asked for, or two of use.
func budgets(asked time.Duration, e suite.Estimate) []time.Duration {
	const some, most = 36 * time.Minute, 200 * time.Minute
	switch {
	case asked > 0:
		return []time.Duration{asked}
	case e.Waits == 0:
		return nil
	case e.Waits <= some:
		return []time.Duration{some}
	}
	return []time.Duration{some, most}
}

// farAway is how long a message and its answer take to a server at the other end of a continent.
const farAway = 50 * time.Millisecond

// writeWays tells what a live server is asked for, by the flags of a run.
func writeWays(w io.Writer, ways []suite.Way) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "\nby URL, with\tchecks\tevents\tpushes\trepositories\tsent\tminutes\tat 50 ms\t\n")
	for _, way := range ways {
		e := way.Estimate
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t\n", way.Flags, e.Checks, e.Events, e.Pushes, e.Repositories, suite.SizeText(e.Bytes),
			minutes(e.Took(0, parallelSockets)), minutes(e.Took(farAway, parallelSockets)))
	}
	fmt.Fprintln(t)
	return t.Flush() //nolint:wrapcheck // it says what was written
}

// minutes is a time for people.
func minutes(d time.Duration) string { return fmt.Sprintf("%.1f", max(d.Minutes(), 0.1)) }
