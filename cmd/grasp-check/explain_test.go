package main

import (
	"strings"
	"testing"
)

// What explain tells fits on a terminal, in which a word may be longer than its line, and says the same as without one.
func TestExplainFolds(t *testing.T) {
	for _, id := range []string{"G01-PURG-07", "G01-N11-02", "G08-06", "G01-PUSH-17"} {
		text, err := explain(id)
		if err != nil {
			t.Fatal(err)
		}
		if folded(text, 0) != text {
			t.Errorf("%s: folded for no terminal", id)
		}
		for _, width := range []int{79, 40, 10, 1} {
			narrow := folded(text, width)
			if got, want := strings.Fields(narrow), strings.Fields(text); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s in %d columns says something else:\n%s", id, width, narrow)
			}
			for line := range strings.Lines(narrow) {
				if r := []rune(strings.TrimSuffix(line, "\n")); width >= 79 && len(r) >= width && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("%s: %d columns: %s", id, len(r), line)
				}
			}
		}
	}
}
