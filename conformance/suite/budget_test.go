package suite_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
)

// Pushes of tens of megabytes go to a server elsewhere by leave only, and to one on this machine as ever.
func TestHeavyGate(t *testing.T) {
	blocked := func(r *suite.Result) int {
		n := 0
		for _, c := range r.Checks {
			if c.Unlock == "--heavy" {
				n++
				if c.Verdict != suite.Blocked || !strings.Contains(c.Reason, "MiB") {
					t.Errorf("%s: got %s, %s", c.Check.ID, c.Verdict, c.Reason)
				}
			}
		}
		return n
	}
	far := &remote{newFake()}
	far.exchange, far.frame = status(404, ""), answerAll(true, "")
	write := func(c *suite.Config) { c.Write, c.ID = true, "G01-PUSH-24" }
	if n := blocked(judge(t, far, write)); n < 2 {
		t.Errorf("checks that need --heavy: got %d, want those of fifty megabytes", n)
	}
	if n := blocked(judge(t, far, func(c *suite.Config) { write(c); c.Heavy = true })); n > 0 {
		t.Errorf("with --heavy: got %d blocked", n)
	}
	near := newFake()
	near.exchange, near.frame = status(404, ""), answerAll(true, "")
	if n := blocked(judge(t, near, write)); n > 0 {
		t.Errorf("on this machine: got %d blocked", n)
	}
}

// Checks that would bring what is written beyond a budget are blocked, always the same ones, and no more is written.
func TestBudgets(t *testing.T) {
	var before string
	for range 2 {
		f := newFake()
		f.exchange, f.frame = status(404, ""), answerAll(true, "")
		l, err := ledger.New(&page{}, ledger.Run{})
		if err != nil {
			t.Fatal(err)
		}
		r := judge(t, f, func(c *suite.Config) { c.ID, c.MaxEvents, c.Ledger = "G01-ANN", 40, l })
		var ran []string
		short := 0
		for _, c := range r.Checks {
			switch {
			case strings.HasPrefix(c.Unlock, "--max-events "):
				short++
			case c.Verdict != suite.Blocked:
				ran = append(ran, c.Check.ID)
			}
		}
		if short == 0 || len(ran) == 0 {
			t.Errorf("got %d checks short of events, and %d others", short, len(ran))
		}
		if n := l.Counts().Events; n > 44 { // a check that is under way comes to its end
			t.Errorf("events: got %d, want 40 and a few", n)
		}
		if now := strings.Join(ran, " "); before != "" && now != before {
			t.Errorf("got %s, and before %s", now, before)
		} else {
			before = now
		}
	}
	f := newFake()
	f.exchange, f.frame = status(404, ""), answerAll(true, "")
	r := judge(t, f, func(c *suite.Config) { c.ID, c.MaxBytes = "G01-PUSH-24.huge", 1<<20 })
	if c := r.Checks[0]; c.Verdict != suite.Blocked || !strings.HasPrefix(c.Unlock, "--max-bytes 524") || !strings.Contains(c.Reason, "50.0 MiB") {
		t.Errorf("got %s, %s, unlock %q", c.Verdict, c.Reason, c.Unlock)
	}
}

// A page is a file that is none.
type page struct{ bytes.Buffer }

func (*page) Sync() error  { return nil }
func (*page) Close() error { return nil }

// Without markers nothing says what wrote it, with keys of the tester's as well.
func TestNoMarkers(t *testing.T) {
	for _, without := range []bool{true, false} {
		var sent bytes.Buffer
		f := newFake()
		f.exchange = status(404, "")
		f.frame = func(label string, args []json.RawMessage) []string {
			if label == "EVENT" {
				sent.Write(args[0])
			}
			return answerAll(true, "")(label, args)
		}
		judge(t, f, func(c *suite.Config) {
			c.ID, c.NoMarkers, c.Parallel, c.Keys = "G01-ANN-0", without, 1, []client.Key{client.NewKey("given", "me")}
		})
		for _, marker := range []string{"audit-", "audit-check", "conformance", `"gc-`} {
			if sent.Len() == 0 || bytes.Contains(sent.Bytes(), []byte(marker)) == without {
				t.Errorf("without markers %v: %q is in what was sent: %v", without, marker, !without)
			}
		}
	}
}

// What an estimate counts of some checks is what their steps say, with what stands beside them.
func TestEstimateOfLargePushes(t *testing.T) {
	checks, _, err := suite.Select(suite.Config{Features: features.FS, Seed: "x", ID: "G01-PUSH-24.huge"})
	if err != nil {
		t.Fatal(err)
	}
	e := suite.EstimateOf(checks)
	if e.Largest != 50<<20 || e.Bytes < e.Largest || e.Repositories < 2 || e.Events < 6 || e.Pushes < 2 {
		t.Errorf("got %+v", e)
	}
	if near, far := e.Took(0, 1), e.Took(e.Waits+100_000_000, 1); near <= 0 || far <= near {
		t.Errorf("time: near %v, far %v", near, far)
	}
}

// Who only asks what a run would do sends no event, and is told what stands in its way.
func TestInspect(t *testing.T) {
	f := &remote{newFake()}
	f.exchange, f.frame = status(200, `{"software":"x","version":"1","supported_nips":[1,9],"supported_grasps":["GRASP-01"]}`), answerAll(true, "")
	s, err := suite.Inspect(t.Context(), f, suite.Config{Features: features.FS, Seed: "x"})
	if err != nil {
		t.Fatal(err)
	}
	unlocks := make(map[string]int)
	for _, h := range s.Hindered {
		unlocks[h.Unlock]++
	}
	if s.Down != "" || s.Software != "x 1" || s.Loopback || s.Judged.Events > 0 || s.Judged.Checks == 0 || unlocks["--write"] < 500 || f.sent > 0 {
		t.Errorf("got %+v, %v, %d messages", s.Judged, unlocks, f.sent)
	}
	s, err = suite.Inspect(t.Context(), f, suite.Config{Features: features.FS, Seed: "x", Write: true})
	if err != nil || s.Judged.Events < 1000 || s.Judged.Checks+len(s.Hindered) != s.Checks {
		t.Errorf("with leave to write: got %+v, %v", s.Judged, err)
	}
	f.exchange, f.dial = func(*http.Request) (int, http.Header, string, error) { return 0, nil, "", target.ErrUnreachable }, target.ErrUnreachable
	if s, err = suite.Inspect(t.Context(), f, suite.Config{Features: features.FS, Seed: "x"}); err != nil || s.Down == "" {
		t.Errorf("where nobody answers: got %+v, %v", s, err)
	}
}
