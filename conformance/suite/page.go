package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/features"
)

// pageHead begins the page about the steps.
const pageHead = `# Steps

Every form of step that a feature may use, by role. This file is printed by ` + "`grasp-check list --steps`" + `;
[README.md](README.md) tells what the words mean. A step whose text ends in a colon has a table.

| role | what it is for |
| --- | --- |
| set-up | brings about what the check rests on; that it cannot is no violation of the check's requirement |
| act | does what the check is about, and judges nothing |
| assertion | judges what the act brought |
| record | notes a fact, whatever it is |
| twin | the accepted counterpart of a refusal, which differs in the one tested thing |
| control | shows that the target is as it was; it never scores |

In the texts below these words stand for:

`

// StepsPage describes every form of step in Markdown: those that judge any server first, then those that only checks of
// the reference's own rules use.
func StepsPage(checks []features.Check) string {
	r := theRegistry()
	foreign := make(map[string]bool)
	for _, c := range checks {
		folder, _, _ := strings.Cut(c.File, "/")
		if slices.Contains(features.FoldersOfTheReference(), folder) {
			continue
		}
		for _, b := range r.of(c) {
			foreign[b.step.text] = true
		}
	}
	var out strings.Builder
	out.WriteString(pageHead)
	out.WriteString("| word | what fits |\n| --- | --- |\n")
	for _, p := range placeholders() {
		fmt.Fprintf(&out, "| `%s` | %s |\n", p.word, p.doc)
	}
	for _, part := range []struct {
		title   string
		foreign bool
	}{{"Steps that judge any server", true}, {"Steps of the rules of the reference alone", false}} {
		fmt.Fprintf(&out, "\n## %s\n", part.title)
		for role := setUp; role <= control; role++ {
			rows := r.rows(role, func(s step) bool { return foreign[s.text] == part.foreign })
			if len(rows) > 0 {
				fmt.Fprintf(&out, "\n### %s\n\n| step | what it does or judges | sees | within | costs | needs |\n| --- | --- | --- | --- | --- | --- |\n%s",
					role, strings.Join(rows, ""))
			}
		}
	}
	return out.String()
}

// rows are the rows of the page for the steps of a role that are wanted.
func (r *registry) rows(role role, wanted func(step) bool) []string {
	var rows []string
	for _, s := range r.steps {
		if s.role != role || !wanted(s) {
			continue
		}
		within := ""
		if s.within > 0 {
			within = s.within.String()
		}
		doc := s.doc
		if s.absent {
			doc += " (behind the barrier)"
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s |\n",
			strings.ReplaceAll(plainText(s.text), "|", `\|`), doc, s.sees, within, s.cost, strings.Join(s.needs, ", ")))
	}
	return rows
}

// plainText writes an expression of ours as an author would: groups without the marks of expressions.
func plainText(text string) string {
	return strings.NewReplacer(`(?:`, `(`, `(\w+)`, `WORD`, `(\w)`, `LETTER`, `(\S+)`, `WORD`, `(/.+)`, `PATH`, `(refs/.+)`, `REF`,
		`([^"]+)`, `TEXT`, `(.+)`, `TEXT`, `([0-9, ]+)`, `NUMBERS`).Replace(text)
}

// String writes what a step leaves behind, such as "1 event, 1 push".
func (c cost) String() string {
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{{c.events, "event", "events"}, {c.pushes, "push", "pushes"}} {
		switch {
		case p.n == 1:
			parts = append(parts, "1 "+p.one)
		case p.n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.many))
		}
	}
	text := strings.Join(parts, ", ")
	if c.each {
		text += " each"
	}
	return text
}
