package coverage

import (
	"bufio"
	"fmt"
	"io"
)

// Summary writes how much of each group was reached, and what never was.
func (a *Account) Summary(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "reached:")
	for _, group := range Groups() {
		all, reached := 0, 0
		for _, i := range All() {
			if i.Group == group {
				all++
				if a.counts[i] > 0 {
					reached++
				}
			}
		}
		fmt.Fprintf(b, "  %-24s %d of %d\n", group, reached, all)
	}
	for _, i := range a.Never() {
		fmt.Fprintf(b, "  never %s: %s", i.Group, i.Name)
		if why := Why(i); why != "" {
			fmt.Fprintf(b, " (%s)", why)
		}
		fmt.Fprintln(b)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write coverage: %w", err)
	}
	return nil
}

// Table writes everything there is with how often it was reached, as a document. Runs says in words what was run, and
// by what command.
func (a *Account) Table(w io.Writer, runs, by string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# What the simulator reaches\n\nOf %s. Each row says how often it was reached; of what never was, why, where there is a reason.\nMade by `%s`.\n", runs, by)
	for _, group := range Groups() {
		fmt.Fprintf(b, "\n## %s\n\n| what | times |\n| --- | --- |\n", titles[group])
		for _, i := range All() {
			if i.Group != group {
				continue
			}
			times := fmt.Sprint(a.counts[i])
			if a.counts[i] == 0 {
				times = "never"
				if why := Why(i); why != "" {
					times += ": " + why
				}
			}
			fmt.Fprintf(b, "| %s | %s |\n", i.Name, times)
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

var titles = map[string]string{
	Ruling: "Refusals, by the rule", Fact: "Facts", Record: "Journal records", Transition: "What a repository is told in which phase",
	Limit: "Limits that were met", Crash: "Phases of repositories in a crash",
}
