package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/record/recordtest"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
)

func TestExitCodeAndClaim(t *testing.T) {
	for name, c := range map[string]struct {
		r      *suite.Result
		strict bool
		exit   int
		word   string
	}{
		"all good":             {recordtest.Result(suite.Pass, suite.Pass, suite.Pass, suite.PlannedOnly), false, 0, record.Conformant},
		"should missed":        {recordtest.Result(suite.Pass, suite.Warn, suite.Pass), false, 0, record.Conformant},
		"should, strict":       {recordtest.Result(suite.Pass, suite.Warn, suite.Pass), true, 1, record.Conformant},
		"must violated":        {recordtest.Result(suite.Fail, suite.Pass, suite.Inconclusive), false, 1, record.NonConformant},
		"blocked":              {recordtest.Result(suite.Pass, suite.Pass, suite.Blocked), false, 0, record.Partial},
		"mostly blocked":       {recordtest.Result(suite.Pass, suite.Blocked, suite.Blocked), false, 0, record.Unknown},
		"must inconclusive":    {recordtest.Result(suite.Pass, suite.Pass, suite.Inconclusive), false, 3, record.Partial},
		"should inconclusive":  {recordtest.Result(suite.Pass, suite.Inconclusive, suite.Pass), false, 0, record.Conformant},
		"set-up":               {recordtest.Result(suite.Pass, suite.SetupFail, suite.Pass), false, 3, record.Conformant},
		"our fault":            {recordtest.Result(suite.Pass, suite.HarnessError, suite.Pass), false, 3, record.Conformant},
		"refused by policy":    {recordtest.Result(suite.Unsupported, suite.Unsupported, suite.Pass), false, 3, record.Unknown},
		"dead":                 {down(recordtest.Result(suite.Blocked, suite.Blocked, suite.Blocked)), false, 4, record.Unknown},
		"violated before dead": {down(recordtest.Result(suite.Fail, suite.Blocked, suite.Blocked)), false, 1, record.NonConformant},
	} {
		run := record.Of(record.Execution{Strict: c.strict}, c.r).Runs[0]
		if (run.Exit == 0) != (len(run.ExitReasons) == 0) {
			t.Errorf("%s: got exit code %d for reasons %q", name, run.Exit, run.ExitReasons)
		}
		if exit, word := run.Exit, run.Conformance; exit != c.exit || word != c.word {
			t.Errorf("%s: got %d %s, want %d %s", name, exit, word, c.exit, c.word)
		}
	}
	if got := record.WorstExit(0, 3, 4, 1, 0); got != 1 {
		t.Errorf("worst of all: got %d, want 1", got)
	}
	if got := record.WorstExit(0, 5, 6); got != 6 {
		t.Errorf("stale and blocked: got %d, want 6", got)
	}
	if got := record.WorstExit(0, 0); got != 0 {
		t.Errorf("worst of good ones: got %d, want 0", got)
	}
}

func TestPolicies(t *testing.T) {
	for name, c := range map[string]struct {
		r      *suite.Result
		policy string
		exit   int
	}{
		"blocked":                    {recordtest.Result(suite.Pass, suite.Pass, suite.Blocked), "blocked", 5},
		"refused by policy":          {recordtest.Result(suite.Pass, suite.Pass, suite.Unsupported), "blocked", 5},
		"another world's":            {recordtest.Result(suite.Pass, suite.Pass, suite.SimOnly), "blocked", 0},
		"a SHOULD that is undecided": {recordtest.Result(suite.Pass, suite.Inconclusive, suite.Pass), "inconclusive", 3},
		"a missed SHOULD":            {recordtest.Result(suite.Pass, suite.Warn, suite.Pass), "warn", 1},
		"the worst counts":           {recordtest.Result(suite.Blocked, suite.Warn, suite.Pass), "blocked, warn", 1},
		"not asked for":              {recordtest.Result(suite.Blocked, suite.Warn, suite.Pass), "inconclusive", 0},
	} {
		p, _, ok := record.ParsePolicy(c.policy)
		if !ok {
			t.Errorf("%s: got no policy from %q", name, c.policy)
		}
		doc := record.Of(record.Execution{}, c.r)
		if code, reasons := doc.Conclude(p); code != c.exit || doc.Runs[0].Exit != c.exit || (code == 0) != (len(reasons) == 0) {
			t.Errorf("%s: got %d %q, want %d", name, code, reasons, c.exit)
		}
	}
	if _, wrong, ok := record.ParsePolicy("warn,blokced"); ok || wrong != "blokced" {
		t.Errorf("unknown word: got %q %v, want it named", wrong, ok)
	}
	if p, _, ok := record.ParsePolicy(""); !ok || p != (record.Policy{}) {
		t.Errorf("nothing: got %+v %v, want the usual policy", p, ok)
	}
}

func down(r *suite.Result) *suite.Result {
	r.Down = "no answer"
	return r
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	by := record.Execution{By: record.Suite{Version: "v1", Commit: "abc"}}
	if err := record.Write(&b, record.Of(by, recordtest.Result(suite.Pass, suite.Pass, suite.Blocked))); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Schema string `json:"schema"`
		Suite  struct {
			Version string `json:"version"`
			Commit  string `json:"commit"`
		} `json:"suite"`
		Spec struct {
			Commit  string `json:"commit"`
			Lineage string `json:"lineage"`
		} `json:"spec"`
		Runs []struct {
			Target       string `json:"target"`
			Conformance  string `json:"conformance"`
			Exit         int    `json:"exit"`
			Requirements []struct {
				ID string `json:"id"`
			} `json:"requirements"`
			Checks []struct {
				Line    int    `json:"line"`
				Verdict string `json:"verdict"`
				Unlock  string `json:"unlock"`
				MS      int64  `json:"ms"`
			} `json:"checks"`
			Accounting map[string]int `json:"accounting"`
		} `json:"runs"`
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "graspkit.run/1" || doc.Suite.Commit != "abc" || doc.Spec.Commit != spec.Commit || doc.Spec.Lineage != "C" {
		t.Errorf("got %+v", doc)
	}
	run := doc.Runs[0]
	if run.Target != "fake" || run.Conformance != record.Partial || run.Exit != 0 || len(run.Requirements) != 3 {
		t.Errorf("run: got %+v", run)
	}
	if c := run.Checks[2]; c.Verdict != "BLOCKED" || c.Unlock != "--write" || c.MS != 12 || c.Line != 5 {
		t.Errorf("check: got %+v", c)
	}
	a := run.Accounting
	if a["run"]+a["blocked"]+a["not_applicable"]+a["planned"] != a["catalogue"] || a["catalogue"] != 3 {
		t.Errorf("accounting: got %v", a)
	}
	again, err := record.Read(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var second bytes.Buffer
	if err := record.Write(&second, again); err != nil || !bytes.Equal(second.Bytes(), b.Bytes()) {
		t.Errorf("read and written again: got another text, %v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]error{`{"schema":"graspkit.measured/1"}`: record.ErrSchema, `{"schema":`: io.ErrUnexpectedEOF, "": io.EOF} {
		if _, err := record.Read(strings.NewReader(text)); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", text, err, want)
		}
	}
}
