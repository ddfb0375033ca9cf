package suite_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
)

// One answer that does not come on a server that gives all others decides nothing: the check is tried again.
func TestWhatOneAnswerIsLackingForIsTriedAgain(t *testing.T) {
	f := newFake()
	f.exchange = status(200, "{}")
	events, silences := 0, 0
	f.frame = func(label string, args []json.RawMessage) []string {
		if label == "EVENT" {
			if events++; events == 25 {
				silences++
				return nil
			}
		}
		return answerAll(true, "")(label, args)
	}
	r := judge(t, busy{f}, func(cfg *suite.Config) { cfg.Features, cfg.Parallel = featureOf(acceptedOften(40)), 1 })
	if n := count(r); n[suite.Pass] != 40 || silences != 1 {
		t.Errorf("got %v with %d silences, want 40 PASS and one", n, silences)
	}
}

// A busy target is late now and then, as no simulated one is.
type busy struct{ *fake }

func (busy) World() string { return "live" }

// acceptedOften are so many checks of which each sends one event.
func acceptedOften(n int) string {
	rows := ""
	for i := range n {
		rows += fmt.Sprintf("      | n%d |\n", i)
	}
	return `
  @G01-ANN-01
  Scenario Outline: it is accepted, <id>
    When the owner announces the repository
    Then the event is accepted

    Examples:
      | id |
` + rows
}
