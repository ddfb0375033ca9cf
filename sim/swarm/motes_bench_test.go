package swarm_test

import (
	"testing"

	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/swarm"
)

// BenchmarkMotes is the cost of a mote, drawn and run: each turn is of another seed.
func BenchmarkMotes(b *testing.B) {
	var events, steps uint64
	seed := uint64(0)
	for b.Loop() {
		seed++
		o, err := sim.Run(swarm.Mote(seed), seed, sim.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if len(o.Violations) > 0 {
			b.Logf("seed %d: %v %s", seed, o.Violations[0], o.Violations[0].Detail)
		}
		events += o.Events
		steps += o.Steps
	}
	b.ReportMetric(float64(events)/float64(seed), "events/op")
	b.ReportMetric(float64(steps)/float64(seed), "steps/op")
}
