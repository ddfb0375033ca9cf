package sim_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/shrink"
)

// few is what nearly every mistake must be shrunk to.
const few = 10

// shrinking is a mistake to be shrunk, and what came of it.
type shrinking struct {
	plant

	scenario string
	result   shrink.Result
	took     time.Duration
}

// tried is a run as a search sees it. Of violations in one step, that counts which the mistake is known by.
func (c *shrinking) tried(seed uint64) func(scenarios.Scenario) (shrink.Outcome, error) {
	return func(s scenarios.Scenario) (shrink.Outcome, error) {
		o, err := sim.Run(s, seed, alone(c.opts()))
		if err != nil || len(o.Violations) == 0 {
			return shrink.Outcome{}, err
		}
		v := o.Violations[max(0, c.among(o))]
		return shrink.Outcome{Violation: v.String(), At: v.At.Sub(sim.Start), Operations: o.Operations}, nil
	}
}

// Nine in ten planted mistakes are shrunk to ten inputs or fewer. What is left fails when it is read from its file again,
// and holds without the mistake.
func TestShrink(t *testing.T) {
	var all []*shrinking
	for _, p := range slices.Concat(plants, deletionPlants, gitPlants) {
		all = append(all, &shrinking{plant: p, scenario: "first"})
	}
	for _, p := range huntPlants {
		all = append(all, &shrinking{plant: p.plant, scenario: p.scenario})
	}
	t.Run("mistakes", func(t *testing.T) {
		for _, c := range all {
			t.Run(c.breaks, func(t *testing.T) { t.Parallel(); c.shrink(t) })
		}
	})
	within := 0
	for _, c := range all {
		if c.result.Operations <= few && c.result.Runs > 0 {
			within++
		}
		t.Logf("%-38s %3d inputs of %2d actors, %4d runs, %5.1f s", c.breaks, c.result.Operations, c.result.Actors, c.result.Runs, c.took.Seconds())
	}
	if within*10 < len(all)*9 {
		t.Errorf("%d of %d mistakes were shrunk to %d inputs, want 9 in 10", within, len(all), few)
	}
}

// among is the place of the mistake's violation among those of a run, -1 if it is none of them.
func (c *shrinking) among(o sim.Outcome) int {
	return slices.IndexFunc(o.Violations, func(v invariant.Violation) bool { return v.String() == c.breaks })
}

func (c *shrinking) shrink(t *testing.T) {
	root := source(t, c.scenario)
	id, _, _ := strings.Cut(c.breaks, " ")
	root = root.With("invariants", scenarios.Node{Kind: scenarios.List, Items: []scenarios.Node{{Text: id}}})
	if id == "PANIC" {
		root = root.With("invariants", scenarios.Node{Kind: scenarios.List})
	}
	begun := time.Now()
	for seed := uint64(1); ; seed++ {
		if seed > 10 {
			t.Fatalf("%s: no seed up to 10 fails so", c.breaks)
		}
		o := run(t, parsed(t, root), seed, alone(c.opts()))
		if c.among(o) < 0 {
			continue
		}
		var err error
		if c.result, err = (shrink.Search{Run: c.tried(seed), Runs: 500}).Of(c.scenario, root); err != nil {
			t.Fatal(err)
		}
		c.took = time.Since(begun)
		s := parsed(t, c.result.Scenario)
		if again := run(t, s, seed, alone(c.opts())); c.among(again) < 0 {
			t.Errorf("%s: got %v from the file, want the violation; the file is\n%s", c.breaks, again.Violations, c.result.Scenario.YAML())
		}
		if mended := run(t, s, seed, sim.Options{}); len(mended.Violations) > 0 {
			t.Errorf("%s: got %v without the mistake, want none; the file is\n%s", c.breaks, mended.Violations, c.result.Scenario.YAML())
		}
		t.Logf("%s\n%s", c.breaks, c.result.Scenario.YAML())
		return
	}
}

// source is the text of a scenario, with less of the storm.
func source(t testing.TB, name string) scenarios.Node {
	t.Helper()
	text, found := scenarios.Text(name)
	if !found {
		t.Fatalf("there is no scenario %s", name)
	}
	root, err := scenarios.ReadNode(name, text)
	if err != nil {
		t.Fatal(err)
	}
	if name == "hunt_storm" {
		number := func(n scenarios.Node, key, value string) scenarios.Node {
			return n.With(key, scenarios.Node{Text: value})
		}
		arrivals, _ := root.Field("arrivals")
		hunt, _ := root.Field("hunt")
		constants, _ := root.Field("constants")
		arrivals = number(number(number(arrivals, "identifiers", "300"), "within", "10m"), "apart", "90m")
		root = number(root, "duration", "2h").With("arrivals", arrivals).With("hunt", number(hunt, "bound", "90m")).
			With("constants", number(constants, "purgatory_life", "3h"))
	}
	return root
}

func parsed(t testing.TB, root scenarios.Node) scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("shrunk", []byte(root.YAML()))
	if err != nil {
		t.Fatalf("%v\n%s", err, root.YAML())
	}
	return s
}
