package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/cli"
)

func explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain ID",
		Short: "Explain a requirement or a check: its text, its checks step by step, what they catch",
		Example: `  grasp-check explain G01-PURG-07
  grasp-check explain G01-PUSH-17.notes`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			text, err := explain(args[0])
			if err == nil {
				_, err = io.WriteString(out, folded(text, consoleOf(out, false, "").Width))
			}
			return err
		},
	}
}

// folded is a text in lines of so many columns, as far as its words allow; 0 leaves them as they are. What goes on is indented further.
func folded(text string, width int) string {
	if width == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		for first := true; len([]rune(line)) >= width; first = false {
			at := strings.LastIndex(string([]rune(line)[:width]), " ")
			if at <= len(indent)+4 {
				break
			}
			b.WriteString(line[:at] + "\n")
			if first {
				indent += "    "
			}
			line = indent + strings.TrimLeft(line[at:], " ")
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// explain tells a requirement, or one check of it.
func explain(id string) (string, error) {
	requirement, word, _ := strings.Cut(id, ".")
	row, ok := spec.Lookup(requirement)
	if !ok {
		return "", unknownID("requirement", requirement)
	}
	checks, err := features.Load(features.FS)
	if err != nil {
		return "", err
	}
	out := &strings.Builder{}
	fmt.Fprintf(out, "%s  %s  %s\n  %s\n", row.ID, row.Score, row.Section, row.Text)
	for _, c := range row.Conditions {
		fmt.Fprintf(out, "  only if: %v\n", c)
	}
	var letters []string
	for _, l := range row.Lineages() {
		letters = append(letters, l.String())
	}
	fmt.Fprintf(out, "  lineages: %s\n", strings.Join(letters, ", "))
	if row.Coverage.Kind != spec.Checked {
		fmt.Fprintf(out, "  coverage: %v: %s\n", row.Coverage.Kind, row.Coverage.Text)
	}
	for _, d := range spec.Defects() {
		if d.Catches == row.ID {
			fmt.Fprintf(out, "  catches the defect %s: %s\n", d.Name, d.What)
		}
	}
	shown := 0
	for _, c := range checks {
		if (word != "" && c.ID == id) || (word == "" && slices.Contains(c.Requirements, row.ID)) {
			explainCheck(out, c)
			shown++
		}
	}
	if shown == 0 && word != "" {
		return "", unknownID("check", id)
	}
	return out.String(), nil
}

func explainCheck(out io.Writer, c features.Check) {
	fmt.Fprintf(out, "\ncheck %s: %s\n  %s:%d  %s\n", c.ID, c.Title, c.File, c.Line, strings.Join(c.Tags, " "))
	for _, s := range c.Steps {
		fmt.Fprintf(out, "    %s %s\n", s.Keyword, s.Text)
		for _, row := range s.Table {
			fmt.Fprintf(out, "      | %s |\n", strings.Join(row, " | "))
		}
	}
}

func unknownID(what, id string) error {
	usage := cli.Usagef("no %s has the id %q", what, id)
	usage.Hint = `run "grasp-check list" for the ids`
	return usage
}
