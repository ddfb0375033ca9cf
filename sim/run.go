package sim

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/trace"
)

// An Outcome is what came of a run.
type Outcome struct {
	Trace      string // hash of all that happened, 64 hex digits; see trace.Trace
	Records    uint64
	Events     uint64        // tasks that ran and deadlines that came
	Steps      uint64        // inputs that cores were given
	Simulated  time.Duration // virtual time that passed
	Facts      []Count       // how often what happened, sorted by name
	Checked    []Count       // how often each invariant of the scenario was put to the test, sorted by name
	Operations []string      // names of what people did, each once, in the order of their first times
	Violations []invariant.Violation
	Reproduce  string // a command line that makes the same run
}

// A Count says how often something happened.
type Count struct {
	Name string
	N    int
}

type counts map[string]int

func (c counts) sorted() []Count {
	list := make([]Count, 0, len(c))
	for _, name := range slices.Sorted(maps.Keys(c)) {
		list = append(list, Count{name, c[name]})
	}
	return list
}

// Fact says how often something happened.
func (o *Outcome) Fact(name string) int {
	for _, c := range o.Facts {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}

// Run makes one run of a scenario, from its seed to its outcome. It ends at the first violation. A core that panics,
// or keeps busy without an end, has violated an invariant of its own; every other panic is the simulator's and comes back as an error.
func Run(s scenarios.Scenario, seed uint64, opts Options) (outcome Outcome, err error) {
	w := NewWorld(s, seed, opts)
	panicked, err := w.guarded()
	if err != nil {
		return Outcome{}, err
	}
	violations := append(w.violations(), panicked...)
	for _, v := range violations {
		w.record(trace.Record{At: v.At, Host: cmp.Or(v.Server, "world"), Fact: "invariant_violated", Requirement: v.ID, Detail: v.Code + ": " + v.Detail})
	}
	if !opts.Unseen {
		w.trace.Add(trace.Record{At: w.engine.Now(), Host: "world", Fact: "run_ended"}) // its Hash is that of the whole run
	}
	outcome = Outcome{
		Trace: w.trace.Sum(), Records: w.trace.Len(), Events: w.engine.Done(), Simulated: w.engine.Now().Sub(Start),
		Facts: w.counts.sorted(), Operations: w.deeds.done, Violations: violations,
		Reproduce: fmt.Sprintf("grasp-sim run %s --seed %d", s.Name, seed),
	}
	checked := counts{}
	for _, server := range w.servers {
		outcome.Steps += server.Steps()
		for _, id := range s.Invariants {
			if server.monitor != nil {
				checked[id] += server.monitor.Checked(id)
			}
		}
	}
	outcome.Checked = checked.sorted()
	return outcome, nil
}

// ownPanics begin the texts of panics that blame the simulator and not the server.
var ownPanics = []string{"sim:", "kernel:", "identity:", "scenarios:", "trace:"}

// guarded runs the world and catches what panics.
func (w *World) guarded() (found []invariant.Violation, err error) {
	defer func() {
		var text string
		switch reason := recover().(type) {
		case nil:
			return
		case *Livelock:
			found = []invariant.Violation{{ID: "LIVELOCK", Code: "no-end", At: reason.At, Server: reason.Server, Detail: reason.Error()}}
			return
		case string:
			text = reason
		case error: // of the runtime
			text = reason.Error()
		default:
			panic(reason) // a Chooser may have its own way out
		}
		for _, own := range ownPanics {
			if strings.HasPrefix(text, own) {
				err = fmt.Errorf("run %s with seed %d: %s", w.scenario.Name, w.seed, text)
				return
			}
		}
		found = []invariant.Violation{{ID: "PANIC", Code: "core", At: w.engine.Now(), Detail: text}}
	}()
	w.run()
	return nil, nil
}
