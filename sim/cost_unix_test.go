//go:build unix

package sim_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/fault"
)

// What an event of a world costs as the world grows, in events of the bare heap that were measured between the runs. docs/cost.md
// has the table and says how to read it:
//
//	make cost

var costTable = flag.String("cost.table", "", "have BenchmarkCost write its table to this `file`")

// watches are the columns of the table.
var watches = []struct {
	name string
	opts sim.Options
}{{"bare", sim.Options{Unseen: true}}, {"watched", sim.Options{Alone: true}}, {"and model", sim.Options{}}}

// worlds are the rows of the table.
func worlds(b *testing.B) (names []string, list []scenarios.Scenario) {
	b.Helper()
	add := func(name string, s scenarios.Scenario) { names, list = append(names, name), append(list, s) }
	add("first", first(b))
	for _, n := range []int{4, 100, 1_000} {
		s := first(b)
		s.Repositories, s.Duration = n, 30*time.Minute
		add(fmt.Sprintf("first, %d repositories", n), s)
	}
	for _, n := range []int{1, 4, 16} {
		s := first(b)
		s.Servers, s.Duration = n, time.Hour
		add(fmt.Sprintf("first, %d servers", n), s)
	}
	for _, n := range []int{0, 10} {
		s := first(b)
		for i := range n {
			s.Faults = append(s.Faults, fault.Fault{Do: fault.Crash, Server: 1, At: time.Duration(i+1) * 30 * time.Minute, For: 10 * time.Second})
		}
		add(fmt.Sprintf("first, %d crashes", n), s)
	}
	for _, hours := range []time.Duration{6, 48, 480} {
		s := first(b)
		s.Repositories, s.Duration = 1, hours*time.Hour
		add(fmt.Sprintf("first, 1 repository, %d hours", hours), s)
	}
	add("hunt_burst", embedded(b, "hunt_burst"))
	for _, n := range []int{10, 1_000, 10_000} {
		s := embedded(b, "hunt_burst")
		s.Arrivals.Identifiers, s.Arrivals.Events = 1, n
		add(fmt.Sprintf("hunt_burst, %d events of one identifier", n), s)
	}
	if testing.Short() { // to see that it is measured, not what
		for i := range list[:2] {
			list[i].Duration = min(list[i].Duration, 10*time.Minute)
		}
		return names[:2], list[:2]
	}
	return names, list
}

// A costing finds what one event of a run costs, in the processor's time and not the clock's, for others use the machine as well. The
// least of several runs counts, and the least of the heap beside them: what else a machine does makes both dearer.
type costing struct{ heap, run, allocs float64 }

// processorTime is what this process has had of processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("sim: processor time: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (c *costing) time(run func() (events uint64)) {
	heap := heapNanos()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun := processorTime()
	events := run()
	took := float64((processorTime() - begun).Nanoseconds())
	runtime.ReadMemStats(&after)
	if each := took / float64(events); c.run == 0 || each < c.run {
		c.run = each
	}
	if c.heap == 0 || heap < c.heap {
		c.heap = heap
	}
	c.allocs = float64(after.Mallocs-before.Mallocs) / float64(events)
}

func (c *costing) report(b *testing.B, of string) string {
	b.Helper()
	b.ReportMetric(c.heap, "heap-ns")
	b.ReportMetric(c.run, "cpu-ns/"+of)
	b.ReportMetric(c.run/c.heap, "x-heap/"+of)
	b.ReportMetric(c.allocs, "allocs/"+of)
	return fmt.Sprintf(" %.0f (%.1f) |", c.run/c.heap, c.allocs)
}

// BenchmarkCost makes the table.
func BenchmarkCost(b *testing.B) {
	var table strings.Builder
	fmt.Fprintf(&table, "| world | events | %s | %s | %s |\n| --- | --- | --- | --- | --- |\n", watches[0].name, watches[1].name, watches[2].name)
	names, list := worlds(b)
	for i, name := range names {
		var events uint64
		var cells []string
		for _, w := range watches {
			b.Run(name+"/"+w.name, func(b *testing.B) {
				var c costing
				for b.Loop() {
					c.time(func() uint64 {
						events = run(b, list[i], 7, w.opts).Events
						return events
					})
				}
				cells = append(cells, c.report(b, "event"))
			})
		}
		fmt.Fprintf(&table, "| %s | %d |%s\n", name, events, strings.Join(cells, ""))
	}
	var steps []given
	run(b, first(b), 7, sim.Options{Wrap: func(_ int, m core.Machine) core.Machine { return &recording{m, &steps} }})
	b.Run("core step", func(b *testing.B) {
		var c costing
		for b.Loop() {
			c.time(func() uint64 { return replay(steps) })
		}
		fmt.Fprintf(&table, "| core alone, a step | %d |%s | |\n", len(steps), c.report(b, "step"))
	})
	if *costTable == "" {
		return
	}
	if err := os.WriteFile(*costTable, []byte(table.String()), 0o644); err != nil {
		b.Fatalf("table of costs: %v", err)
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

// replay gives a new core what another one was given.
func replay(steps []given) uint64 {
	var out core.Effects
	server := core.New(core.Config{Service: repo.Service{Host: "server1.example"}})
	for _, g := range steps {
		out.Reset()
		server.Step(g.now, g.in, &out)
	}
	return uint64(len(steps))
}
