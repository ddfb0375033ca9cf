package suite_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
)

func judge(t *testing.T, tgt target.Target, change func(*suite.Config)) *suite.Result {
	t.Helper()
	cfg := suite.Config{Features: features.FS, Seed: "test", Parallel: 2}
	if change != nil {
		change(&cfg)
	}
	result, err := suite.Run(t.Context(), tgt, cfg)
	if err != nil {
		t.Fatal(err)
	}
	a := result.Accounting
	if a.Run+a.Blocked+a.NotApplicable+a.Planned != a.Catalogue {
		t.Errorf("accounting: got %+v, which does not add up", a)
	}
	return result
}

// count counts the verdicts of checks.
func count(r *suite.Result) map[suite.Verdict]int {
	n := make(map[suite.Verdict]int)
	for _, c := range r.Checks {
		n[c.Verdict]++
		if c.Verdict == suite.HarnessError {
			panic(c.Check.ID + ": " + c.Reason)
		}
	}
	return n
}

func verdictOf(r *suite.Result, id string) suite.Verdict {
	for _, row := range r.Requirements {
		if row.Requirement.ID == id {
			return row.Verdict
		}
	}
	return ""
}

func TestUnreachableTargetIsBlockedAtOnce(t *testing.T) {
	f := newFake()
	f.dial = target.ErrUnreachable
	f.exchange = func(*http.Request) (int, http.Header, string, error) { return 0, nil, "", target.ErrUnreachable }
	r := judge(t, f, nil)
	if !r.Unreachable || f.dials > 0 {
		t.Errorf("got unreachable %v after %d dials, want true after none", r.Unreachable, f.dials)
	}
	if n := count(r); n[suite.Blocked] != len(r.Checks) {
		t.Errorf("got %v, want all of %d blocked", n, len(r.Checks))
	}
}

func TestSilentTargetsProveNothing(t *testing.T) {
	halfSilent := newFake()
	halfSilent.exchange = status(200, `{"name":"x"}`)
	wordless := newFake()
	for name, f := range map[string]*fake{"connections only": wordless, "silent relay": halfSilent} {
		f.frame = nil
		r := judge(t, f, func(c *suite.Config) { c.ID = "N01-" })
		n := count(r)
		passed := n[suite.Pass] + n[suite.Observed]
		if n[suite.Fail]+n[suite.Warn] > 0 || passed > 0 {
			t.Errorf("%s: got %v, want neither a violation nor a pass", name, n)
		}
		if r.Down == "" || n[suite.Blocked] == 0 {
			t.Errorf("%s: got down %q and %v, want the circuit breaker to have blocked the rest", name, r.Down, n)
		}
		if there := strings.Contains(r.Down, "it answers over HTTP all the same"); there != (f == halfSilent) {
			t.Errorf("%s: got down %q, want to be told whether it is there", name, r.Down)
		}
	}
}

// Who turns everybody away is right if its document says that it is for members, and wrong if not.
func TestPrivateServiceIsNotAccused(t *testing.T) {
	for _, listed := range []bool{true, false} {
		f := newFake()
		document := `{"supported_grasps":["GRASP-01"]}`
		if listed {
			document = `{"supported_grasps":["GRASP-01","GRASP-08"],"supported_nips":[42]}`
		}
		f.exchange = func(r *http.Request) (int, http.Header, string, error) {
			if target.RequestTarget(r) == "/" {
				return http.StatusOK, http.Header{"Content-Type": {"application/nostr+json"}}, document, nil
			}
			return http.StatusUnauthorized, nil, "", nil
		}
		f.frame = func(label string, args []json.RawMessage) []string {
			if label == "REQ" {
				return []string{fmt.Sprintf(`["CLOSED",%s,"auth-required: members only"]`, args[0])}
			}
			return answerAll(false, "auth-required: members only")(label, args)
		}
		for id, accused := range map[string]suite.Verdict{"N01-WS-01": suite.Fail, "N01-REQ-01.end": suite.Fail, "G01-GIT-10.fetch": suite.Warn} {
			want := []suite.Verdict{suite.NotApplicable, suite.Blocked} // of what a member would see
			if !listed {
				want = []suite.Verdict{accused}
			}
			for _, c := range judge(t, f, func(c *suite.Config) { c.ID = id }).Checks {
				if c.Check.ID == id && !slices.Contains(want, c.Verdict) {
					t.Errorf("%s, GRASP-08 listed: %v: got %s (%s), want %s", id, listed, c.Verdict, c.Reason, want)
				}
			}
		}
	}
}

func TestRateLimitsProveNothing(t *testing.T) {
	f := newFake()
	f.exchange = status(429, "")
	f.frame = answerAll(false, "rate-limited: slow down")
	r := judge(t, f, nil)
	if n := count(r); n[suite.Fail]+n[suite.Warn]+n[suite.Pass] > 1 { // the relay answers queries: N01-WS-01
		t.Errorf("got %v, want neither violations nor passes", n)
	}
}

func TestAcceptAllIsFoundOut(t *testing.T) {
	f := newFake()
	f.exchange = status(404, "")
	f.frame = answerAll(true, "")
	r := judge(t, f, nil)
	for _, id := range []string{"G01-ANN-02", "G01-ANN-03", "G01-ANN-04", "G01-ANN-09", "G01-ANN-10"} {
		if got := verdictOf(r, id); got != suite.Fail {
			t.Errorf("%s: got %s, want FAIL", id, got)
		}
	}
	if got := verdictOf(r, "G01-ANN-05"); got != suite.Warn {
		t.Errorf("G01-ANN-05: got %s, want WARN", got)
	}
	refusalsDoNotPass(t, r)
}

func TestRefuseAllPassesNoRefusal(t *testing.T) {
	f := newFake()
	f.exchange = status(404, "")
	f.frame = answerAll(false, "invalid: no")
	r := judge(t, f, nil)
	if got := verdictOf(r, "G01-ANN-01"); got != suite.Fail {
		t.Errorf("G01-ANN-01: got %s, want FAIL", got)
	}
	if got := verdictOf(r, "G01-ANN-02"); got != suite.DependencyFail {
		t.Errorf("G01-ANN-02: got %s, want DEPENDENCY_FAIL: its twin was refused", got)
	}
	refusalsDoNotPass(t, r)
}

func TestRefusalByPolicyIsNoViolation(t *testing.T) {
	f := newFake()
	f.exchange = status(404, "")
	f.frame = answerAll(false, "restricted: members only")
	r := judge(t, f, func(c *suite.Config) { c.ID = "G01-ANN-01" })
	if got := verdictOf(r, "G01-ANN-01"); got != suite.Unsupported {
		t.Errorf("got %s, want UNSUPPORTED", got)
	}
}

func TestServerErrorsProveNothingWithoutATwin(t *testing.T) {
	f := newFake()
	f.exchange = status(500, "")
	f.frame = answerAll(false, "error: no")
	r := judge(t, f, func(c *suite.Config) { c.ID = "G01-GIT" })
	if n := count(r); n[suite.Pass] > 0 || n[suite.Fail] > 0 {
		t.Errorf("got %v, want neither PASS nor FAIL", n)
	}
}

// refusalsDoNotPass: on a server that answers everything alike no check with a refusal passes.
func refusalsDoNotPass(t *testing.T, r *suite.Result) {
	t.Helper()
	for _, c := range r.Checks {
		for _, s := range c.Check.Steps {
			if strings.Contains(s.Text, "is refused") && c.Verdict == suite.Pass {
				t.Errorf("%s: got PASS on a server that answers everything alike", c.Check.ID)
			}
		}
	}
}

func TestReadOnlyAndHostileGates(t *testing.T) {
	f := &remote{newFake()}
	f.exchange = status(404, "")
	r := judge(t, f, nil)
	for _, c := range r.Checks {
		if !c.Check.Has("read-only") && c.Verdict != suite.Blocked && c.Verdict != suite.NotApplicable {
			t.Errorf("%s: got %s on a remote target without leave to write", c.Check.ID, c.Verdict)
		}
	}
	if f.sent > 2 {
		t.Errorf("got %d relay messages, want REQ and CLOSE of N01-WS-01 at most", f.sent)
	}
	f = &remote{newFake()}
	f.exchange = status(404, "")
	f.frame = answerAll(true, "")
	r = judge(t, f, func(c *suite.Config) { c.Write, c.ID = true, "G01-ANN-10" })
	if c := r.Checks[0]; c.Verdict != suite.Blocked || c.Unlock != "--allow-hostile" {
		t.Errorf("hostile check: got %s, unlock %q, want BLOCKED with --allow-hostile", c.Verdict, c.Unlock)
	}
	r = judge(t, f, func(c *suite.Config) { c.Write, c.ID = true, "G01-PURG-11" })
	if c := r.Checks[0]; c.Verdict != suite.Blocked || c.Unlock != "--time-budget 36m" {
		t.Errorf("waiting check: got %s, unlock %q, want BLOCKED with --time-budget 36m", c.Verdict, c.Unlock)
	}
}

// remote is a fake that is not on loopback.
type remote struct{ *fake }

func (remote) ServiceURL() string { return "http://relay.example.invalid" }
func (remote) World() string      { return "live" }

func TestConditionsByDocument(t *testing.T) {
	f := newFake()
	f.exchange = status(200, `{"supported_grasps":["GRASP-01","GRASP-05"],"software":"x","version":"1"}`)
	f.frame = answerAll(true, "")
	r := judge(t, f, func(c *suite.Config) { c.ID = "G01-ANN-0" })
	if got := verdictOf(r, "G01-ANN-02"); got != suite.NotApplicable {
		t.Errorf("G01-ANN-02 with GRASP-05 listed: got %s, want NOT_APPLICABLE", got)
	}
	if r.Software != "x 1" {
		t.Errorf("software: got %q, want x 1", r.Software)
	}
}

// A document may list what the catalogue does not judge: the facts say so, whatever was selected.
func TestListedAndNotJudgedIsSaid(t *testing.T) {
	f := newFake()
	f.exchange = status(200, `{"supported_grasps":["GRASP-06","GRASP-02","GRASP-01","GRASP-07","GRASP-6"]}`)
	r := judge(t, f, func(c *suite.Config) { c.ID = "G01-N11-01" })
	var told []string
	for _, fact := range r.Facts {
		if strings.HasPrefix(fact, "GRASP-") {
			told = append(told, fact)
		}
	}
	want := []string{"GRASP-07 is listed and not judged: the catalogue knows no such document"}
	if !slices.EqualFunc(told, want, strings.HasPrefix) {
		t.Errorf("got facts %q, want %q", told, want)
	}
}

func TestSelection(t *testing.T) {
	cfg := suite.Config{Features: features.FS, Seed: "x"}
	planned := ""
	for _, row := range spec.All() {
		if row.Coverage.Kind == spec.Planned {
			planned = row.ID
		}
	}
	for name, c := range map[string]struct {
		id, tags string
		checks   bool
		rows     int
		err      bool
	}{
		"all":             {"", "", true, len(spec.All()), false},
		"one row":         {"G01-CORS-02", "", true, 1, false},
		"one check":       {"G01-PUSH-17.notes", "", true, 1, false},
		"several":         {"G01-CORS-02,G01-PUSH-17.notes, G01-N11-0", "", true, 11, false},
		"a comma more":    {"G01-CORS-02,", "", true, 1, false},
		"by tag":          {"", "@G01-HEAD-01 or @G01-HEAD-02", true, 2, false},
		"nothing by id":   {"G99", "", false, 0, true},
		"nothing by tag":  {"", "@no-such-tag", false, 0, true},
		"malformed":       {"", "@a and and", false, 0, true},
		"without any tag": {"", "hostile", false, 0, true},
	} {
		cfg.ID, cfg.Tags = c.id, c.tags
		checks, rows, err := suite.Select(cfg)
		if (err != nil) != c.err || len(checks) > 0 != c.checks || len(rows) != c.rows {
			t.Errorf("%s: got %d checks, %d rows, %v", name, len(checks), len(rows), err)
		}
	}
	if cfg.ID, cfg.Tags = planned, ""; planned != "" {
		if checks, rows, err := suite.Select(cfg); err != nil || len(checks) > 0 || len(rows) != 1 {
			t.Errorf("planned only: got %d checks, %d rows, %v", len(checks), len(rows), err)
		}
	}
	cfg.ID, cfg.Tags = "G99", ""
	if _, err := suite.Run(context.Background(), newFake(), cfg); !errors.Is(err, suite.ErrNothingSelected) {
		t.Errorf("got %v, want ErrNothingSelected", err)
	}
}

// A check whose feature uses unknown words is our fault, never a verdict on the target.
func TestUnknownStepIsOurFault(t *testing.T) {
	f := newFake()
	f.exchange = status(200, "{}")
	f.frame = func(string, []json.RawMessage) []string { return nil }
	r := judge(t, f, func(c *suite.Config) {
		c.Features = featureOf("@G01-N11-01\nScenario: x\n When a visitor sings\n")
	})
	if c := r.Checks[0]; c.Verdict != suite.HarnessError || !strings.Contains(c.Reason, "sings") {
		t.Errorf("got %s %q, want HARNESS_ERROR that names the step", c.Verdict, c.Reason)
	}
}
