package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/trace"
)

// violationsShown is how many violations of one run are told: they end a run, so more are the same mistake many times.
const violationsShown = 10

// A failure is a run that violated an invariant, as it is told to a person.
type failure struct {
	seed       uint64
	scenario   loaded
	program    string
	trace      string
	reproduce  string
	state      string // a command that shows the state of the server at the violation
	violations []string
	about      string   // what the records are about
	records    []string // the last ones before the first violation, in words
}

// fail finds out what happened before a violation. It makes the run again to see its records, so that runs which hold keep
// none; and two runs of one seed that are not the same are an error of the simulator.
func (r *runner) fail(ctx context.Context, seed uint64, o sim.Outcome) (failure, error) {
	s, err := r.of(seed)
	if err != nil {
		return failure{}, err
	}
	f := failure{seed: seed, scenario: s, program: r.program, trace: o.Trace, reproduce: o.Reproduce}
	f.state = fmt.Sprintf("grasp-sim replay %s --seed %d --state", r.scenario.command(), seed)
	first := firstOf(o.Violations)
	before := newBefore(first)
	again, err := r.run(ctx, seed, before)
	switch {
	case errors.Is(err, context.Canceled): // what is known already is told
	case err != nil:
		return failure{}, err
	case again.Trace != o.Trace:
		return failure{}, r.notItself(seed, o, again)
	}
	f.about, f.records = before.last()
	for i, v := range o.Violations {
		if i == violationsShown {
			f.violations = append(f.violations, fmt.Sprintf("and %d more", len(o.Violations)-i))
			break
		}
		f.violations = append(f.violations, violationText(before.names, v))
	}
	return f, nil
}

// violationText tells a violation: where and when, what should have been, and what was.
func violationText(names *trace.Names, v invariant.Violation) string {
	should := "a server never panics"
	if row, known := spec.Lookup(v.ID); known {
		should = row.Text
	}
	was := strings.ReplaceAll(v.Code, "-", " ") + ": " + named(names, v.Detail)
	return fmt.Sprintf("VIOLATED %s on %s at %s\n  should: %s\n  was: %s", v, cmp.Or(v.Server, "some server"), v.At.Sub(sim.Start), should, was)
}

// firstOf is the violation that came first; they are listed by server.
func firstOf(list []invariant.Violation) invariant.Violation {
	first := list[0]
	for _, v := range list[1:] {
		if v.At < first.At {
			first = v
		}
	}
	return first
}

// tell writes the failure.
func (f *failure) tell(w io.Writer) {
	for _, v := range f.violations {
		fmt.Fprintln(w, v)
	}
	if len(f.records) > 0 {
		fmt.Fprintf(w, "before it, %s:\n", f.about)
		for _, r := range f.records {
			fmt.Fprintf(w, "  %s\n", r)
		}
	}
	fmt.Fprintf(w, "seed %d of %s (sha256 %s), program %s\n", f.seed, f.scenario.arg, f.scenario.digest, f.program)
	fmt.Fprintf(w, "reproduce: %s\nstate: %s\n", f.reproduce, f.state)
}
