package suite_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
)

// A server that takes what it has to take, and says no to the same in the set-up of something else, is not let go: no check of its own
// would name the requirement. Silence says no to nothing.
func TestWhatIsRefusedToOthersAloneIsNamed(t *testing.T) {
	const set = `
  @G01-WEB-01.second
  Scenario: it is there
    Given the owner announced the repository
    Then relay and git still answer
`
	const own = `
  @G01-ANN-01.first
  Scenario: it is accepted
    When the owner announces the repository
    Then the event is accepted
`
	for _, test := range []struct {
		name   string
		silent bool
		want   suite.Verdict
	}{
		{"refused", false, suite.Fail},
		{"not answered", true, suite.Pass},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake()
			f.exchange = status(200, "{}")
			announced := 0
			f.frame = func(label string, args []json.RawMessage) []string {
				if label != "EVENT" || !strings.Contains(string(args[0]), `"kind":30617`) {
					return answerAll(true, "")(label, args)
				}
				if announced++; announced < 3 { // the lighthouse and the first check
					return answerAll(true, "")(label, args)
				}
				if test.silent {
					return nil
				}
				return []string{fmt.Sprintf(`["OK",%q,false,"invalid: not again"]`, eventID(args[0]))}
			}
			r := judge(t, f, func(cfg *suite.Config) { cfg.Features, cfg.Parallel = featureOf(own+set), 1 })
			for _, row := range r.Requirements {
				if row.Requirement.ID == "G01-ANN-01" && row.Verdict != test.want {
					t.Errorf("got %s (%s), want %s", row.Verdict, row.Reason, test.want)
				}
			}
		})
	}
}
