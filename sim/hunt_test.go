package sim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/githost"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/trace"
)

// huntScenarios lists the embedded scenarios in which something is hunted for and can be found, but what is left of one run; fewer of them
// where time is short.
func huntScenarios(t testing.TB) []scenarios.Scenario {
	t.Helper()
	var list []scenarios.Scenario
	for _, name := range scenarios.Names() {
		s := embedded(t, name)
		found := slices.ContainsFunc(s.Hosts, func(h scenarios.Host) bool { return !h.Absent })
		if s.Hunt.Bound > 0 && s.Sync.Bound == 0 && s.Seed == 0 && found {
			list = append(list, affordable(s))
		}
	}
	if testing.Short() {
		return slices.DeleteFunc(list, func(s scenarios.Scenario) bool { return s.Name == "hunt_storm" || s.Name == "hunt_urls" })
	}
	return list
}

// The scenarios of hunts hold, over seeds, and put every invariant of hunts to the test: what the monitor cannot see in a
// server that does not hunt it sees here.
func TestHuntScenariosHold(t *testing.T) {
	checked := map[string]int{}
	for _, s := range huntScenarios(t) {
		o := run(t, s, 100, sim.Options{})
		held(t, o)
		for _, fact := range []string{"fetch_started", "fetch_ended", "event_held", "event_released", "synced", "publish"} {
			if o.Fact(fact) == 0 {
				t.Errorf("%s: fact %s: got none, want some", s.Name, fact)
			}
		}
		for _, c := range o.Checked {
			checked[c.Name] += c.N
		}
		for _, id := range invariant.HuntIDs() {
			if !slices.Contains(s.Invariants, id) {
				t.Errorf("%s: %s is not checked", s.Name, id)
			}
		}
	}
	for _, id := range invariant.HuntIDs() {
		if checked[id] == 0 {
			t.Errorf("invariant %s: got no check, want some", id)
		}
	}
}

func TestHuntsAreDeterministic(t *testing.T) {
	for _, s := range huntScenarios(t) {
		if a, b := run(t, s, 7, sim.Options{}), run(t, s, 7, sim.Options{}); a.Trace != b.Trace {
			t.Errorf("%s: got traces %s and %s, want one", s.Name, a.Trace, b.Trace)
		}
	}
}

// moody is a small world whose hosts do whatever a chooser says.
func moody(t testing.TB) scenarios.Scenario {
	t.Helper()
	s := embedded(t, "hunt_dead")
	s.Duration, s.Constants.PurgatoryLife, s.Hunt.Bound = 30*time.Minute, 2*time.Hour, 30*time.Minute
	s.Hunt.UserDelay = 20 * time.Second
	s.Arrivals = scenarios.Arrivals{
		Identifiers: 3, Within: 5 * time.Minute, Events: 3, Later: 10 * time.Minute, Apart: 5 * time.Minute, URLs: 2,
		Synced: 500_000, PullRequests: 500_000,
	}
	s.Hosts = nil
	for i := range 3 {
		s.Hosts = append(s.Hosts, scenarios.Host{Config: githost.Config{
			Name: fmt.Sprintf("git%d.example", i+1), Delay: time.Second, Whims: githost.Modes()[1:],
		}})
	}
	return s
}

func TestHuntHoldsWhateverHostsDo(t *testing.T) {
	s := moody(t)
	rapid.Check(t, func(t *rapid.T) {
		o, err := sim.Run(s, rapid.Uint64().Draw(t, "seed"), sim.Options{Chooser: drawn{t}})
		if o.Fact("fetch_started") == 0 {
			t.Fatal("no request")
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Violations) > 0 {
			t.Fatal(o.Violations[0]) // the text names no run, so that shrinking keeps to one failure
		}
	})
}

// requests lists what was asked of hosts, and when.
func requests(t testing.TB, s scenarios.Scenario, seed uint64, opts sim.Options) []string {
	t.Helper()
	var list []string
	opts.Sink = func(r trace.Record) {
		if r.Fact == string(core.FetchStarted) {
			at := r.At.Sub(sim.Start).Round(time.Millisecond)
			list = append(list, fmt.Sprintf("%s %s %s %d", at, r.Identifier, r.Detail, r.Count))
		}
	}
	held(t, run(t, s, seed, opts))
	return list
}

// An event that comes a second time causes no request, and moves none (INV-38).
func TestDuplicatesCauseNoRequest(t *testing.T) {
	for _, s := range huntScenarios(t) {
		s.Links, s.Faults = scenarios.Links{}, nil // what is lost the first time is new the second time,
		s.Arrivals.PullRequests = 0                // and so is what comes before its repository is served
		swift := sim.Options{Delays: sim.Delays{Journal: 1, Order: 1}}
		s.Arrivals.Twice = 0
		once := requests(t, s, 3, swift)
		s.Arrivals.Twice = 1_000_000
		if diff := cmp.Diff(once, requests(t, s, 3, swift)); diff != "" {
			t.Errorf("%s: requests (-once +twice):\n%s", s.Name, diff)
		}
		if len(once) == 0 {
			t.Errorf("%s: got no request, want some", s.Name)
		}
	}
}

// A server that looks again for whatever comes again is found by the same comparison.
func TestRequestForADuplicateIsFound(t *testing.T) {
	s := embedded(t, "hunt_dead")
	s.Invariants, s.Arrivals.Twice = []string{}, 1_000_000
	once := requests(t, s, 3, sim.Options{})
	eager := func(in core.Input, effects []core.Effect) []core.Effect {
		for _, e := range effects {
			if n, is := e.(core.Note); is && n.Fact == core.EventDuplicate {
				f := core.StartFetch{Fetch: numbersOfOurs, URL: "http://git1.example/newcomer1/1.git"}
				effects = append(effects, core.Note{Fact: core.FetchStarted, Reason: f.URL}, f)
			}
		}
		return effects
	}
	twice := requests(t, s, 3, sim.Options{Alone: true, Wrap: func(_ int, m core.Machine) core.Machine {
		return &hunter{Machine: &doctored{m, eager}}
	}})
	if slices.Equal(once, twice) {
		t.Error("got the same requests, want some for duplicates")
	}
}

// Whose event it was is not known once several wait: the later of both delays counts for the first request.
func TestHuntIsExpectedAfterTheLongerDelay(t *testing.T) {
	s := embedded(t, "hunt_dead")
	s.Arrivals.Identifiers, s.Hunt.UserDelay, s.Hunt.SyncDelay = 20, time.Second, 20*time.Second
	for seed := range uint64(3) {
		held(t, run(t, s, seed, sim.Options{}))
	}
}
