package kernel_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/sim/kernel"
)

// drawn lets rapid make the decisions, so that it shrinks a failing run to its simplest decisions.
type drawn struct{ t *rapid.T }

func (d drawn) Choose(label string, n int) int { return rapid.IntRange(0, n-1).Draw(d.t, label) }

func TestChoosersStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seeded := kernel.NewSeeded(rapid.Uint64().Draw(t, "seed"))
		n := rapid.IntRange(1, 1000).Draw(t, "n")
		for _, c := range []kernel.Chooser{seeded, drawn{t}} {
			if got := c.Choose("label", n); got < 0 || got >= n {
				t.Fatalf("got %d, want one of [0, %d)", got, n)
			}
		}
	})
}

func TestSeededLabelsAreIndependent(t *testing.T) {
	alone, mixed := kernel.NewSeeded(5), kernel.NewSeeded(5)
	var want, got []int
	for range 20 {
		want = append(want, alone.Choose("owner", 100))
		mixed.Choose("stranger", 3)
		got = append(got, mixed.Choose("owner", 100))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("another label moves decisions (-alone +mixed):\n%s", diff)
	}
}

func TestReplayRepeatsARecording(t *testing.T) {
	run := func(c kernel.Chooser) (out []int) {
		for n := 1; n < 30; n++ {
			out = append(out, c.Choose("step", n))
		}
		return out
	}
	rec := &kernel.Recorder{From: kernel.NewSeeded(9)}
	want := run(rec)
	replay := kernel.NewReplay(rec.Choices)
	if diff := cmp.Diff(want, run(replay)); diff != "" {
		t.Errorf("replay differs (-recorded +replayed):\n%s", diff)
	}
	if err := replay.Err(); err != nil {
		t.Errorf("got %v, want no divergence", err)
	}
	if replay.Rest() != 0 {
		t.Errorf("got %d choices left, want 0", replay.Rest())
	}
}

func TestReplaySaysWhereARunDiverged(t *testing.T) {
	for _, c := range []struct {
		name  string
		label string
		n     int
	}{{"label", "b", 3}, {"range", "a", 4}} {
		t.Run(c.name, func(t *testing.T) {
			r := kernel.NewReplay([]kernel.Choice{{Label: "a", N: 3, Picked: 2}, {Label: "a", N: 3, Picked: 1}})
			if got := r.Choose("a", 3); got != 2 {
				t.Fatalf("got %d, want 2", got)
			}
			if got := r.Choose(c.label, c.n); got != 0 || r.Err() == nil {
				t.Errorf("got %d and error %v, want 0 and an error", got, r.Err())
			}
		})
	}
	r := kernel.NewReplay(nil)
	if r.Choose("a", 1); r.Err() == nil {
		t.Error("end of the recording: got no error")
	}
}
