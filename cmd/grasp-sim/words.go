package main

import (
	"fmt"
	"strings"

	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/trace"
)

// words tells a record of a trace in one line: its number, the time since the start of the run, who, what, and about what.
// Facts and names are those of the trace, so that they are found there.
func words(r trace.Record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#%d %s %s %s", r.Seq, r.At.Sub(sim.Start), r.Host, r.Fact)
	if r.Peer != "" {
		fmt.Fprintf(&b, " from %s", r.Peer)
	}
	if r.Event != "" {
		fmt.Fprintf(&b, " %s", r.Event)
	}
	if r.Kind != 0 {
		fmt.Fprintf(&b, " (kind %d)", r.Kind)
	}
	switch {
	case r.Identifier != "" && r.Owner != "":
		fmt.Fprintf(&b, ", %s of %s", r.Identifier, r.Owner)
	case r.Identifier != "" || r.Owner != "":
		fmt.Fprintf(&b, ", %s%s", r.Identifier, r.Owner)
	}
	if r.Push != 0 {
		fmt.Fprintf(&b, ", push %d", r.Push)
	}
	if r.Count != 0 {
		fmt.Fprintf(&b, ", count %d", r.Count)
	}
	if r.Requirement != "" {
		fmt.Fprintf(&b, ", %s", r.Requirement)
	}
	if r.Detail != "" {
		fmt.Fprintf(&b, ": %s", r.Detail)
	}
	return b.String()
}
