package sim_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
)

// impatient is a core that, an hour after it started, wants to be called again at once, for ever.
type impatient struct {
	core.Machine
	now   instant.Instant
	since instant.Instant
}

func (m *impatient) Step(now instant.Instant, in core.Input, out *core.Effects) {
	m.now = now
	m.Machine.Step(now, in, out)
}

func (m *impatient) Deadline() (instant.Instant, bool) {
	at, armed := m.Machine.Deadline()
	if m.now >= m.since && (!armed || at > m.now) {
		return m.now, true
	}
	return at, armed
}

// repeating is a core that gives an order again whenever it is answered.
type repeating struct{ core.Machine }

func (m repeating) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if done, is := in.(core.RepositoryDone); is && done.Request > ordersOfOurs {
		out.List = append(out.List, core.ReadRefs{Request: done.Request, Repo: repo.ID{}})
		return
	}
	m.Machine.Step(now, in, out)
	if _, is := in.(core.PushDone); is {
		out.List = append(out.List, core.ReadRefs{Request: ordersOfOurs + 1, Repo: repo.ID{}})
	}
}

// A server that is busy without an end has violated an invariant. It does not hang the run.
func TestLivelockEndsARun(t *testing.T) {
	for name, c := range map[string]struct {
		opts sim.Options
		last string
	}{
		"deadline": {sim.Options{Wrap: func(_ int, m core.Machine) core.Machine {
			return &impatient{Machine: m, since: sim.Start.Add(20 * time.Minute)}
		}}, "is its deadline"},
		"orders": {sim.Options{
			Wrap:   func(_ int, m core.Machine) core.Machine { return repeating{m} },
			Alone:  true,                   // the model says at once that nobody needs the refs
			Delays: sim.Delays{Journal: 1}, // orders are answered at once
		}, "is core.ReadRefs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := run(t, short(t), 1, c.opts)
			if len(o.Violations) != 1 || o.Violations[0].String() != "LIVELOCK no-end" {
				t.Fatalf("got violations %v, want LIVELOCK no-end alone", o.Violations)
			}
			if v := o.Violations[0]; !strings.HasSuffix(v.Detail, c.last) || v.At < sim.Start || v.Server != "server1" {
				t.Errorf("got %+v, want an instant, server1 and the end %q", v, c.last)
			}
			if again := run(t, short(t), 1, c.opts); again.Trace != o.Trace || again.Violations[0] != o.Violations[0] {
				t.Errorf("got %v the second time, want %v", again.Violations, o.Violations)
			}
		})
	}
}

// What is answered a moment later each time is no crowd at any instant, but has no end either once all else is done.
func TestSettleEndsWithoutAnEnd(t *testing.T) {
	e := sim.NewEngine(1, 0)
	e.At(1, 1, &again{e})
	var found error
	func() {
		defer func() { found, _ = recover().(error) }()
		e.Settle()
	}()
	if lock := (*sim.Livelock)(nil); !errors.As(found, &lock) || lock.Last != "*sim_test.again" {
		t.Errorf("got %v, want a livelock of *sim_test.again", found)
	}
}

type again struct{ engine *sim.Engine }

func (a *again) Run(now instant.Instant) { a.engine.At(now.Add(time.Millisecond), 1, a) }

// As much as may happen at once is no livelock.
func TestACrowdAtOneInstantIsNoLivelock(t *testing.T) {
	e := sim.NewEngine(1, 0)
	d := &diary{engine: e}
	for range sim.InstantMax {
		e.At(7, 1, tick{d})
	}
	e.At(8, 1, tick{d})
	e.RunUntil(8)
	if e.Done() != sim.InstantMax+1 {
		t.Errorf("got %d done, want %d", e.Done(), sim.InstantMax+1)
	}
}

type tick struct{ *diary }

func (tick) Run(instant.Instant) {}
