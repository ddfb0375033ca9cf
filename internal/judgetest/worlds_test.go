package judgetest

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/defect"
)

// Whether one world is judged by all checks, or fresh ones by a few each, and how many of these at a time, changes no verdict:
// neither of a proper server nor of a broken one.
func TestWorldsShareTheChecks(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector looks at several worlds in cmd/grasp-sim")
	}
	for _, name := range []string{"", "push-of-other-commit"} {
		all := slices.Concat([]defect.Defect{{}}, defect.All())
		d := all[slices.IndexFunc(all, func(d defect.Defect) bool { return d.Name == name })]
		said := func(cfg suite.Config) map[string]string {
			cfg.ID = "G01-PUSH-1"
			got := map[string]string{}
			for _, c := range judge(t, simulated(d), cfg).Checks {
				got[c.Check.ID] = string(c.Verdict)
			}
			return got
		}
		one := said(suite.Config{})
		for _, side := range []int{1, 3} {
			if diff := cmp.Diff(one, said(suite.Config{Fresh: fresh(d), Side: side})); diff != "" {
				t.Errorf("%q: verdicts of one world and of fresh ones, %d at a time (-one +fresh):\n%s", name, side, diff)
			}
		}
	}
}

// fresh opens simulated worlds with a defect.
func fresh(d defect.Defect) func(context.Context) (target.Target, func() error, error) {
	return func(context.Context) (target.Target, func() error, error) {
		return simulated(d), func() error { return nil }, nil
	}
}

// An interrupting target ends the run in the middle of one of its exchanges, which fails with it.
type interrupting struct {
	ours
	left      atomic.Int64 // exchanges until then
	interrupt func()
}

func (i *interrupting) RoundTrip(req *http.Request) (*http.Response, error) {
	if i.left.Add(-1) == 0 {
		i.interrupt()
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	return i.ours.RoundTrip(req)
}

// Whoever is interrupted accuses nobody, wherever that happens.
func TestInterruptionAccusesNobody(t *testing.T) {
	for n := range int64(40) {
		ctx, interrupt := context.WithCancel(t.Context())
		on := &interrupting{ours: simulated(defect.Defect{}), interrupt: interrupt}
		on.left.Store(n + 1)
		r, err := suite.Run(ctx, on, suite.Config{Features: features.FS, Seed: "interrupted", ID: "SEC-01", Parallel: 1, Write: true, AllowHostile: true})
		interrupt()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Checks {
			if c.Verdict.Violated() {
				t.Errorf("interrupted at exchange %d: %s: %s %s", n+1, c.Check.ID, c.Verdict, c.Reason)
			}
		}
	}
}

// Who is interrupted has not seen that a world is down that was not asked any more.
func TestInterruptedRunBlamesNobody(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	cfg := suite.Config{
		Features: features.FS, Seed: "interrupted", ID: "G01-PUSH-1",
		Fresh: func(context.Context) (target.Target, func() error, error) {
			interrupt()
			return simulated(defect.Defect{}), func() error { return nil }, nil
		},
	}
	r, err := suite.Run(ctx, simulated(defect.Defect{}), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if ctx.Err() == nil || r.Down != "" || r.Unreachable {
		t.Errorf("interrupted %v: got down %q, unreachable %t, want nobody blamed", ctx.Err(), r.Down, r.Unreachable)
	}
}
