package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/graspkit/graspkit/sim"
)

// report writes the summary of a run; f is nil if everything held. What it prints depends on the program and the run alone,
// never on the machine or the time.
func report(w io.Writer, s loaded, seed uint64, o sim.Outcome, f *failure) {
	fmt.Fprintf(w, "scenario %s, seed %d: %s simulated, %d events, %d steps of servers, %d trace records\n",
		s.Name, seed, o.Simulated, o.Events, o.Steps, o.Records)
	fmt.Fprintln(w, "happened:")
	for _, c := range o.Facts {
		fmt.Fprintf(w, "  %-24s %d\n", c.Name, c.N)
	}
	checked := make([]checks, 0, len(o.Checked))
	for _, c := range o.Checked {
		checked = append(checked, checks{c.Name, uint64(c.N)})
	}
	reportChecks(w, checked)
	if f != nil {
		f.tell(w)
	} else {
		if missed := o.Missed(s.Only); len(missed) > 0 {
			fmt.Fprintf(w, "%d operations that the scenario names did not happen: %s\n", len(missed), strings.Join(missed, ", "))
		}
		fmt.Fprintln(w, heldWords(checked))
	}
	fmt.Fprintf(w, "trace %s\n", o.Trace)
}

// checks say how often an invariant was put to the test.
type checks struct {
	id string
	n  uint64
}

func reportChecks(w io.Writer, list []checks) {
	fmt.Fprintln(w, "checked:")
	for _, c := range list {
		if c.n == 0 {
			fmt.Fprintf(w, "  %-24s never checked\n", c.id)
		} else {
			fmt.Fprintf(w, "  %-24s %d\n", c.id, c.n)
		}
	}
}

// heldWords is the verdict where nothing was violated. An invariant that was never checked has not held.
func heldWords(list []checks) string {
	var never []string
	for _, c := range list {
		if c.n == 0 {
			never = append(never, c.id)
		}
	}
	switch {
	case len(never) == len(list):
		return "no invariant was checked"
	case len(never) > 0:
		return "all invariants held that were checked; never checked: " + strings.Join(never, ", ")
	}
	return "all invariants held"
}
