package sim_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/trace"
)

// A server that loses power while its disk works goes on with whatever was done of it: repositories that are half made, refs of a
// state or of a push that have moved in part, refs without their HEAD.
func TestTornOrdersAreMended(t *testing.T) {
	s := first(t)
	s.Disk = scenarios.Disk{Order: 3 * time.Second}
	for life := 1; life <= 40; life++ {
		after := fault.Point{Kind: fault.AtBegun, N: 1 + life*7%11, Life: life}
		if life%2 == 0 {
			after = fault.Point{Kind: fault.AtAnswer, N: 1 + life*3%7, Life: life}
		}
		s.Faults = append(s.Faults, fault.Fault{Do: fault.Tear, Server: 1, After: after, For: time.Second})
	}
	seen := map[string]int{}
	for seed := uint64(1); seed <= 20; seed++ {
		held(t, run(t, s, seed, sim.Options{Sink: func(r trace.Record) {
			if r.Fact == "server_torn" {
				for word := range strings.SplitSeq(r.Detail, ", ") {
					seen[word]++
					var what string
					var some, all int
					if n, _ := fmt.Sscanf(word, "%s %d of %d", &what, &some, &all); n == 3 && some > 0 {
						if some < all {
							what = "partly " + what
						}
						seen[what]++
					}
				}
			}
		}}))
	}
	for _, want := range []string{"create half", "create", "update", "copy", "push", "partly push"} {
		if seen[want] == 0 {
			t.Errorf("no disk was torn at %q, only at %v", want, seen)
		}
	}
}
