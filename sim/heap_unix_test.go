//go:build unix

package sim_test

import (
	"testing"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/kernel"
)

// heapNanos measures the physical limit of any event loop on this machine: pop and push on a bare heap of 256 events.
func heapNanos() float64 {
	const events, pending = 1_000_000, 256
	s := kernel.NewSchedule[uint64](1)
	key := kernel.NewKey(1, "bench")
	for i := range uint64(pending) {
		s.Push(instant.Instant(key.With(i).Below(1_000_000)), i, i)
	}
	begun := processorTime()
	for range events {
		at, v := s.Pop()
		s.Push(at+instant.Instant(key.With(v).With(uint64(at)).Below(1_000_000)), v, v)
	}
	return float64((processorTime() - begun).Nanoseconds()) / events
}

// BenchmarkHuntStorm runs a day of ten thousand identifiers on one throttled host, and what follows it.
func BenchmarkHuntStorm(b *testing.B) {
	storm := embedded(b, "hunt_storm")
	if testing.Short() { // to see that it is measured, not what
		storm.Arrivals.Identifiers /= 50
	}
	benchmark(b, storm)
}

func benchmark(b *testing.B, s scenarios.Scenario) {
	b.Helper()
	for _, w := range watches {
		b.Run(w.name, func(b *testing.B) {
			var c costing
			for seed := uint64(0); b.Loop(); seed++ {
				c.time(func() uint64 { return run(b, s, seed%16, w.opts).Events })
			}
			c.report(b, "event")
		})
	}
}
