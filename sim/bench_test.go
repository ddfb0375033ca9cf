package sim_test

import (
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/kernel"
)

// heapNanos measures the physical limit of any event loop on this machine: pop and push on a bare heap of 256 events.
func heapNanos() float64 {
	const events, pending = 2_000_000, 256
	s := kernel.NewSchedule[uint64](1)
	key := kernel.NewKey(1, "bench")
	for i := range uint64(pending) {
		s.Push(instant.Instant(key.With(i).Below(1_000_000)), i, i)
	}
	begun := time.Now()
	for range events {
		at, v := s.Pop()
		s.Push(at+instant.Instant(key.With(v).With(uint64(at)).Below(1_000_000)), v, v)
	}
	return float64(time.Since(begun).Nanoseconds()) / events
}

// BenchmarkWorld runs the first scenario and sets its cost against the bare heap, measured in the same run.
func BenchmarkWorld(b *testing.B) { benchmark(b, first(b)) }

// BenchmarkHuntStorm runs a day of ten thousand identifiers on one throttled host, and what follows it.
func BenchmarkHuntStorm(b *testing.B) { benchmark(b, embedded(b, "hunt_storm")) }

func benchmark(b *testing.B, s scenarios.Scenario) {
	b.Helper()
	for _, c := range []struct {
		name string
		opts sim.Options
	}{{"unwatched", sim.Options{Unseen: true}}, {"trace and invariants", sim.Options{Alone: true}}, {"and the model", sim.Options{}}} {
		b.Run(c.name, func(b *testing.B) {
			heap := heapNanos()
			var events uint64
			var simulated time.Duration
			b.ReportAllocs()
			for seed := uint64(0); b.Loop(); seed++ {
				o := run(b, s, seed%16, c.opts)
				events += o.Events
				simulated += o.Simulated
			}
			perEvent := float64(b.Elapsed().Nanoseconds()) / float64(events)
			b.ReportMetric(heap, "heap-ns/event")
			b.ReportMetric(perEvent, "ns/event")
			b.ReportMetric(perEvent/heap, "x-heap/event")
			b.ReportMetric(1e9/perEvent, "events/s")
			b.ReportMetric(simulated.Seconds()/b.Elapsed().Seconds(), "sim-s/s")
		})
	}
}

// given is one input of a core with its instant.
type given struct {
	now instant.Instant
	in  core.Input
}

// recording keeps what a core was given.
type recording struct {
	core.Machine
	steps *[]given
}

func (r *recording) Step(now instant.Instant, in core.Input, out *core.Effects) {
	*r.steps = append(*r.steps, given{now, in})
	r.Machine.Step(now, in, out)
}

// BenchmarkCoreStep replays the inputs of a run of the first scenario on a core and nothing else.
func BenchmarkCoreStep(b *testing.B) {
	var steps []given
	run(b, first(b), 1, sim.Options{Wrap: func(_ int, m core.Machine) core.Machine { return &recording{m, &steps} }})
	heap := heapNanos()
	var out core.Effects
	done := 0
	b.ReportAllocs()
	for b.Loop() {
		server := core.New(core.Config{Service: repo.Service{Host: "server1.example"}})
		for _, g := range steps {
			out.Reset()
			server.Step(g.now, g.in, &out)
		}
		done += len(steps)
	}
	perStep := float64(b.Elapsed().Nanoseconds()) / float64(done)
	b.ReportMetric(perStep, "ns/step")
	b.ReportMetric(perStep/heap, "x-heap/step")
}
