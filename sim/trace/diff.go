package trace

import (
	"bufio"
	"fmt"
	"io"
)

// LineMax is the longest line of a trace file that Diff reads, in bytes.
const LineMax = 1 << 20

// CommonMax is how many of the lines before a difference Diff keeps.
const CommonMax = 10

// A Difference is the first line in which two trace files differ. The text of a file that ended earlier is "". Of files that
// are equal, Line is the last one.
type Difference struct {
	Line   int // from 1
	A, B   string
	Before []string // the last lines before it, which both have; at most CommonMax
}

// Diff compares two trace files line by line and returns their first difference; false if there is none.
func Diff(a, b io.Reader) (Difference, bool, error) {
	as, bs := scanner(a), scanner(b)
	var before []string
	for line := 1; ; line++ {
		aMore, bMore := as.Scan(), bs.Scan()
		if err := as.Err(); err != nil {
			return Difference{}, false, fmt.Errorf("read line %d of the first trace: %w", line, err)
		}
		if err := bs.Err(); err != nil {
			return Difference{}, false, fmt.Errorf("read line %d of the second trace: %w", line, err)
		}
		if !aMore && !bMore {
			return Difference{Line: line - 1, Before: before}, false, nil
		}
		if aMore != bMore || as.Text() != bs.Text() {
			return Difference{Line: line, A: as.Text(), B: bs.Text(), Before: before}, true, nil
		}
		if len(before) == CommonMax {
			before = append(before[:0], before[1:]...)
		}
		before = append(before, as.Text())
	}
}

// scanner reads the records of a trace file: its first line, if it is that of this version, is none, and is not
// counted.
func scanner(r io.Reader) *bufio.Scanner {
	from := bufio.NewReaderSize(r, 4096)
	if begun, _ := from.Peek(len(headerLine)); string(begun) == headerLine {
		_, _ = from.Discard(len(headerLine)) // they are there
	}
	s := bufio.NewScanner(from)
	s.Buffer(nil, LineMax)
	return s
}
