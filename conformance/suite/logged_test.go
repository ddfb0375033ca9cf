package suite_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
)

// A writing fake has a log, with a line for each message.
type writing struct {
	*fake

	mu    sync.Mutex
	lines []string // guarded by mu
}

func (f *writing) Mark() target.LogMark {
	f.mu.Lock()
	defer f.mu.Unlock()
	return target.LogMark(len(f.lines))
}

func (f *writing) Since(mark target.LogMark) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.lines[mark:], "\n")
}

// A check that does not pass has what the server wrote meanwhile; one that passes has nothing of it.
func TestLogIsCutByChecks(t *testing.T) {
	f := &writing{fake: newFake(), lines: []string{"message 0, before everything"}}
	f.exchange = status(404, "")
	answer := answerAll(true, "")
	f.frame = func(label string, args []json.RawMessage) []string {
		f.mu.Lock()
		f.lines = append(f.lines, fmt.Sprintf("message %d", len(f.lines)))
		f.mu.Unlock()
		return answer(label, args)
	}
	r := judge(t, f, func(c *suite.Config) { c.ID, c.Parallel = "G01-ANN", 1 })
	seen := make(map[string]string)
	for _, c := range r.Checks {
		switch {
		case c.Verdict == suite.Fail:
			first, _, _ := strings.Cut(c.Log, "\n")
			if !strings.HasPrefix(first, "message ") || strings.Contains(c.Log, "before everything") || seen[first] != "" {
				t.Errorf("%s: got the log %.80q (%s began alike), want lines of its own", c.Check.ID, c.Log, seen[first])
			}
			seen[first] = c.Check.ID
		case c.Verdict == suite.Pass && c.Log != "":
			t.Errorf("%s: passed, with the log %.40q", c.Check.ID, c.Log)
		}
	}
	if len(seen) < 3 {
		t.Errorf("got %d violations, want some", len(seen))
	}
}
