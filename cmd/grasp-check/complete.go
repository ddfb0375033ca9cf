package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/internal/cli"
)

// completions tells shells what may stand on the command line of root and of the commands below it.
func completions(root *cobra.Command) {
	root.ValidArgsFunction = cobra.FixedCompletions(targetWords, cobra.ShellCompDirectiveNoFileComp)
	cli.Offer(root, "spec", "A", "B", "C")
	cli.Offer(root, "maintainers", "legacy", "reciprocal")
	cli.Offer(root, "fail-on", "blocked", "warn", "inconclusive")
	for _, cmd := range append(root.Commands(), root) {
		switch cmd.Name() {
		case "explain":
			cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
				if len(args) > 0 {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				return completeID(cmd, args, typed)
			}
		case "measure":
			cmd.ValidArgsFunction = cobra.FixedCompletions(targetWords, cobra.ShellCompDirectiveNoFileComp)
			cli.Offer(cmd, "only", onlyHunt, onlySync)
		}
		if cmd.Flags().Lookup("profile") != nil {
			cli.Offer(cmd, "profile", profileWords()...)
		}
		if cmd.Flags().Lookup("id") != nil {
			cli.OfferBy(cmd, "id", completeID)
		}
	}
}

// targetWords are the targets that are no URL. What they are stands behind a tab.
var targetWords = []cobra.Completion{"sim\tthe reference server in virtual time", "serve\tthe reference server on real sockets"}

// completeID offers the sections of the catalogue, and the requirements of one as soon as no other begins so: a thousand
// lines help nobody.
func completeID(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var sections, rows []cobra.Completion
	last := ""
	for _, r := range spec.Select(typed) {
		rows = append(rows, r.ID+"\t"+r.Text)
		if section := r.ID[:strings.LastIndexByte(r.ID, '-')]; section != last {
			sections = append(sections, section)
			last = section
		}
	}
	if len(sections) <= 1 {
		return rows, cobra.ShellCompDirectiveNoFileComp
	}
	return sections, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
