package swarm_test

import (
	"slices"
	"testing"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/swarm"
)

// A mote is so small that a million of them are a matter of an hour, and what it comes to is the same each time.
func TestMotesHold(t *testing.T) {
	t.Parallel()
	var events, steps uint64
	const seeds = 400
	for seed := range uint64(seeds) {
		s := swarm.Mote(seed)
		o, err := sim.Run(s, seed, sim.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, v := range o.Violations {
			t.Errorf("seed %d: %s on %s: %s", seed, v, v.Server, v.Detail)
		}
		events, steps = events+o.Events, steps+o.Steps
		if o.Events > 20_000 {
			t.Errorf("seed %d: got %d events, want a mote", seed, o.Events)
		}
		if seed%8 > 0 {
			continue
		}
		if again, err := sim.Run(s, seed, sim.Options{}); err != nil || again.Trace != o.Trace {
			t.Errorf("seed %d: got %s and then %s, %v; want one run", seed, o.Trace, again.Trace, err)
		}
	}
	if events/seeds > 500 || steps/seeds < 50 {
		t.Errorf("got %d events and %d steps a world, want at most 500, and at least 50 steps", events/seeds, steps/seeds)
	}
}

// What a mote may have beside its people is there in some of them, and in most is not.
func TestMotesDiffer(t *testing.T) {
	t.Parallel()
	const seeds = 1000
	got := map[string]int{}
	has := []struct {
		name  string
		there func(s scenarios.Scenario) bool
	}{
		{"two servers", func(s scenarios.Scenario) bool { return s.Servers == 2 }},
		{"two repositories", func(s scenarios.Scenario) bool { return s.Repositories == 2 }},
		{"one identifier of two", func(s scenarios.Scenario) bool { return s.People.Identifiers == 1 }},
		{"sync", func(s scenarios.Scenario) bool { return s.Sync.Bound > 0 }},
		{"hunt", func(s scenarios.Scenario) bool { return s.Hunt.Bound > 0 }},
		{"rules", func(s scenarios.Scenario) bool {
			return s.Rules.Reciprocal || s.Rules.Work > 0 || s.Rules.Authors != nil
		}},
		{"archives", func(s scenarios.Scenario) bool { return s.Rules.Archive != nil }},
		{"private servers", func(s scenarios.Scenario) bool { return s.Rules.Private != nil }},
		{"places", func(s scenarios.Scenario) bool { return s.Rules.Contributors != nil }},
		{"little room", func(s scenarios.Scenario) bool { return s.Constants.HeldMax+s.Constants.StoredMax > 0 }},
		{"few tombstones", func(s scenarios.Scenario) bool { return s.Constants.TombstonesMax > 0 }},
		{"crash", fails(fault.Crash)},
		{"torn", fails(fault.Tear)},
		{"stop", fails(fault.Stop)},
		{"backup", fails(fault.Restore)},
		{"disk", fails(fault.Fail)},
		{"full disk", fails(fault.Fill)},
		{"clock", fails(fault.Jump)},
		{"partition", fails(fault.Part)},
	}
	for seed := range uint64(seeds) {
		s := swarm.Mote(seed)
		for _, h := range has {
			if h.there(s) {
				got[h.name]++
			}
		}
	}
	for _, h := range has {
		if got[h.name] < seeds/250 || got[h.name] > seeds/2 {
			t.Errorf("%s: got %d worlds of %d, want some", h.name, got[h.name], seeds)
		}
	}
}

func fails(do fault.Deed) func(s scenarios.Scenario) bool {
	return func(s scenarios.Scenario) bool {
		return slices.ContainsFunc(s.Faults, func(f fault.Fault) bool { return f.Do == do })
	}
}
