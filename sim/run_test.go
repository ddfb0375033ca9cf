package sim_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/trace"
)

func first(t testing.TB) scenarios.Scenario {
	t.Helper()
	s, found, err := scenarios.Embedded("first")
	if err != nil || !found {
		t.Fatalf("scenario first: found %v, error %v", found, err)
	}
	return s
}

// short is the first scenario cut down to what a property can afford.
func short(t testing.TB) scenarios.Scenario {
	t.Helper()
	s := first(t)
	s.Duration, s.Repositories = 30*time.Minute, 2
	s.Owner.Every, s.Maintainer.Every, s.Stranger.Every = 3*time.Minute, 4*time.Minute, 5*time.Minute
	return s
}

func run(t testing.TB, s scenarios.Scenario, seed uint64, opts sim.Options) sim.Outcome {
	t.Helper()
	o, err := sim.Run(s, seed, opts)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func held(t testing.TB, o sim.Outcome) {
	t.Helper()
	for _, v := range o.Violations {
		t.Errorf("%s: %s on %s at %s: %s", o.Reproduce, v, v.Server, v.At, v.Detail)
	}
}

func TestScenariosHold(t *testing.T) {
	seeds := uint64(2)
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seeds := seeds
			s, _, err := scenarios.Embedded(name)
			if err != nil {
				t.Fatal(err)
			}
			if s.Hunt.Bound > 0 {
				seeds = 1
			}
			if s.Seed != 0 { // one that was shrunk is one run: with another seed it is about something else
				held(t, run(t, s, s.Seed, sim.Options{}))
				return
			}
			for seed := range seeds {
				held(t, run(t, affordable(s), seed, sim.Options{}))
			}
		})
	}
}

// affordable is a scenario, with less of the storm: the rest of it is more of the same.
func affordable(s scenarios.Scenario) scenarios.Scenario {
	if s.Arrivals.Identifiers > 300 {
		s.Duration, s.Arrivals.Identifiers, s.Arrivals.Within, s.Arrivals.Apart = 2*time.Hour, 300, 10*time.Minute, 90*time.Minute
		s.Constants.PurgatoryLife, s.Hunt.Bound = 3*time.Hour, 90*time.Minute
	}
	return s
}

// Worlds that are harsher than the files, each with what it is about.
func TestHarsherWorldsHold(t *testing.T) {
	for name, change := range map[string]func(*scenarios.Scenario){
		"busy": func(s *scenarios.Scenario) {
			s.Owner.Every, s.Maintainer.Every, s.Stranger.Every = 20*time.Second, 20*time.Second, 20*time.Second
		},
		"bad network": func(s *scenarios.Scenario) {
			s.Servers, s.Links.Loss, s.Links.Duplicate, s.Links.Jitter = 3, 200_000, 100_000, 20*time.Second
		},
		"short lives": func(s *scenarios.Scenario) {
			s.Constants.PurgatoryLife, s.Owner.Every = time.Minute, 90*time.Second
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := first(t)
			s.Duration = time.Hour
			change(&s)
			for seed := range uint64(6) {
				held(t, run(t, s, seed, sim.Options{}))
			}
		})
	}
}

// A run that exercises nothing proves nothing.
func TestFirstScenarioExercises(t *testing.T) {
	o := run(t, first(t), 1, sim.Options{})
	for _, fact := range []string{
		"event_stored", "event_held", "event_released", "event_refused", "event_duplicate", "event_replaced", "event_expired",
		"push_admitted", "push_refused", "push_done", "push_failed", "refs_moved", "repository_created", "repository_removed",
		"message_lost", "event_received",
	} {
		if o.Fact(fact) == 0 {
			t.Errorf("fact %s: got none, want some", fact)
		}
	}
	var checked []string
	for _, c := range o.Checked {
		if c.N == 0 {
			t.Errorf("invariant %s: got no check, want some", c.Name)
		}
		checked = append(checked, c.Name)
	}
	want := slices.DeleteFunc(invariant.All(), func(id string) bool { return id == "INV-25" }) // nothing ends in order here
	if diff := cmp.Diff(want, checked); diff != "" {
		t.Errorf("invariants (-known +checked):\n%s", diff)
	}
}

func TestOneSeedIsOneTrace(t *testing.T) {
	runs := 100
	if testing.Short() {
		runs = 3
	}
	s := first(t)
	want := run(t, s, 42, sim.Options{}).Trace
	for i := range runs - 1 {
		if got := run(t, s, 42, sim.Options{}).Trace; got != want {
			t.Fatalf("run %d of seed 42: got trace %s, want %s", i+2, got, want)
		}
	}
	if run(t, s, 43, sim.Options{}).Trace == want {
		t.Error("seeds 42 and 43: got one trace, want two")
	}
}

func TestTraceDoesNotDependOnTheMachine(t *testing.T) {
	s := first(t)
	before := runtime.GOMAXPROCS(1)
	one := run(t, s, 5, sim.Options{}).Trace
	runtime.GOMAXPROCS(2)
	two := run(t, s, 5, sim.Options{}).Trace
	runtime.GOMAXPROCS(before)
	if one != two {
		t.Errorf("got trace %s on one processor and %s on two, want one trace", one, two)
	}
	// The same on every architecture and with every release of Go; a change of the world or of a core changes it.
	t.Logf("trace of first, seed 5: %s", one)
}

func TestWatchingChangesNothing(t *testing.T) {
	s := short(t)
	plain := run(t, s, 9, sim.Options{})
	var records []trace.Record
	names := trace.NewNames()
	watched := run(t, s, 9, sim.Options{Sink: func(r trace.Record) { records = append(records, r) }, Named: names.Give})
	if plain.Trace != watched.Trace || uint64(len(records)) != watched.Records {
		t.Errorf("got traces %s and %s with %d of %d records, want one trace and all records",
			plain.Trace, watched.Trace, len(records), watched.Records)
	}
	for i, r := range records {
		if r.Seq != uint64(i)+1 {
			t.Fatalf("record %d: got number %d", i+1, r.Seq)
		}
	}
	if last := records[len(records)-1]; last.Fact != "run_ended" || !strings.HasPrefix(watched.Trace, last.Hash) {
		t.Errorf("got %s with hash %s at the end, want run_ended with the first digits of %s", last.Fact, last.Hash, watched.Trace)
	}
}

func TestRecordedDecisionsMakeTheSameRun(t *testing.T) {
	s := short(t)
	recorder := &kernel.Recorder{From: kernel.NewSeeded(3)}
	want := run(t, s, 3, sim.Options{Chooser: recorder})
	replay := kernel.NewReplay(recorder.Choices)
	got := run(t, s, 3, sim.Options{Chooser: replay})
	if got.Trace != want.Trace || replay.Err() != nil || replay.Rest() != 0 {
		t.Errorf("replay: got trace %s, error %v and %d choices left, want trace %s", got.Trace, replay.Err(), replay.Rest(), want.Trace)
	}
}

// drawn lets rapid make the decisions of the actors.
type drawn struct{ t *rapid.T }

func (d drawn) Choose(label string, n int) int { return rapid.IntRange(0, n-1).Draw(d.t, label) }

func TestWorldHoldsWhateverActorsDecide(t *testing.T) {
	s := short(t)
	s.Repositories, s.Duration = 1, 20*time.Minute
	rapid.Check(t, func(t *rapid.T) {
		o, err := sim.Run(s, rapid.Uint64().Draw(t, "seed"), sim.Options{Chooser: drawn{t}})
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Violations) > 0 {
			t.Fatal(o.Violations[0]) // the text names no run, so that shrinking keeps to one failure
		}
	})
}

func TestOutcomeSaysHowToReproduceIt(t *testing.T) {
	o := run(t, short(t), 17, sim.Options{})
	if want := "grasp-sim run first --seed 17"; o.Reproduce != want {
		t.Errorf("got %q, want %q", o.Reproduce, want)
	}
	if len(o.Trace) != 64 || strings.Trim(o.Trace, "0123456789abcdef") != "" {
		t.Errorf("got trace %q, want 64 hex digits", o.Trace)
	}
	if want := 30*time.Minute + 35*time.Minute; o.Simulated < want {
		t.Errorf("got %v simulated, want at least %v: the scenario and the quiet phase", o.Simulated, want)
	}
}
