package suite

import (
	"fmt"
	"regexp/syntax"
	"strconv"
	"strings"
)

// An actor may be any of these; whose repository a step means without saying so is the owner's.
const actorNames = `owner|maintainer|second maintainer|stranger|contributor`

// A placeholder is a word in braces that stands for a group in the text of a step.
type placeholder struct{ word, expr, doc string }

// placeholders are those words. {date} and {name} are groups that may be empty.
func placeholders() []placeholder {
	return []placeholder{
		{"{actor}", `(` + actorNames + `)`, "one of the actors"},
		{"{actors}", `((?:the (?:` + actorNames + `)(?: and )?)+)`, "actors, joined by \"and\""},
		{"{of}", `(?: of the repository "([a-z]+)")?`, "nothing, or which of the author's named repositories it is of"},
		{"{repositories}", `((?:the (?:` + actorNames + `)'s repository "[a-z]+"(?: and )?)+)`, "repositories with their names in quotes, joined by \"and\""},
		{"{date}", `(?: dated (\d+))?`, "nothing, or created_at in seconds from the start of the check; later ones are one second later each"},
		{"{name}", `(?: "([a-z]+)")?`, "nothing, or a name in quotes by which later steps speak of the thing"},
		{"{names}", `((?:"[a-z]+"(?:, )?)+|nothing)`, "names in quotes, or \"nothing\""},
		{"{number}", `(\d+)`, "digits"},
		{"{label}", `((?:announcement|state|event|issue|pull request|update)(?: "[a-z]+")?)`, "an event of the check: the last of its kind, or the one of that name"},
		{"{any}", `(.+)`, "any text; the checks show which texts there are"},
	}
}

// compile makes the expression of a step's text.
func (s *step) compile() {
	expr := s.text
	for _, p := range placeholders() {
		expr = strings.ReplaceAll(expr, p.word, p.expr)
	}
	s.form = &expression{text: "^" + expr + "$"}
	s.word = longestWord(expr)
}

// longestWord is the longest text that whatever fits an expression of ours has to hold.
func longestWord(expr string) string {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic("suite: invariant: text of a step: " + err.Error())
	}
	longest := ""
	parts := []*syntax.Regexp{parsed}
	if parsed.Op == syntax.OpConcat {
		parts = parsed.Sub
	}
	for _, part := range parts {
		if part.Op == syntax.OpLiteral && len(string(part.Rune)) > len(longest) {
			longest = string(part.Rune)
		}
	}
	return longest
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
