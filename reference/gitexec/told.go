package gitexec

import (
	"strings"
	"unicode"
)

// toldMax is how many lines of git a pusher is told.
const toldMax = 8

// told returns what git has said of a pack that it refuses, for who has sent it: each line without what begins it and
// without whatever is no text. A line that names a folder of the server is left out.
func (c *child) told(dir string) []string {
	var lines []string
	for line := range strings.Lines(string(c.stderr.text)) {
		line = strings.TrimSpace(strings.Map(printable, line))
		for _, level := range []string{"error: ", "fatal: ", "warning: "} {
			if rest, ok := strings.CutPrefix(line, level); ok && !strings.Contains(rest, dir) && len(lines) < toldMax {
				lines = append(lines, explained(rest))
			}
		}
	}
	return lines
}

func printable(r rune) rune {
	if r != '\n' && !unicode.IsPrint(r) {
		return '?'
	}
	return r
}

// explained says what it means that a process has died of a limit.
func explained(line string) string {
	switch {
	case strings.HasSuffix(line, "died of signal 24"), strings.HasSuffix(line, "died of signal 9"):
		return "the pack takes more processor time than the server gives to one of its size"
	case strings.Contains(line, "over limit "), strings.HasPrefix(line, "Out of memory"):
		return "the pack takes more memory than the server gives to one push"
	}
	return line
}

// reason is the first of the lines, or what else is known.
func reason(lines []string, otherwise string) string {
	if len(lines) > 0 {
		return lines[0]
	}
	return otherwise
}
