package sim_test

import (
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/fault"
)

// crashes is a scenario of servers that crash every few minutes, at other instants for each seed.
func crashes(t *testing.T, seed uint64) scenarios.Scenario {
	t.Helper()
	s := first(t)
	s.Duration, s.Servers, s.Owner.Every, s.Maintainer.Every = 2*time.Hour, 2, time.Minute, time.Minute
	for i := 1; i < 20; i++ {
		s.Faults = append(s.Faults, fault.Fault{
			Do: fault.Crash, Server: 1 + i%2, At: time.Duration(i)*5*time.Minute + time.Duration(seed%60)*time.Second, For: time.Duration(i) * 5 * time.Second,
		})
	}
	return s
}

// slow disks leave much undone when a crash comes.
var slow = sim.Delays{Journal: 20 * time.Second, Order: 5 * time.Second}

func TestServersHealAfterCrashes(t *testing.T) {
	seeds := uint64(8)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		o := run(t, crashes(t, seed), seed, sim.Options{Delays: slow})
		held(t, o)
		if o.Fact("server_crashed") != 19 || o.Fact("server_started") != 19 {
			t.Errorf("seed %d: got %d crashes and %d starts, want 19", seed, o.Fact("server_crashed"), o.Fact("server_started"))
		}
	}
}

func TestCrashesAreDeterministic(t *testing.T) {
	s := crashes(t, 1)
	if a, b := run(t, s, 1, sim.Options{Delays: slow}), run(t, s, 1, sim.Options{Delays: slow}); a.Trace != b.Trace {
		t.Errorf("got traces %s and %s, want one", a.Trace, b.Trace)
	}
}

// amnesiac is a core that is started on nothing but its repositories.
type amnesiac struct{ core.Machine }

func (a *amnesiac) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if started, ok := in.(core.Started); ok {
		in = core.Started{Repositories: started.Repositories}
	}
	a.Machine.Step(now, in, out)
}

func TestForgettingCoreIsFound(t *testing.T) {
	s := crashes(t, 1)
	s.Invariants = []string{"INV-02", "INV-16"}
	o := run(t, s, 1, sim.Options{Wrap: func(_ int, m core.Machine) core.Machine { return &amnesiac{m} }})
	if len(o.Violations) == 0 || o.Violations[0].ID != "INV-16" {
		t.Errorf("got violations %v, want INV-16: the repositories of what was forgotten are removed", o.Violations)
	}
}

func TestLostAcknowledgementIsFound(t *testing.T) {
	s := crashes(t, 1)
	s.Invariants = []string{"INV-10"}
	o := run(t, s, 1, sim.Options{Forget: true})
	if len(o.Violations) == 0 || o.Violations[0].String() != "INV-10 acknowledged-lost" {
		t.Errorf("got violations %v, want acknowledged-lost", o.Violations)
	}
}
