package sim_test

import (
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/trace"
)

// Every fault of the scenario that has all of them strikes, for whatever seed: those after a point as well.
func TestEveryFaultStrikes(t *testing.T) {
	s := embedded(t, "faults")
	deeds := map[fault.Deed]int{}
	for _, f := range s.Faults {
		deeds[f.Do]++
	}
	for _, d := range fault.Deeds() {
		if deeds[d] == 0 {
			t.Errorf("no fault of the scenario does %q", d)
		}
	}
	for seed := uint64(1); seed <= 5; seed++ {
		said := map[string]bool{}
		o := run(t, s, seed, sim.Options{Sink: func(r trace.Record) {
			if r.Fact == "fault" {
				said[r.Detail] = true
			}
		}})
		held(t, o)
		for _, f := range s.Faults {
			if !f.Ends() && !said[f.String()] {
				t.Errorf("seed %d: %q did not strike", seed, f)
			}
		}
		for fact, want := range map[string]int{
			"server_crashed": deeds[fault.Crash], "server_torn": deeds[fault.Tear], "server_stopped": deeds[fault.Stop], "server_restored": deeds[fault.Restore],
			"server_started": deeds[fault.Crash] + deeds[fault.Tear] + deeds[fault.Stop] + deeds[fault.Restore],
		} {
			if got := o.Fact(fact); got != want {
				t.Errorf("seed %d: got %d times %s, want %d", seed, got, fact, want)
			}
		}
	}
}

// Servers of one world fetch from each other what one of them has and the other lacks, through the same network.
func TestServersReachEachOther(t *testing.T) {
	s := first(t)
	s.Servers, s.Links.Loss = 2, 200_000
	asked, got := 0, 0
	o := run(t, s, 1, sim.Options{Hunt: core.HuntConfig{On: true}, Sink: func(r trace.Record) {
		switch {
		case r.Fact == "fetch_started" && strings.Contains(r.Detail, "server"):
			asked++
		case r.Fact == "fetch_ended" && r.Detail == "" && r.Count > 0:
			got++
		}
	}})
	held(t, o)
	if asked == 0 || got == 0 {
		t.Errorf("got %d fetches from servers of which %d brought something, want some", asked, got)
	}
}
