package shrink_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/shrink"
)

const text = `# a comment
name: planted
description: What is planted needs few of these.
duration: 6h
servers: 3
repositories: 4
actors: {owner: {every: 4m}, stranger: {every: 5m}}
links: {latency: 20ms, loss: 1%, duplicate: 2%}
faults:
  - crash server1 at 10m for 1m
  - crash server2 at 20m for 1m
  - crash server2 at 30m for 1m
  - crash server3 at 40m for 1m
invariants: [INV-01]
`

// world is a world of which it is known what fails: with these operations, this crash and this loss, on two servers, two
// hours long.
type world struct {
	runs int
	fail error // of run number five
}

func (w *world) run(s scenarios.Scenario) (shrink.Outcome, error) {
	if w.runs++; w.runs == 5 && w.fail != nil {
		return shrink.Outcome{}, w.fail
	}
	var o shrink.Outcome
	for wake := range 50 {
		for _, by := range []string{"owner1", "stranger1", "owner2", "stranger2", "owner3", "stranger3"} {
			name := fmt.Sprintf("%s/%d.0", by, wake)
			if s.Only == nil || slices.Contains(s.Only, name) {
				o.Operations = append(o.Operations, name)
			}
		}
	}
	crashes := strings.Contains(fmt.Sprint(s.Faults), "crash server2 at 30m0s")
	switch {
	case !slices.Contains(o.Operations, "stranger2/30.0"):
		o.Violation = "INV-02 another" // which is no reason to keep it
	case slices.Contains(o.Operations, "owner2/7.0") && crashes && s.Links.Loss > 0 && s.Servers > 1 && s.Duration > 2*time.Hour:
		o.Violation = "INV-01 planted"
		o.At = 10 * time.Hour // behind the end
	}
	return o, nil
}

func node(t *testing.T, source string) scenarios.Node {
	t.Helper()
	root, err := scenarios.ReadNode("planted", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestOnlyWhatIsNeededIsLeft(t *testing.T) {
	var w world
	got, err := shrink.Search{Run: w.run, Runs: 1000}.Of("planted", node(t, text))
	if err != nil || !got.Whole {
		t.Fatalf("got whole %t, error %v", got.Whole, err)
	}
	want := `name: planted
description: What is planted needs few of these.
duration: 2h0m2s
servers: 2
repositories: 1
actors: {stranger: {every: 5m}}
links: {loss: 1%}
faults: [crash server2 at 30m for 1m]
only: [owner2/7.0, stranger2/30.0]
invariants: [INV-01]
`
	got.Scenario = got.Scenario.With("duration", scenarios.Node{Text: "2h0m2s"})
	if diff := cmp.Diff(want, got.Scenario.YAML()); diff != "" {
		t.Errorf("shrunk (-want +got):\n%s", diff)
	}
	if got.Operations != 2 || got.Actors != 2 || got.Runs != w.runs || got.Outcome.Violation != "INV-01 planted" {
		t.Errorf("got %+v after %d runs, want 2 operations of 2 actors that fail", got.Progress, w.runs)
	}
	var twice world
	again, err := shrink.Search{Run: twice.run, Runs: 1000}.Of("planted", got.Scenario)
	if err != nil || again.Scenario.YAML() != want || twice.runs > 40 {
		t.Errorf("again: got error %v after %d runs and\n%s\nwant it as it is", err, twice.runs, again.Scenario.YAML())
	}
}

// A search that ends early has something that fails.
func TestASearchIsBounded(t *testing.T) {
	for runs := 1; runs < 60; runs++ {
		var w world
		got, err := shrink.Search{Run: w.run, Runs: runs}.Of("planted", node(t, text))
		if err != nil || w.runs != runs || got.Whole {
			t.Fatalf("%d runs: got %d runs, whole %t, error %v; want the runs used up", runs, w.runs, got.Whole, err)
		}
		s, err := scenarios.Parse("planted", []byte(got.Scenario.YAML()))
		if err != nil {
			t.Fatal(err)
		}
		if o, _ := (&world{}).run(s); o.Violation != "INV-01 planted" {
			t.Errorf("%d runs: got violation %q of\n%s", runs, o.Violation, got.Scenario.YAML())
		}
	}
	planted := errors.New("planted")
	w := world{fail: planted}
	if got, err := (shrink.Search{Run: w.run, Runs: 100}).Of("planted", node(t, text)); !errors.Is(err, planted) || got.Runs != 5 || got.Outcome.Violation == "" {
		t.Errorf("got %+v, error %v; want what was found in 5 runs, and the error", got.Progress, err)
	}
}

func TestWhatHoldsIsNotShrunk(t *testing.T) {
	var w world
	_, err := shrink.Search{Run: w.run, Runs: 100}.Of("planted", node(t, text).With("servers", scenarios.Node{Text: "1"}).With("faults", scenarios.Node{Kind: scenarios.List}))
	if !errors.Is(err, shrink.ErrHolds) || w.runs != 1 {
		t.Errorf("got error %v after %d runs, want %v after one", err, w.runs, shrink.ErrHolds)
	}
}
