package timeline

import (
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"
)

// WidthMin is the narrowest text that a timeline is drawn on.
const WidthMin = 60

// What a lane looks like in text.
const (
	lanePlain = '·' // of a person or a host
	laneUp    = '│' // of a server
	laneDown  = ' ' // of a server that is down
	mark      = 'o' // something happened
	markLost  = 'x'
	markCrash = '#'
	markStart = '^'
	markWrong = '!'
)

// Text draws the timeline on lines of at most width characters.
func (t *Timeline) Text(width int) string {
	width = max(width, WidthMin)
	lanes := t.lanes()
	short := t.shortNames(lanes)
	cell := 2
	for _, name := range lanes {
		cell = max(cell, len(short[name])+1)
	}
	room := width / 2 / cell // lanes
	columns := map[string]int{}
	for i, name := range lanes {
		columns[name] = min(i, room-1)
	}
	more := max(0, len(lanes)-room)
	var b strings.Builder
	t.legend(&b, lanes, short, width, room-1, more)
	shown := min(len(lanes), room)
	head := make([]string, shown)
	for i := range head {
		head[i] = short[lanes[i]]
		if more > 0 && i == shown-1 {
			head[i] = ".."
		}
	}
	line := fmt.Sprintf("%-12s ", "time")
	for _, name := range head {
		line += fmt.Sprintf("%-*s", cell, name)
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	down := maps.Clone(t.before)
	for _, r := range t.rows {
		if r.start {
			delete(down, r.node)
		}
		cells := t.cells(r, lanes[:shown], columns, cell, down)
		b.WriteString(cut(fmt.Sprintf("%-12s %s #%d %s", t.clock(r.record.At), cells, r.record.Seq, r.words()), width) + "\n")
		if r.ended {
			down[r.node] = true
		}
	}
	return b.String()
}

// cells draws the lanes of one row.
func (t *Timeline) cells(r row, lanes []string, columns map[string]int, cell int, down map[string]bool) string {
	line := []rune(strings.Repeat(" ", cell*len(lanes)))
	for i, name := range lanes {
		line[i*cell] = lanePlain
		if isServer(name) {
			line[i*cell] = laneUp
			if down[name] {
				line[i*cell] = laneDown
			}
		}
	}
	at := columns[r.node] * cell
	if r.peer != "" && columns[r.peer] != columns[r.node] {
		to := columns[r.peer] * cell
		for i := min(at, to) + 1; i < max(at, to); i++ {
			line[i] = '-'
		}
		if r.inward {
			at, to = to, at
		}
		head, beside := '>', to-1
		if to < at {
			head, beside = '<', to+1
		}
		if line[beside] = head; r.lost {
			line[beside] = markLost
		}
		at = columns[r.node] * cell
	}
	switch {
	case r.violated:
		line[at] = markWrong
	case r.lost && r.peer == "":
		line[at] = markLost
	case r.ended:
		line[at] = markCrash
	case r.start:
		line[at] = markStart
	default:
		line[at] = mark
	}
	return string(line)
}

// shortNames are names for the heads of lanes: the first letter and the number of servers and people.
func (t *Timeline) shortNames(lanes []string) map[string]string {
	short, hosts := map[string]string{}, 0
	for _, name := range lanes {
		switch {
		case t.hosts[name]:
			hosts++
			short[name] = fmt.Sprintf("h%d", hosts)
		case strings.HasPrefix(name, "stranger"):
			short[name] = "x" + strings.TrimPrefix(name, "stranger") // s is a server
		default:
			short[name] = name[:1] + strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz")
		}
	}
	return short
}

// legend says what the heads and marks mean. The last lane is of all that have no room, if there are more.
func (t *Timeline) legend(b *strings.Builder, lanes []string, short map[string]string, width, last, more int) {
	var words []string
	for i, name := range lanes {
		if more > 0 && i == last {
			words = append(words, fmt.Sprintf(".. %d others", more+1))
			break
		}
		words = append(words, short[name]+" "+name)
	}
	words = append(words, "o happens", "x lost", "# ends", "^ starts", "! violated")
	line := ""
	for i, word := range words {
		if i < len(words)-1 {
			word += ", "
		}
		if line != "" && len(line)+len(word) > width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = ""
		}
		line += word
	}
	b.WriteString(line + "\n")
}

// cut shortens a line to a width.
func cut(line string, width int) string {
	if utf8.RuneCountInString(line) <= width {
		return line
	}
	return string([]rune(line)[:width-1]) + "…"
}
