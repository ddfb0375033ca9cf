package judgetest

import (
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/web"
)

// A stranger is a served reference that nobody knows to be one.
type stranger struct{ servedTarget }

// servedTarget is what the checks that need hosts ask of a target.
type servedTarget interface {
	target.Target
	target.ClockAdvancer
	target.Hosts
}

// World is "live".
func (stranger) World() string { return "live" }

// A server that is judged by its URL has to ask a host of ours once before its silence counts: one that never does is
// not judged by checks that need it, and one that does is.
func TestReachIsProven(t *testing.T) {
	lists := func(c *web.Config) { c.Grasps = append(c.Grasps, "GRASP-02") }
	waits, ok := defect.Lookup("waits-for-pushes")
	if !ok {
		t.Fatal("no server that does not hunt")
	}
	late := func(c *core.Config) { c.Hunt.UserDelay = 8 * time.Minute }
	for name, test := range map[string]struct {
		planted  defect.Defect
		slowness int
		want     suite.Verdict
		reason   string
	}{
		"hunts":                   {defect.Defect{Web: lists}, 1, suite.Pass, ""},
		"does not":                {waits, 1, suite.Blocked, "no request came to the git host at http://127.0.0.1:"},
		"hunts late":              {defect.Defect{Web: lists, Config: late}, 1, suite.Blocked, "or begins later"},
		"hunts late, as was said": {defect.Defect{Web: lists, Config: late}, 2, suite.Pass, ""},
	} {
		t.Run(name, func(t *testing.T) {
			reference, is := served(t, servetarget.Options{Defect: test.planted}).(servedTarget)
			if !is {
				t.Fatal("the served reference lacks a power")
			}
			on := stranger{reference}
			r := judge(t, on, suite.Config{ID: "SEC-0", Tags: "@SEC-05", TimeBudget: 2 * time.Hour, Slowness: test.slowness})
			got := verdicts(r)["SEC-05"]
			if got.Verdict != test.want || !strings.Contains(got.Reason, test.reason) {
				t.Errorf("got %s %q, want %s %q", got.Verdict, got.Reason, test.want, test.reason)
			}
			for _, way := range []string{"--reachback", "--slowness"} {
				if hint := r.Checks[0].Unlock; test.want == suite.Blocked && !strings.Contains(hint, way) {
					t.Errorf("got the hint %q, want the way out %s", hint, way)
				}
			}
			r = judge(t, on, suite.Config{Tags: "@SEC-05", TimeBudget: time.Minute})
			if got := verdicts(r)["SEC-05"]; test.want == suite.Blocked && got.Verdict != suite.Blocked {
				t.Errorf("within a minute: got %s, want it blocked", got.Verdict)
			}
		})
	}
}
