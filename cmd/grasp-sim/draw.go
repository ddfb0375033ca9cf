package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/swarm"
)

func drawCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "draw SEED",
		Short: "Print the scenario that the swarm draws for a seed",
		Long: `draw prints the file of the world that "run swarm" makes for a seed. Such a file is a scenario like any other: it can be
changed, and it stays what it is when the swarm draws something else one day.`,
		Example: `  grasp-sim draw 7 > seed7.yaml
  grasp-sim run ./seed7.yaml --seed 7    # the same run as grasp-sim run swarm --seed 7`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			seed, err := strconv.ParseUint(args[0], 10, 64)
			if err != nil {
				usage := cli.Usagef("seed %q is no whole number", args[0])
				usage.Hint = "write one such as 7"
				return usage
			}
			if _, err := cmd.OutOrStdout().Write(scenarios.Format(swarm.Draw(seed))); err != nil {
				return fmt.Errorf("write scenario: %w", err)
			}
			return nil
		},
	}
}
