package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
)

func listCommand() *cobra.Command {
	var id, tags, profile string
	var checks, table, steps bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the requirements, or the checks",
		Example: `  grasp-check list
  grasp-check list --id G01-PUSH
  grasp-check list --checks --profile smoke
  grasp-check list --table > docs/coverage.md
  grasp-check list --steps > features/STEPS.md
  grasp-check list --checks --tags '@wait:36m'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, rows, err := suite.Select(suite.Config{Features: features.FS, Seed: "list", ID: id, Tags: tags, Profile: profile})
			if err != nil {
				return selectionError(err)
			}
			switch {
			case table:
				return writeTable(cmd.OutOrStdout(), rows, found)
			case steps:
				_, err := io.WriteString(cmd.OutOrStdout(), suite.StepsPage(found))
				return err //nolint:wrapcheck // stdout names itself
			case checks:
				listChecks(cmd, found)
				return nil
			}
			listRows(cmd, rows, found)
			return nil
		},
	}
	cmd.Flags().Var((*prefixes)(&id), "id", idUsage("list that"))
	cmd.Flags().StringVar(&profile, "profile", "", "list what there is "+profileUsage())
	cmd.Flags().StringVar(&tags, "tags", "", "list what a tag `EXPR` selects")
	cmd.Flags().BoolVar(&checks, "checks", false, "list checks instead of requirements")
	cmd.Flags().BoolVar(&steps, "steps", false, "print a page in Markdown: every form of step that features may use")
	cmd.Flags().BoolVar(&table, "table", false, "print a table in Markdown: requirements, their checks, the mistakes that these catch")
	return cmd
}

func listRows(cmd *cobra.Command, rows []spec.Requirement, checks []features.Check) {
	count := make(map[string]int)
	for _, c := range checks {
		for _, id := range c.Requirements {
			count[id]++
		}
	}
	section, kinds := "", make(map[spec.CoverageKind]int)
	for _, r := range rows {
		kinds[r.Coverage.Kind]++
		if r.Section != section {
			if section != "" {
				fmt.Fprintln(cmd.OutOrStdout())
			}
			section = r.Section
			fmt.Fprintln(cmd.OutOrStdout(), section)
		}
		coverage := fmt.Sprintf("%d checks", count[r.ID])
		switch {
		case r.Coverage.Kind != spec.Checked:
			coverage = r.Coverage.Kind.String()
		case count[r.ID] == 1:
			coverage = "1 check"
		}
		fmt.Fprintf(cmd.OutOrStdout(), "  %-12s %-7s %-12s %s\n", r.ID, r.Score, coverage, r.Text)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "\n%s\n", total(rows, kinds))
}

// total counts requirements by what judges them.
func total(rows []spec.Requirement, kinds map[spec.CoverageKind]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		word := kind.String()
		if kind == spec.Checked {
			word = "with checks"
		}
		parts = append(parts, fmt.Sprintf("%d %s", kinds[kind], word))
	}
	return strings.Join(parts, " + ") + fmt.Sprintf(" = %d requirements", len(rows))
}

func listChecks(cmd *cobra.Command, checks []features.Check) {
	for _, c := range checks {
		fmt.Fprintf(cmd.OutOrStdout(), "%-30s %s (%s)\n", c.ID, c.Title, strings.Join(c.Tags, " "))
	}
}
