package sim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/network"
	"github.com/graspkit/graspkit/sim/trace"
	"github.com/graspkit/graspkit/sim/workload"
)

// mesh is a world of servers that share repositories, where people tell some of them one thing a repository and hour.
func mesh(servers, repositories int, duration time.Duration) scenarios.Scenario {
	s := scenarios.Scenario{
		Name: "mesh", Duration: duration, Servers: servers, Repositories: repositories, Owner: scenarios.Actor{Every: time.Hour},
		Links: network.Link{Latency: 20 * time.Millisecond, Jitter: 60 * time.Millisecond},
		Hunt:  scenarios.Hunt{Bound: 30 * time.Minute},
		Sync:  scenarios.Sync{Bootstrap: scenarios.BootstrapRing, Bound: time.Hour}, Invariants: []string{"INV-07", "INV-41"},
	}
	s.People.Partly = 1_000_000
	s.People.Team[workload.OpAnnounce], s.People.Team[workload.OpWork] = 1, 5
	s.People.Team[workload.OpIssue], s.People.Team[workload.OpPull] = 2, 1
	return s
}

// meshFaults are those of the largest mesh.
var meshFaults = []string{
	"part server1 and everybody at 2h for 20m", "crash server2 at 4h for 5m", "crash server3 at 8h for 40m",
	"part server4 and everybody at 12h for 10m", "stop server5 at 16h for 1m", "crash server6 at 20h for 3m",
}

// asksForEvents reports whether a message asks for events, and not only whether the relay is there.
func asksForEvents(msg relay.ClientMessage) bool {
	switch msg := msg.(type) {
	case relay.Req:
		f := msg.Filters[0]
		return len(f.IDs) != 1 || f.Limit == nil || *f.Limit != 1
	case relay.NegOpen:
		return true
	}
	return false
}

// BenchmarkMesh measures how servers that sync grow with their number: how long after the first one an event is served by each
// other one, and how many messages go from relay to relay for each event that a server comes to serve from another.
func BenchmarkMesh(b *testing.B) {
	for _, size := range []struct {
		servers, repositories int
		faults                []string
	}{{2, 20, nil}, {5, 20, nil}, {10, 20, nil}, {20, 20, nil}, {20, 200, meshFaults}} {
		s := mesh(size.servers, size.repositories, 24*time.Hour)
		if testing.Short() {
			s.Repositories, s.Duration, size.faults = 2, time.Hour, nil
		}
		for _, text := range size.faults {
			f, err := fault.Parse(text)
			if err != nil {
				b.Fatal(err)
			}
			s.Faults = append(s.Faults, f)
		}
		b.Run(fmt.Sprintf("servers=%d/repositories=%d", size.servers, size.repositories), func(b *testing.B) {
			for b.Loop() {
				served := map[string]instant.Instant{}
				var delays []time.Duration
				frames, asked := 0, 0
				opts := sim.Options{
					Sink: func(r trace.Record) {
						if r.Fact != string(core.EventStored) && r.Fact != string(core.EventReleased) {
							return
						}
						if first, known := served[r.Event]; known {
							delays = append(delays, r.At.Sub(first))
						} else {
							served[r.Event] = r.At
						}
					},
					Wrap: func(_ int, m core.Machine) core.Machine {
						return &doctored{m, func(in core.Input, effects []core.Effect) []core.Effect {
							if _, is := in.(core.PeerSaid); is {
								frames++
							}
							for _, e := range effects {
								if said, is := e.(core.SendPeer); is {
									frames++
									if asksForEvents(said.Msg) {
										asked++
									}
								}
							}
							return effects
						}}
					},
				}
				for _, v := range run(b, s, 1, opts).Violations {
					b.Fatal(v, v.Detail)
				}
				slices.Sort(delays)
				b.ReportMetric(float64(len(served)), "events")
				b.ReportMetric(delays[len(delays)/2].Seconds(), "p50-s")
				b.ReportMetric(delays[len(delays)*99/100].Seconds(), "p99-s")
				b.ReportMetric(float64(frames)/float64(len(delays)), "frames/delivery")
				b.ReportMetric(float64(asked)/float64(len(delays)), "requests/delivery")
			}
		})
	}
}
