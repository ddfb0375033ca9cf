package main

import (
	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
)

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:     "grasp-sim",
		Version: cli.ThisBuild().String(),
		Short:   "Run networks of GRASP servers in virtual time, or serve one for real",
		Long: `grasp-sim runs scenarios: GRASP servers, the people who use them and the links between, in virtual time. A run is
a function of its scenario and its seed: the same pair gives the same trace, on every machine.

explore goes through every history of small worlds instead.

Exit codes: 0 everything held, 1 an invariant was violated or two traces differ, 2 the command line or a file cannot be
used, 3 the simulator itself failed.`,
		Example: `  grasp-sim run --seed 7
  grasp-sim run first --seed 7 --trace first.jsonl
  grasp-sim shrink first --seed 7 -o smaller.yaml
  grasp-sim replay first --seed 7 --until 812 --state
  grasp-sim timeline first --seed 7 --until 10m
  grasp-sim diff before.jsonl after.jsonl
  grasp-sim explore first-push
  grasp-sim run ./my-scenario.yaml --seed 1
  grasp-sim serve --addr 127.0.0.1:7334 --memory`,
	}
	root.AddCommand(commands()...)
	completions(root)
	return root
}
