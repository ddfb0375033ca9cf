package main

import (
	"regexp"
	"strconv"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/trace"
)

var (
	keyOrID  = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	instants = regexp.MustCompile(`\b\d{19}\b`) // in nanoseconds, of our days
)

// named is a text with the names of the trace in place of keys and ids, and times since the start of the run in place of
// instants.
func named(names *trace.Names, text string) string {
	text = keyOrID.ReplaceAllStringFunc(text, names.Of)
	return instants.ReplaceAllStringFunc(text, func(digits string) string {
		at, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || instant.Instant(at) < sim.Start {
			return digits
		}
		return instant.Instant(at).Sub(sim.Start).String()
	})
}
