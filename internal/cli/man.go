package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// ManCommand returns the command that writes the manual pages of its root and of all that is below it. It is for who makes
// a release, so the help does not show it. The pages of one build are always the same: their date is that of its commit.
func ManCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a directory",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, by := cmd.Root(), ThisBuild()
			header := doc.GenManHeader{
				Title: strings.ToUpper(root.Name()), Section: "1", Source: "graspkit " + by.Version, Manual: "graspkit",
			}
			if !by.Time.IsZero() { // else it is that of SOURCE_DATE_EPOCH, or today
				header.Date = &by.Time
			}
			root.DisableAutoGenTag = true
			if err := doc.GenManTree(root, &header, args[0]); err != nil {
				return &ExitError{
					Code: ExitUsage, Err: fmt.Errorf("manual pages: %w", err), Hint: "name a directory that exists and can be written to",
				}
			}
			return nil
		},
	}
}
