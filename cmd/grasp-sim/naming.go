package main

import (
	"regexp"
	"strconv"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/trace"
)

var instants = regexp.MustCompile(`\b\d{19}\b`) // in nanoseconds, of our days

// named is a text with the names of the trace in place of keys and ids, and times since the start of the run in place of
// instants.
func named(names *trace.Names, text string) string {
	return instants.ReplaceAllStringFunc(names.In(text), func(digits string) string {
		at, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || instant.Instant(at) < sim.Start {
			return digits
		}
		return instant.Instant(at).Sub(sim.Start).String()
	})
}

// symbolic is a record with the names of the trace.
func symbolic(names *trace.Names, r trace.Record) trace.Record {
	r.Event, r.Owner, r.Detail = names.Of(r.Event), names.Of(r.Owner), names.In(r.Detail)
	return r
}
