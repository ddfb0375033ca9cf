package swarm_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/swarm"
)

// What is drawn is a file that the strict reader takes, and the same for one seed.
func TestDrawnWorldsAreValid(t *testing.T) {
	t.Parallel()
	seeds := uint64(10_000)
	if testing.Short() {
		seeds = 300
	}
	for _, family := range swarm.Names() {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			draw := swarm.Of(family)
			for seed := range seeds {
				want := draw(seed)
				text := scenarios.Format(want)
				got, err := scenarios.Parse(fmt.Sprintf("seed%d.yaml", seed), text)
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("seed %d (-drawn +read back):\n%s", seed, diff)
				}
				if seed < 100 && !cmp.Equal(want, draw(seed)) {
					t.Fatalf("seed %d: drawn twice it differs", seed)
				}
			}
		})
	}
}

func TestNobodyDrawsWhatHasNoName(t *testing.T) {
	t.Parallel()
	if swarm.Of("first") != nil {
		t.Error("got a drawing of what is no family, want none")
	}
}

// Every world is small, or a search through thousands of them comes to nothing.
func TestDrawnWorldsHold(t *testing.T) {
	t.Parallel()
	var events uint64
	const seeds = 60
	for seed := range uint64(seeds) {
		s := swarm.Draw(seed)
		o, err := sim.Run(s, seed, sim.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, v := range o.Violations {
			t.Errorf("seed %d: %s on %s: %s", seed, v, v.Server, v.Detail)
		}
		events += o.Events
		if o.Events > 200_000 {
			t.Errorf("seed %d: got %d events, want a small world", seed, o.Events)
		}
	}
	if events/seeds > 20_000 {
		t.Errorf("got %d events a world, want at most 20,000 on the average", events/seeds)
	}
}

// Some worlds have what further members of the family are about, and most have none of it.
func TestFamiliesAreDrawn(t *testing.T) {
	t.Parallel()
	const seeds = 300
	got := map[string]int{}
	for seed := range uint64(seeds) {
		r := swarm.Draw(seed).Rules
		for name, list := range map[string][]string{
			"contributors": r.Contributors, "archive": r.Archive, "read only": r.ReadOnly, "private": r.Private, "dismissed": r.Dismissed,
		} {
			if list != nil {
				got[name]++
			}
		}
	}
	for _, name := range []string{"contributors", "archive", "read only", "private", "dismissed"} {
		if got[name] < seeds/60 || got[name] > seeds/2 {
			t.Errorf("%s: got %d worlds of %d, want some", name, got[name], seeds)
		}
	}
}
