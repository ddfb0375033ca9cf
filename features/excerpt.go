package features

import (
	"bytes"

	messages "github.com/cucumber/messages/go/v21"
)

// A block is where a scenario stands in its file. Lines count from 1.
type block struct {
	head     int   // the last line that belongs to all scenarios
	from, to int   // the scenario, its tags included
	rows     []int // of its Examples
}

// Excerpt is the text of a feature file with the checks given alone, each on the line where it stands in the file: what
// belongs to others is blank. All checks are of that file and from [Load]; otherwise the text is whole.
func Excerpt(text []byte, checks []Check) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	wanted := make([]bool, len(lines)+1)
	for _, c := range checks {
		if c.block == nil || c.block.to > len(lines) {
			return text
		}
		for n := 1; n <= c.block.head; n++ {
			wanted[n] = true
		}
		for n := c.block.from; n <= c.block.to; n++ {
			wanted[n] = true
		}
		for _, n := range c.block.rows {
			wanted[n] = false
		}
	}
	var out []byte
	for _, c := range checks {
		wanted[c.Line] = true // an Examples row, or the title, which is there already
	}
	for i, line := range lines {
		if wanted[i+1] {
			out = append(out, line...)
		} else if len(line) > 0 {
			out = append(out, '\n')
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
