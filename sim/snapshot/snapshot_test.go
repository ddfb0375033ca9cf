package snapshot_test

import (
	"reflect"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/snapshot"
)

// twinned steps, every so often, a copy of a server beside it.
type twinned struct {
	core.Machine
	t      *testing.T
	server *core.Server
	steps  int
	copies *int
	kit    *snapshot.Kit
}

// written is the state of a server as a kit writes it.
func (w *twinned) written(s *core.Server) string { return string(snapshot.Append(w.kit, nil, s, nil)) }

// interval is how many steps there are from one copy to the next: they are slow.
const interval = 131

func (w *twinned) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if w.steps++; w.steps%interval != 0 {
		w.Machine.Step(now, in, out)
		return
	}
	*w.copies++
	twin, before, written := snapshot.CopyOf(w.kit, w.server), snapshot.Text(w.server), w.written(w.server)
	if snapshot.Text(twin) != before {
		w.t.Errorf("before step %d: the copy is not the original", w.steps)
	}
	var own, other core.Effects
	w.Machine.Step(now, in, &own)
	if snapshot.Text(twin) != before || w.written(twin) != written {
		w.t.Errorf("step %d, %T, of the original has changed the copy", w.steps, in)
	}
	after := snapshot.Text(w.server)
	if differs := after != before; differs != (w.written(w.server) != written) {
		w.t.Errorf("step %d, %T: the state has changed %t, and what the kit writes of it has not, or has", w.steps, in, differs)
	}
	twin.Step(now, in, &other)
	if !reflect.DeepEqual(own, other) {
		w.t.Errorf("step %d, %T: the copy does %v, the original %v", w.steps, in, other.List, own.List)
	}
	if snapshot.Text(twin) != after {
		w.t.Errorf("after step %d, %T: the copy is not the original any more: %s", w.steps, in, parted(snapshot.Text(twin), after))
	}
	out.List = append(out.List, own.List...)
}

// A server is data: a copy goes on as the original does, and neither hears of the other.
func TestCopiesGoOn(t *testing.T) {
	for _, name := range []string{"first", "crash", "hunt_burst"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, found, err := scenarios.Embedded(name)
			if err != nil || !found {
				t.Fatalf("found %t, error %v", found, err)
			}
			copies := 0
			o, err := sim.Run(s, 1, sim.Options{Wrap: func(_ int, m core.Machine) core.Machine {
				server, is := m.(*core.Server)
				if !is {
					t.Fatalf("got a %T for a core", m)
				}
				return &twinned{Machine: m, t: t, server: server, copies: &copies, kit: eventKit()}
			}})
			if err != nil {
				t.Fatal(err)
			}
			if len(o.Violations) > 0 {
				t.Errorf("%s: %v: %s", o.Reproduce, o.Violations, o.Violations[0].Detail)
			}
			if copies < 3 {
				t.Errorf("got %d copies, want 3 at least", copies)
			}
		})
	}
}

// parted shows where two texts part.
func parted(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	around := func(text string) string { return text[max(0, at-200):min(len(text), at+200)] }
	return "the copy has\n" + around(a) + "\nand the original\n" + around(b)
}
