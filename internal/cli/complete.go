package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completeByUsage tells shells what the values of flags are, where a command has not told them itself: files where the
// usage calls a value FILE, directories where it calls it DIR or directory, and nothing elsewhere. By itself a shell would offer the
// files of the directory as durations and numbers.
func completeByUsage(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, told := cmd.GetFlagCompletionFunc(f.Name); told {
			return
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		switch name, _ := pflag.UnquoteUsage(f); name {
		case "FILE":
			return
		case "DIR", "directory":
			directive = cobra.ShellCompDirectiveFilterDirs
		}
		mustOffer(cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(nil, directive)))
	})
	for _, sub := range cmd.Commands() {
		completeByUsage(sub)
	}
}

// Offer lets shells complete the value of a flag with values, each of which may have a description behind a tab.
func Offer(cmd *cobra.Command, flag string, values ...cobra.Completion) {
	OfferBy(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// OfferBy lets shells complete the value of a flag with what a function finds.
func OfferBy(cmd *cobra.Command, flag string, find cobra.CompletionFunc) {
	mustOffer(cmd.RegisterFlagCompletionFunc(flag, find))
}

// mustOffer panics where a flag that is to be completed is none, or is completed already.
func mustOffer(err error) {
	if err != nil {
		panic("cli: invariant: " + err.Error())
	}
}
