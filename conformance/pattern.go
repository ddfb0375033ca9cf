package conformance

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
)

// testPattern is what go test -run asks for of the subtests of a test; "" is all. It is read so that checks whose subtests would not
// be shown do not run.
func testPattern(of string) string {
	run := flag.Lookup("test.run")
	if run == nil {
		return ""
	}
	return atLevel(run.Value.String(), strings.Count(of, "/")+1)
}

// atLevel is the part of a pattern that is about one level of subtests, of which 0 is the test itself. Slashes in brackets do not part
// it (package testing).
func atLevel(pattern string, level int) string {
	if alternatives(pattern) {
		return "" // all of them have their say in package testing
	}
	parts := split(pattern, '/')
	if level >= len(parts) {
		return ""
	}
	return parts[level]
}

// alternatives reports whether a pattern is several.
func alternatives(pattern string) bool { return len(split(pattern, '|')) > 1 }

// split cuts a pattern at a sign that is not in brackets.
func split(pattern string, sign byte) []string {
	depth, from := 0, 0
	var parts []string
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case sign:
			if depth == 0 {
				parts = append(parts, pattern[from:i])
				from = i + 1
			}
		}
	}
	return append(parts, pattern[from:])
}

// narrowed adds to a tag expression that only requirements whose ids fit a pattern are judged.
func narrowed(tags, pattern string, checks []features.Check, rows []spec.Requirement) (string, error) {
	if pattern == "" {
		return tags, nil
	}
	expr, err := regexp.Compile(pattern)
	if err != nil {
		return "", fmt.Errorf("pattern of go test -run: %w", err)
	}
	var words []string
	for _, row := range rows {
		if expr.MatchString(row.ID) && slices.ContainsFunc(checks, func(c features.Check) bool { return slices.Contains(c.Requirements, row.ID) }) {
			words = append(words, row.ID)
		}
	}
	if len(words) == 0 {
		return "", fmt.Errorf("pattern of go test -run: no requirement with a check fits %q", pattern)
	}
	var of []string
	for _, c := range checks {
		if slices.ContainsFunc(c.Requirements, func(id string) bool { return slices.Contains(words, id) }) {
			of = append(of, c.Tags[0])
		}
	}
	slices.Sort(of)
	narrow := "(" + strings.Join(slices.Compact(of), " or ") + ")"
	if tags != "" {
		narrow = "(" + tags + ") and " + narrow
	}
	return narrow, nil
}
