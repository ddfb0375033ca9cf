package features

import (
	"bytes"
	"slices"

	messages "github.com/cucumber/messages/go/v21"
)

// A block is where a scenario stands in its file. Lines count from 1.
type block struct {
	head     int   // the last line that belongs to all scenarios
	from, to int   // the scenario, its tags included
	rows     []int // of its Examples
}

// Excerpt is the text of a feature file with one check alone: the head of the file and the check, or its row of the Examples. The
// check is of that file and from [Load]; otherwise the text is whole. Its lines are not where they stand in the file: a parser
// takes as long over a blank line as over a step, and most lines of a file belong to other checks.
func Excerpt(text []byte, c Check) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if c.block == nil || c.block.to > len(lines) {
		return text
	}
	var out []byte
	for _, line := range lines[:c.block.head] {
		out = append(out, line...)
	}
	for n := c.block.from; n <= c.block.to; n++ {
		if n == c.Line || !slices.Contains(c.block.rows, n) {
			out = append(out, lines[n-1]...)
		}
	}
	return out
}

// blocksOf are the blocks of a feature by the node ids of its scenarios. Last is the last line of the file.
func blocksOf(f *messages.Feature, last int) map[string]*block {
	var all []*block
	byID := make(map[string]*block)
	for _, child := range f.Children {
		if child.Rule != nil {
			return nil // the head of a rule belongs to its own scenarios alone
		}
		s := child.Scenario
		if s == nil {
			continue // the background belongs to the head
		}
		b := &block{from: int(s.Location.Line)}
		for _, tag := range s.Tags {
			b.from = min(b.from, int(tag.Location.Line))
		}
		for _, examples := range s.Examples {
			for _, row := range examples.TableBody {
				b.rows = append(b.rows, int(row.Location.Line))
			}
		}
		all, byID[s.Id] = append(all, b), b
	}
	for i, b := range all {
		b.head, b.to = all[0].from-1, last
		if i+1 < len(all) {
			b.to = all[i+1].from - 1
		}
	}
	return byID
}
