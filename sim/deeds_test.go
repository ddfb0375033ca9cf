package sim_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/trace"
)

// counting is a core that counts who connects.
type counting struct {
	core.Machine

	opened int
}

func (c *counting) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if _, is := in.(core.ConnOpened); is {
		c.opened++
	}
	c.Machine.Step(now, in, out)
}

// What is left of a run is what it was: the events of the operations that happen are the same, at the same instants, whatever
// else does not happen; and who does nothing is not there.
func TestOperationsStayWhatTheyAre(t *testing.T) {
	for _, name := range []string{"first", "hunt_dead"} {
		t.Run(name, func(t *testing.T) {
			s := embedded(t, name)
			did := func() (published []trace.Record, o sim.Outcome, opened int) {
				var c *counting
				o = run(t, s, 3, sim.Options{
					Wrap: func(_ int, m core.Machine) core.Machine { c = &counting{Machine: m}; return c },
					Sink: func(r trace.Record) {
						if r.Fact == "publish" || r.Fact == "push" || r.Fact == "synced" {
							r.Seq, r.Hash = 0, ""
							published = append(published, r)
						}
					},
				})
				return published, o, c.opened
			}
			whole, all, everybody := did()
			s.Only = all.Operations
			if _, again, opened := did(); again.Trace != all.Trace || opened != everybody {
				t.Errorf("with all operations named: got trace %s and %d connections, want %s and %d", again.Trace, opened, all.Trace, everybody)
			}
			s.Only = nil
			for i := 10; i < len(all.Operations) && len(s.Only) < 6; i += 37 {
				s.Only = append(s.Only, all.Operations[i])
			}
			some, o, opened := did()
			if diff := cmp.Diff(s.Only, o.Operations); diff != "" || len(o.Missed(s.Only)) > 0 {
				t.Errorf("operations (-named +happened):\n%s", diff)
			}
			actors := map[string]bool{}
			for _, name := range s.Only {
				by, _, _ := strings.Cut(name, "/")
				actors[by] = true
			}
			if name == "first" && opened != len(actors) || opened > everybody || opened == 0 {
				t.Errorf("got %d connections, want those of %v", opened, actors)
			}
			if len(some) == 0 {
				t.Error("got nothing published or pushed, want something")
			}
			for _, r := range some {
				if !slices.Contains(whole, r) {
					t.Errorf("got %+v, which is not in the whole run", r)
				}
			}
		})
	}
}
