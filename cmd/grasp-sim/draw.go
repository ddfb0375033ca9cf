package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/swarm"
)

func drawCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "draw [FAMILY] SEED",
		Short: "Print the scenario that the swarm draws for a seed",
		Long: `draw prints the file of the world that "run swarm" makes for a seed, or "run motes", "run peers" or "run hunts" where that is the family. Such a file is a
scenario like any other: it can be changed, and it stays what it is when the family draws something else one day.`,
		Example: `  grasp-sim draw 7 > seed7.yaml
  grasp-sim run ./seed7.yaml --seed 7    # the same run as grasp-sim run swarm --seed 7
  grasp-sim draw motes 7`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			draw, number := swarm.Draw, args[len(args)-1]
			if len(args) > 1 {
				if draw = swarm.Of(args[0]); draw == nil {
					usage := cli.Usagef("no worlds are drawn by the name of %q", args[0])
					names := swarm.Names()
					last := len(names) - 1
					usage.Hint = "use " + strings.Join(names[:last], ", ") + " or " + names[last]
					return usage
				}
			}
			seed, err := strconv.ParseUint(number, 10, 64)
			if err != nil {
				usage := cli.Usagef("seed %q is no whole number", number)
				usage.Hint = "write one such as 7"
				return usage
			}
			if _, err := cmd.OutOrStdout().Write(scenarios.Format(draw(seed))); err != nil {
				return fmt.Errorf("write scenario: %w", err)
			}
			return nil
		},
	}
}
