package launch

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/graspkit/graspkit/conformance/target"
)

// Limits of what is kept of a server's output.
const (
	// OutputMax bounds the bytes that are kept: the last ones.
	OutputMax = 64 << 10

	lineMax  = 4 << 10 // bytes of one line that the pattern of readiness sees
	shownMax = 20      // lines that an error shows
	widthMax = 400     // bytes of a line that an error shows
)

// A Tail keeps the last OutputMax bytes that are written to it. It may be written and read at the same time.
type Tail struct {
	mu    sync.Mutex // guards what follows
	kept  []byte
	total int64 // bytes written so far
}

// Write never fails, so that nothing is stopped by the keeping of its output.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total += int64(len(p))
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - OutputMax; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

// String returns what is kept, from the beginning of a line.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := string(t.kept)
	if len(text) == OutputMax {
		if _, whole, ok := strings.Cut(text, "\n"); ok {
			text = whole
		}
	}
	return text
}

// Mark is the end of what was written so far, in bytes from the beginning.
func (t *Tail) Mark() target.LogMark {
	t.mu.Lock()
	defer t.mu.Unlock()
	return target.LogMark(t.total)
}

// Since returns what was written after a mark, as of target.Logs.
func (t *Tail) Since(mark target.LogMark) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	written := max(0, t.total-int64(mark))
	return Cut(t.kept[len(t.kept)-int(min(written, int64(len(t.kept)))):], written)
}

// Cut returns the end of a log, of which so many bytes were written and these are left, as target.Logs wants it.
func Cut(left []byte, written int64) string {
	if over := len(left) - target.LogMax + leftOutMax; over > 0 {
		left = left[over:]
	}
	text := string(left)
	if int64(len(left)) < written {
		if _, whole, ok := strings.Cut(text, "\n"); ok {
			text = whole
		}
		text = fmt.Sprintf(leftOut, written-int64(len(text)), text)
	}
	return strings.ToValidUTF8(text, "?")
}

// leftOut stands for the lines that were left out, and leftOutMax bounds what it takes.
const (
	leftOut    = "(%d bytes before are left out)\n%s"
	leftOutMax = 64
)

// An output keeps the end of what a server writes, on stdout and stderr alike and over restarts, and looks for the
// line that says that it is ready. It may be written and read at the same time.
type output struct {
	Tail

	mu    sync.Mutex     // guards what follows
	line  []byte         // the line that is being written, up to lineMax
	ready *regexp.Regexp // nil when nobody waits for a line
	found chan struct{}  // closed when ready has matched
}

// await makes the output look for a line that matches from now on, and returns a channel that is closed at the first.
func (o *output) await(pattern *regexp.Regexp) <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ready, o.line, o.found = pattern, nil, make(chan struct{})
	return o.found
}

// Write takes what the server has written. It is kept before anybody is told of a line in it: who has waited for a line
// finds it in the output.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, _ = o.Tail.Write(p)
	for rest := p; o.ready != nil && len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte("\n"))
		o.line = append(o.line, part[:min(len(part), lineMax-len(o.line))]...)
		if ended {
			if o.ready.Match(bytes.TrimSuffix(o.line, []byte("\r"))) {
				o.ready = nil
				close(o.found)
			}
			o.line = o.line[:0]
		}
		rest = after
	}
	return len(p), nil
}

// Shown makes the end of a server's output fit to be shown: the last 20 lines, indented, of which nothing can steer a
// terminal. It is "" if there is no output.
func Shown(text string) string {
	text = strings.TrimRight(strings.ToValidUTF8(text, "?"), "\r\n")
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-shownMax):]
	for i, line := range lines {
		if len(line) > widthMax {
			line = strings.ToValidUTF8(line[:widthMax], "") + "..."
		}
		lines[i] = "  | " + strings.Map(func(r rune) rune {
			if r != '\t' && !unicode.IsPrint(r) {
				return -1
			}
			return r
		}, line)
	}
	return strings.Join(lines, "\n")
}
