package swarm_test

import (
	"testing"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/swarm"
)

// FuzzSwarm lets the fuzzer of Go make the decisions of the people in a drawn world. What reaches new code is kept, and varied.
func FuzzSwarm(f *testing.F) { fuzz(f, swarm.Draw, 400) }

// FuzzMotes does so in a world of few decisions.
func FuzzMotes(f *testing.F) { fuzz(f, swarm.Mote, 80) }

func fuzz(f *testing.F, draw func(seed uint64) scenarios.Scenario, most int) {
	f.Helper()
	for seed := range uint64(8) {
		key := kernel.NewKey(seed, "fuzz")
		decisions := make([]byte, most)
		for i := range decisions {
			decisions[i] = byte(key.With(uint64(i)).Below(256))
		}
		f.Add(seed, decisions)
	}
	f.Fuzz(func(t *testing.T, seed uint64, decisions []byte) {
		if len(decisions) > 4096 {
			t.Skip("longer than any run needs")
		}
		o, err := sim.Run(draw(seed), seed, sim.Options{Chooser: kernel.NewBytes(decisions)})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range o.Violations {
			t.Errorf("%s on %s: %s", v, v.Server, v.Detail)
		}
	})
}
