// Package explore looks at every history of a small world: people who do a few things each, in every order, every order of what
// is under way, packs that do not come, and a crash at every point. It drives one core as a host does, keeps the rule that
// records are durable before what follows from them leaves, and has judges watch each step. Worlds are values: one that was
// reached before is not looked at again. It draws nothing and knows no clock, and what it finds does not depend on the machine.
package explore

import (
	"slices"

	"github.com/graspkit/graspkit/sim/invariant"
)

// Options bound a search. Zero values are those of the family.
type Options struct {
	States     int         // worlds that are reached, at most; zero is StatesMax
	HasCrashes bool        // Crashes counts, else what the family says
	Crashes    int         // of the server, at most
	Apart      bool        // takes no two worlds for one
	Alone      bool        // leaves out the model, to see what the rules of a history find
	All        bool        // goes on after a violation, and looks for no shortest history
	Stop       func() bool // ends the search; is asked now and then, and may be nil
}

// StatesMax bounds a search that has no other bound.
const StatesMax = 200_000

// A Result is what a search has found.
type Result struct {
	Family   string
	States   int  // worlds reached
	Distinct int  // of them, that differ
	Depth    int  // moves of the longest history
	Ends     int  // distinct worlds in which everything has been done
	Rests    int  // distinct worlds in which nothing is under way
	Complete bool // every history was looked at
	Checked  map[string]int
	Served   []string // what is served in the end, each once, sorted
	Found    []string // violations by their codes, each once, sorted; with Options.All all of them
	Failure  *Failure // nil if everything held
}

// A Failure is a history that breaks a rule, the shortest that the search has found.
type Failure struct {
	Violations []invariant.Violation
	Moves      []Move
	Repeats    bool // it is what everybody's repetition of everything leads to
	Shortest   bool // no shorter one breaks a rule
	Lines      []string
}

// Merged is how many worlds had been reached before.
func (r *Result) Merged() int { return r.States - r.Distinct }

// Explore looks at a family.
func Explore(f Family, o Options) Result {
	if o.HasCrashes {
		f.Crashes = o.Crashes
	}
	if o.States == 0 {
		o.States = StatesMax
	}
	p := &plot{family: f, script: newScript(), alone: o.Alone}
	f.Script(p.script)
	x := newSearch(p, o)
	x.run(newWorld(p))
	r := x.result
	r.Family = f.Name
	r.Distinct = len(x.visited)
	if o.Apart {
		r.Distinct = r.States
	}
	for text := range x.served {
		r.Served = append(r.Served, text)
	}
	for text := range x.found {
		r.Found = append(r.Found, text)
	}
	slices.Sort(r.Served)
	slices.Sort(r.Found)
	if r.Failure != nil && !o.All {
		x.shorten()
		r.Failure = x.result.Failure
		r.Failure.Lines = tell(p, r.Failure)
		for i := range r.Failure.Violations {
			v := &r.Failure.Violations[i]
			v.Detail = p.script.named(v.Detail)
		}
	}
	return r
}
