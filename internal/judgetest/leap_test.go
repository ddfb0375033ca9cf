package judgetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
)

// A clocked server lives in real time as far as its judge knows, and a command moves its clock. Nobody waits for real here.
type clocked struct {
	outsider
	clock target.ClockAdvancer
	step  func(d time.Duration) time.Duration // by how much a command for d moves it
	steps int
	ahead time.Duration // by how much it was moved, beyond what was asked for
}

// Now is what the judge believes.
func (c *clocked) Now() time.Time { return c.Target.Now().Add(-c.ahead) }

// Patience is the default of live targets.
func (*clocked) Patience() time.Duration { return time.Minute }

func (c *clocked) Sleep(ctx context.Context, d time.Duration) error {
	if d > c.Patience() {
		return target.ErrUnsupported
	}
	return c.clock.Advance(ctx, d)
}

func (c *clocked) Step(ctx context.Context, d time.Duration) error {
	c.steps++
	c.ahead += c.step(d) - d
	return c.clock.Advance(ctx, c.step(d))
}

func clockedBy(step func(d time.Duration) time.Duration, name string, t *testing.T) *clocked {
	t.Helper()
	var d defect.Defect
	if name != "" {
		var ok bool
		if d, ok = defect.Lookup(name); !ok {
			t.Fatalf("no defect %s", name)
		}
	}
	on := simulated(d)
	return &clocked{outsider: outsider{on, on, on, on}, clock: on, step: step}
}

func exactly(d time.Duration) time.Duration { return d }

// What waits half an hour is judged by steps of the clock that are seen to have an effect, and by no others.
func TestStepsOfTheClock(t *testing.T) {
	if testing.Short() {
		t.Skip("the clock is moved on one thread")
	}
	for name, test := range map[string]struct {
		step    func(d time.Duration) time.Duration
		planted string
		id      string
		want    suite.Verdict
		reason  string
	}{
		"exact":     {exactly, "", "G01-PURG-11", suite.Pass, ""},
		"no effect": {func(time.Duration) time.Duration { return 0 }, "", "G01-PURG-11", suite.Blocked, "had no effect: an issue that has expired by it is still served"},
		"a part":    {func(d time.Duration) time.Duration { return d / 2 }, "", "G01-PURG-11", suite.Blocked, "had no effect"},
		"too far":   {func(d time.Duration) time.Duration { return d + 90*time.Second }, "", "G01-PURG-11", suite.Blocked, "went too far"},
		// What keeps everything cannot be told from a server whose timers go by another clock.
		"timers that do not follow": {exactly, "purgatory-endless", "G01-PURG-11", suite.Blocked, "nothing fell due"},
		// Nor can what keeps one thing alone.
		"one timer that does not follow": {exactly, "unmatched-refs-kept", "G01-PR-07", suite.Inconclusive, "seen behind a step of the server's clock"},
		"too early":                      {exactly, "unmatched-refs-short", "G01-PR-07", suite.Inconclusive, "seen behind a step of the server's clock"},
	} {
		t.Run(name, func(t *testing.T) {
			on := clockedBy(test.step, test.planted, t)
			r := judge(t, on, suite.Config{ID: test.id, Parallel: 4, Write: true})
			got := verdicts(r)[test.id]
			if got.Verdict != test.want || !strings.Contains(got.Reason, test.reason) {
				t.Errorf("got %s %q, want %s %q", got.Verdict, got.Reason, test.want, test.reason)
			}
			if test.want == suite.Pass && on.steps <= len(r.Checks) {
				t.Errorf("got %d steps for %d checks, want one each and those of the proof", on.steps, len(r.Checks))
			}
			if test.want == suite.Blocked && (on.steps > 1 || !strings.Contains(r.Checks[0].Unlock, "--time-budget")) {
				t.Errorf("got %d steps and the hint %q, want one step, and a way out", on.steps, r.Checks[0].Unlock)
			}
			for _, c := range r.Checks {
				if c.Verdict == suite.Fail || c.Verdict == suite.Warn {
					t.Errorf("%s: got %s %q behind a step of the clock", c.Check.ID, c.Verdict, c.Reason)
				}
			}
		})
	}
}
