package suite_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
)

// A refusal and its accepted twin, and nothing else.
const refusalWithTwin = `
  @G01-ANN-02
  Scenario: an announcement that lists another clone host is refused
    When the owner announces the repository with:
      | clone | https://git.example.invalid/x.git |
    Then the event is refused
    But the same announcement listing this service is accepted
`

func TestTwinDecidesWhatARefusalIsWorth(t *testing.T) {
	bad := func(msg string) bool { return strings.Contains(msg, "git.example.invalid") }
	ok := func(args []json.RawMessage, accept bool, text string) []string {
		return answerAll(accept, text)("EVENT", args)
	}
	for name, c := range map[string]struct {
		drops func(string) bool
		frame func(bad bool, args []json.RawMessage) []string
		want  suite.Verdict
	}{
		"refused and accepted": {nil, func(bad bool, args []json.RawMessage) []string {
			return ok(args, !bad, "invalid: not listed")
		}, suite.Pass},
		"both accepted":                     {nil, func(_ bool, args []json.RawMessage) []string { return ok(args, true, "") }, suite.Fail},
		"both refused":                      {nil, func(_ bool, args []json.RawMessage) []string { return ok(args, false, "invalid: no") }, suite.DependencyFail},
		"dropped connection, accepted twin": {bad, func(_ bool, args []json.RawMessage) []string { return ok(args, true, "") }, suite.Fail},
		"dropped connection, refused twin": {bad, func(_ bool, args []json.RawMessage) []string {
			return ok(args, false, "invalid: no")
		}, suite.Inconclusive},
		"silence, accepted twin": {nil, func(bad bool, args []json.RawMessage) []string {
			if bad {
				return nil
			}
			return ok(args, true, "")
		}, suite.Fail},
		"refused, silent twin": {nil, func(bad bool, args []json.RawMessage) []string {
			if bad {
				return ok(args, false, "invalid: not listed")
			}
			return nil
		}, suite.Inconclusive},
	} {
		f := newFake()
		f.exchange = status(200, "{}")
		f.drops = c.drops
		f.frame = func(label string, args []json.RawMessage) []string {
			if label != "EVENT" {
				return answerAll(true, "")(label, args)
			}
			return c.frame(bad(string(args[0])), args)
		}
		r := judge(t, f, func(cfg *suite.Config) { cfg.Features = featureOf(refusalWithTwin) })
		if got := r.Checks[0]; got.Verdict != c.want {
			t.Errorf("%s: got %s (%s), want %s", name, got.Verdict, got.Reason, c.want)
		}
	}
}

// What a check violates beside its primary requirement is that requirement's own affair.
func TestFindingsPerRequirement(t *testing.T) {
	f := newFake()
	f.exchange = func(*http.Request) (int, http.Header, string, error) {
		return 404, http.Header{"Access-Control-Allow-Origin": {"*"}, "Access-Control-Allow-Headers": {"Accept, CONTENT-TYPE"}}, "", nil
	}
	r := judge(t, f, func(cfg *suite.Config) { cfg.ID = "G01-CORS-01.path" })
	want := map[string]suite.Verdict{"G01-CORS-01": suite.Pass, "G01-CORS-02": suite.Fail, "G01-CORS-03": suite.Pass}
	for _, finding := range r.Checks[0].Findings {
		if finding.Verdict != want[finding.ID] {
			t.Errorf("%s: got %s (%s), want %s", finding.ID, finding.Verdict, finding.Reason, want[finding.ID])
		}
	}
}
