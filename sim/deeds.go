package sim

import (
	"slices"
	"strings"
)

// deeds are the operations of a run by their names, so that a scenario can have some of them happen and no other. An actor's
// are named after its decisions: "owner1/7.0" is the first thing that follows from the seventh, "owner1/close.0" from that
// at the end, and "owner1/ask" are the questions that it asks wherever it is let in. "newcomer3/0" is the announcement of
// a newcomer, "newcomer3/1" its first event, and "newcomer3/1.twice" the same event when it comes again.
type deeds struct {
	only   map[string]bool // nil if all happen
	actors map[string]bool // of those
	known  map[string]bool
	done   []string
}

func newDeeds(only []string) deeds {
	d := deeds{known: map[string]bool{}}
	if only == nil {
		return d
	}
	d.only, d.actors = map[string]bool{}, map[string]bool{}
	for _, name := range only {
		by, _, _ := strings.Cut(name, "/")
		d.only[name], d.actors[by] = true, true
	}
	return d
}

// happens reports whether an operation happens, whose time has come, and remembers that it does.
func (w *World) happens(name string) bool {
	d := &w.deeds
	if d.only != nil && !d.only[name] {
		return false
	}
	if !d.known[name] {
		d.known[name] = true
		d.done = append(d.done, name)
	}
	return true
}

// leftOut reports whether somebody does nothing in the whole run, and so never connects.
func (w *World) leftOut(a *actor) bool {
	return w.deeds.only != nil && a.project != nil && !w.deeds.actors[a.name]
}

// Missed are the operations that a scenario names and that have not happened: its names are of another program or seed, and a
// run that holds without them proves nothing.
func (o *Outcome) Missed(only []string) []string {
	return slices.DeleteFunc(slices.Clone(only), func(name string) bool { return slices.Contains(o.Operations, name) })
}
