package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
)

func planCommand() *cobra.Command {
	var id, tags, profile string
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
			fmt.Fprintf(out, "%d requirements, %d checks\n%d events, %d pushes\n", len(rows), e.Checks, e.Events, e.Pushes)
			fmt.Fprintf(out, "longest wait in real time: %v (--time-budget; without it such checks are blocked)\n", e.Waits)
			for _, power := range slices.Sorted(maps.Keys(e.Needs)) {
				fmt.Fprintf(out, "%d checks need %s\n", e.Needs[power], power)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "plan what has an id that begins with `PREFIX`")
	cmd.Flags().StringVar(&profile, "profile", "", "plan what there is "+profileUsage())
	cmd.Flags().StringVar(&tags, "tags", "", "plan what a tag `EXPR` selects")
	return cmd
}
