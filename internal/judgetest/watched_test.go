package judgetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/simtarget"
)

// withoutCheck judges the rows that no check can: in the simulated world a row that has a monitor is verified by what that
// has seen. It returns how many rows do not apply for that reason.
func withoutCheck(t *testing.T, r *suite.Result) (unchecked int) {
	t.Helper()
	for _, q := range r.Requirements {
		id := q.Requirement.ID
		switch kind := q.Requirement.Coverage.Kind; {
		case kind == spec.Unobservable || kind == spec.Proven || kind == spec.Watched && r.World != "sim":
			unchecked++
		case kind != spec.Watched:
		case q.Verdict != suite.Pass || q.Observations == 0:
			t.Errorf("%s: got %s %s and %d observations, want it verified by some", id, q.Verdict, q.Reason, q.Observations)
		}
	}
	return unchecked
}

// Every monitor has its row, and every row that is watched its monitor.
func TestWatchedRowsHaveMonitors(t *testing.T) {
	monitored := append(invariant.All(), invariant.HuntIDs()...)
	for _, id := range monitored {
		row, known := spec.Lookup(id)
		if !known || row.Coverage.Kind != spec.Watched {
			t.Errorf("%s: got a monitor, want a row that is watched", id)
		}
	}
	for _, row := range spec.All() {
		if row.Coverage.Kind == spec.Watched && !slices.Contains(monitored, row.ID) {
			t.Errorf("%s: got no monitor", row.ID)
		}
	}
}

// A violation that only the monitor of one world sees fails the run, with the way to see it again.
func TestWitnessIsHeard(t *testing.T) {
	if testing.Short() {
		t.Skip("virtual time runs on one thread: -short leaves it to the run without the race detector")
	}
	t.Parallel() // it keeps one processor busy
	open := func(context.Context) (target.Target, func() error, error) {
		on := simtarget.New(simtarget.Options{Seed: 1, Wrap: func(m core.Machine) core.Machine { return &late{m} }})
		return on, func() error { return nil }, nil
	}
	r := judge(t, simulated(defect.Defect{}), suite.Config{Fresh: open, Side: 2})
	got := verdicts(r)["INV-11"]
	want := "grasp-check sim --seed judgetest --id "
	if got.Verdict != suite.Fail || !strings.Contains(got.Reason, want) {
		t.Errorf("INV-11: got %s %q, want FAIL and %q", got.Verdict, got.Reason, want)
	}
	for _, c := range r.Checks {
		if c.Verdict.Violated() {
			t.Errorf("%s: got %s %s, want no check to see it", c.Check.ID, c.Verdict, c.Reason)
		}
	}
}

// late is a server whose journal has held events a second longer than it should.
type late struct{ core.Machine }

func (l *late) Step(now instant.Instant, in core.Input, out *core.Effects) {
	from := len(out.List)
	l.Machine.Step(now, in, out)
	for i, e := range out.List[from:] {
		if r, is := e.(core.Record); is && r.Op == core.OpHold {
			r.Deadline++
			out.List[from+i] = r
		}
	}
}

// Rows about the reference alone say nothing of a server whose world is not ours.
func TestReferenceRowsAreNotForOthers(t *testing.T) {
	on := foreign{served(t, servetarget.Options{Backend: servetarget.BackendMemory})}
	for _, prefix := range []string{"REF-PURG-01", "INV-"} {
		r := judge(t, on, suite.Config{ID: prefix})
		for _, q := range r.Requirements {
			if q.Verdict != suite.NotApplicable || q.Reason != fmt.Sprintf("condition does not hold: %v", spec.Condition{Kind: spec.ReferenceWorld}) {
				t.Errorf("%s: got %s %q, want it not applicable", q.Requirement.ID, q.Verdict, q.Reason)
			}
		}
	}
}

// foreign hides which world a target is of.
type foreign struct{ target.Target }
