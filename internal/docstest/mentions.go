package docstest

import (
	"regexp"
	"strings"
)

// A mention is a command line of ours that a page shows, whether it is carried out or not.
type mention struct {
	line int // from 1
	text string
}

// ours is a command line of ours in a line of a block, alone or behind another command.
var ours = regexp.MustCompile(`(?:^|&& |\| |\()(?:[A-Z_]+=\S+ )*(?:go run \./cmd/)?(grasp-(?:check|sim|wrong)(?: .*)?)$`)

// behind is where a command line ends before the line does.
var behind = regexp.MustCompile(`(?: +#| \|| >| <|\)$| &&).*$`)

// mentions are those of a page. What a backslash ends goes on in the next line.
func mentions(page string) (all []mention) {
	inside, begun := false, ""
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "```") {
			inside, begun = !inside, ""
			continue
		}
		if !inside {
			continue
		}
		line = begun + strings.TrimPrefix(strings.TrimSpace(line), "$ ")
		begun = ""
		if part, more := strings.CutSuffix(line, "\\"); more {
			begun = part
			continue
		}
		if m := ours.FindStringSubmatch(line); m != nil {
			all = append(all, mention{line: i + 1, text: behind.ReplaceAllString(m[1], "")})
		}
	}
	return all
}
