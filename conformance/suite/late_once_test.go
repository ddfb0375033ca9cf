package suite_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
)

// One answer that does not come on a server that gives all others decides nothing: the check is tried again.
func TestWhatOneAnswerIsLackingForIsTriedAgain(t *testing.T) {
	var rows strings.Builder
	for i := range 40 {
		fmt.Fprintf(&rows, "      | n%d |\n", i)
	}
	scenarios := "\n  @G01-ANN-01\n  Scenario Outline: it is accepted, <id>\n    When the owner announces the repository\n    Then the event is accepted\n\n    Examples:\n      | id |\n" + rows.String()
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
	r := judge(t, f, func(cfg *suite.Config) { cfg.Features = featureOf(scenarios) })
	if n := count(r); n[suite.Pass] != 40 || silences != 1 {
		t.Errorf("got %v with %d silences, want 40 PASS and one", n, silences)
	}
}
