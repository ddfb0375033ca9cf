//go:build unix

package findtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// tableOf is the report as it is kept: what does not change from one machine to another.
func tableOf(mutants, defects []judged) string {
	var text strings.Builder
	fmt.Fprintf(&text, `# What the simulated world finds

Small mistakes, planted one at a time in what decides, are run in the scenarios and in drawn worlds of the simulator; invariants
and the model alone may speak against them. Mutants are drawn by the seeds %s; each may live through %d seeds of each world, and
%v of processor time.
Made by `+"`make find N=%d SEED=%s CPU=%v TABLE=docs/find.md`.\n", strings.Join(seeds(), " and "), seedsMax, *findMax, *findCount, *findSeed, *findMax)
	fmt.Fprintf(&text, "\n## Mutants by package\n\n%s", scoreHead)
	rows(&text, mutants, func(j judged) string { return j.Package })
	text.WriteString(scoreOf(mutants).row("all"))
	fmt.Fprintf(&text, "\n## Mutants by kind of mistake\n\n%s", scoreHead)
	rows(&text, mutants, func(j judged) string { return j.Operator })
	for i, seed := range seeds() {
		if i == 0 {
			fmt.Fprintf(&text, "\n## Mutants by what drew them\n\n%s", scoreHead)
		}
		of := slices.DeleteFunc(slices.Clone(mutants), func(j judged) bool { return !slices.Contains(j.Drawn, seed) })
		text.WriteString(scoreOf(of).row("seed " + seed))
	}
	text.WriteString("\n## Mutants that are not seen\n")
	listed(&text, mutants)
	fmt.Fprintf(&text, "\n## Planted defects on seams that the world has\n\n%s%s", scoreHead, scoreOf(defects).row("defects"))
	listed(&text, defects)
	fmt.Fprintf(&text, "\nSeen:")
	for _, j := range defects {
		if j.seen() {
			fmt.Fprintf(&text, "\n%s (%s)", j.What, j.Violation)
		}
	}
	text.WriteString("\n")
	return text.String()
}

// rows writes a row for each sort of mistakes.
func rows(text *strings.Builder, list []judged, of func(judged) string) {
	by := map[string][]judged{}
	for _, j := range list {
		by[of(j)] = append(by[of(j)], j)
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		text.WriteString(scoreOf(by[name]).row(name))
	}
}

// listed writes the mistakes that are not seen: those that share a reason together, those without one last.
func listed(text *strings.Builder, list []judged) {
	by := map[string][]judged{}
	for _, j := range list {
		if !j.seen() {
			by[j.Reason] = append(by[j.Reason], j)
		}
	}
	open := by[""]
	delete(by, "")
	write := func(reason string, list []judged) {
		fmt.Fprintf(text, "\n%s\n\n", reason)
		for _, j := range list {
			fmt.Fprintf(text, "- `%s` (%s)\n", strings.ReplaceAll(j.Key, "`", "'"), j.End)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		write(reason, by[reason])
	}
	if len(open) > 0 {
		write("No reason is known why nobody could tell:", open)
	}
}
