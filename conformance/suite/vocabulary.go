package suite

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A definition is one form of step.
type definition struct {
	expr *regexp.Regexp
	run  func(w *world, words []string, table [][]string) outcome
}

// table reports whether the step has a table: its text ends in a colon.
func (d definition) table() bool { return strings.HasSuffix(d.expr.String(), ":$") }

// define makes a definition of a text in which a word in braces stands for a group; the rest is a regular
// expression. {date} and {name} are groups that may be empty.
func define(text string, run func(w *world, words []string, table [][]string) outcome) definition {
	const actor = `owner|maintainer|second maintainer|stranger|contributor`
	expr := strings.NewReplacer(
		"{actor}", `(`+actor+`)`,
		"{actors}", `((?:the (?:`+actor+`)(?: and )?)+)`,
		"{date}", `(?: dated (\d+))?`,
		"{name}", `(?: "([a-z]+)")?`,
		"{names}", `((?:"[a-z]+"(?:, )?)+|nothing)`,
		"{number}", `(\d+)`,
		"{label}", `((?:announcement|state|event|issue|pull request|update)(?: "[a-z]+")?)`,
		"{any}", `(.+)`,
	).Replace(text)
	return definition{expr: compiled("^" + expr + "$"), run: run}
}

// compiled is regexp.MustCompile, for texts of our own.
func compiled(expr string) *regexp.Regexp { return regexp.MustCompile(expr) }

// vocabulary is every form of step.
func vocabulary() []definition {
	var all []definition
	for _, family := range [][]definition{
		restartSteps(), hostSteps(),
		announcementSteps(), stateSteps(), eventSteps(), querySteps(), subscriptionSteps(), relatedSteps(),
		servedSteps(), pushSteps(), repositorySteps(), gitSteps(), visitSteps(), answerSteps(), hostileSteps(),
		lifetimeSteps(), reconciliationSteps(), siblingSteps(), pullRequestSteps(), deletionSteps(), vanishSteps(),
		authenticationSteps(), transportSteps(), expirySteps(), erasureSteps(),
		huntSteps(), listedSteps(),
	} {
		all = append(all, family...)
	}
	return all
}

// number reads a number that the expression of a step has matched.
func number(digits string) int64 {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("suite: invariant: number %q", digits))
	}
	return n
}

// names splits `"a", "b"`; the word nothing names none.
func names(list string) []string {
	var out []string
	if list == "nothing" {
		return nil
	}
	for _, part := range strings.Split(list, ",") {
		if name := strings.Trim(part, ` "`); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// actorsOf splits "the owner and the maintainer".
func actorsOf(list string) []string {
	var out []string
	for _, part := range strings.Split(list, " and ") {
		out = append(out, strings.TrimPrefix(strings.TrimSpace(part), "the "))
	}
	return out
}
