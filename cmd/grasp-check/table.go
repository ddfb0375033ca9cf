package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
)

// tableHead begins the table of coverage.
const tableHead = `# Coverage

What judges each requirement, and which planted mistakes its checks catch. A mistake in italics is caught by another
requirement first. This file is printed by ` + "`grasp-check list --table`" + `.
`

// checksShown bounds the checks of one requirement that are named.
const checksShown = 6

// writeTable writes the requirements, section by section, as tables in Markdown. No cell is empty.
func writeTable(w io.Writer, rows []spec.Requirement, checks []features.Check) error {
	carried := make(map[string][]features.Check)
	for _, c := range checks {
		for _, id := range c.Requirements {
			carried[id] = append(carried[id], c)
		}
	}
	var out strings.Builder
	out.WriteString(tableHead)
	section := ""
	for _, r := range rows {
		if r.Section != section {
			section = r.Section
			fmt.Fprintf(&out, "\n## %s\n\n| requirement | score | judged by | mistakes caught |\n| --- | --- | --- | --- |\n", section)
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", r.ID, r.Score, cell(judges(r, carried[r.ID])), cell(catches(r)))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// cell keeps a text in one cell of a table.
func cell(text string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text) }

// judges tells what judges a requirement, and what nothing does.
func judges(r spec.Requirement, checks []features.Check) string {
	rest := ""
	if r.Coverage.Rest != "" {
		rest = "; not judged: " + r.Coverage.Rest
	}
	switch r.Coverage.Kind {
	case spec.Checked:
	case spec.Proven:
		return "the test " + r.Coverage.Text + ": " + r.Coverage.Rest
	case spec.Watched:
		return "the monitor of the simulated world, " + r.Coverage.Text
	default:
		return r.Coverage.Kind.String() + ": " + r.Coverage.Text
	}
	var names []string
	for _, c := range checks {
		name := c.ID
		for _, world := range []string{"sim-only", "live-only"} {
			if why, _ := c.Value("because:"); c.Has(world) {
				name += " (" + world + ": " + why + ")"
			}
		}
		names = append(names, name)
	}
	count := fmt.Sprintf("%d checks: ", len(names))
	if len(names) == 1 {
		count = ""
	}
	more := ""
	if len(names) > checksShown {
		more = fmt.Sprintf(" and %d more", len(names)-checksShown)
		names = names[:checksShown]
	}
	return count + strings.Join(names, ", ") + more + rest
}

// catches tells the defects that a requirement catches, or why there is none.
func catches(r spec.Requirement) string {
	names := r.Catches()
	for _, d := range spec.Defects() {
		if slices.Contains(d.Also, r.ID) {
			names = append(names, "*"+d.Name+"*")
		}
	}
	if len(names) > 0 {
		return strings.Join(names, ", ")
	}
	return "none: " + spec.Uncaught(r)
}
