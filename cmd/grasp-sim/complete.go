package main

import (
	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/sim/explore"
)

// completions tells shells what may stand on the command lines of the commands below root.
func completions(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "run", "shrink", "replay", "timeline":
			cmd.ValidArgsFunction = completeScenario
		case "explore":
			cmd.ValidArgsFunction = completeFamily
		case "serve":
			cli.Offer(cmd, "backend", backendExec, backendDisk, backendMemory)
			cli.Offer(cmd, "maintainers", "legacy", "reciprocal")
			cli.Offer(cmd, "log-level", "debug", "info", "warn", "error")
		}
	}
}

// completeScenario offers the scenarios that come with the program, and files.
func completeScenario(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return offered(), cobra.ShellCompDirectiveDefault
}

func completeFamily(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	names := []cobra.Completion{"all"}
	for _, f := range explore.Families() {
		names = append(names, f.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
