package suite

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/spec"
)

// A ref that waits for its event lives for a while (G01-PR-07), and a check looks for it shortly before that is over. At a server that
// takes long for each request it may be over by then: nobody knows when within a push a server begins to count, and when within an
// answer it looks.

// restsOnPlaced is the row of that life.
const restsOnPlaced = "G01-PR-07"

// placing remembers when the refs of a push were sent that may have to wait for their events.
func (w *world) placing(rows [][]string) {
	for _, row := range rows {
		if !strings.HasPrefix(row[0], eventRefs) {
			continue
		}
		if w.git.placed == nil {
			w.git.placed = make(map[string]time.Time)
		}
		w.git.placed[row[0]] = w.run.target.Now()
	}
}

// unlessPlacedLongAgo keeps a server from being accused of a ref whose time was over before a check came to its end that waits for nothing.
func (w *world) unlessPlacedLongAgo(end outcome) outcome {
	if !end.verdict.Violated() || w.check.Wait() > 0 {
		return end
	}
	for ref, at := range w.git.placed {
		if old := w.run.target.Now().Sub(at); strings.Contains(end.reason, ref+` is at ""`) && old >= spec.UnmatchedRefLife {
			return outcome{verdict: Inconclusive, step: end.step, reason: fmt.Sprintf("%s, and it was pushed %v ago, for requests take long here", end.reason, old.Round(time.Second))}
		}
	}
	return end
}

// unlessOverdue is the outcome of a look at the refs that began then and found something wrong. Of a ref that has gone it says nothing,
// where its time may have been over when the server looked.
func (w *world) unlessOverdue(complaint string, began time.Time, out outcome) outcome {
	if !slices.Contains(w.check.Requirements, restsOnPlaced) {
		return out
	}
	w.run.mu.Lock()
	answer := w.run.git
	w.run.mu.Unlock()
	for ref, at := range w.git.placed {
		old := began.Add(answer).Sub(at)
		if strings.HasPrefix(complaint, ref+` is at ""`) && old >= spec.UnmatchedRefLife {
			return outcome{verdict: Inconclusive, reason: fmt.Sprintf("%s, and it was pushed %v ago, for requests take long here", complaint, old.Round(time.Second))}
		}
	}
	return out
}
