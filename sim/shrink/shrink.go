// Package shrink looks for the smallest scenario that fails as a given one does: with the fewest actors, operations and
// faults, and with nothing set that does not matter. It makes no run itself and knows no field but the few that it sets:
// what can be left out of a file is tried. What it keeps breaks the same invariant in the same way, or is not kept.
package shrink

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/graspkit/graspkit/scenarios"
)

// An Outcome is what a run came to.
type Outcome struct {
	Violation  string        // the first: its id and code; "" if everything held
	At         time.Duration // of that, since the start
	Operations []string      // names of those that happened
}

// A Search is what is looked for, and how long.
type Search struct {
	Run  func(s scenarios.Scenario) (Outcome, error) // makes a run; an error ends the search
	Runs int                                         // at most
	Tell func(Progress)                              // is told after each run; may be nil
}

// Progress is how far a search is.
type Progress struct {
	Runs       int
	Operations int // of the smallest that is known to fail
	Actors     int
}

// A Result is the smallest scenario that was found.
type Result struct {
	Progress

	Scenario scenarios.Node // with the operations that happen in it
	Outcome  Outcome        // of its run
	Whole    bool           // no single step makes it smaller; else runs or time are used up
}

// ErrHolds is returned for a scenario in which nothing is violated.
var ErrHolds = errors.New("no invariant is violated")

// errRuns ends a search whose runs are used up.
var errRuns = errors.New("shrink: all runs are used up")

// search is a Search under way.
type search struct {
	Search

	name     string // of the file, in errors
	want     string
	node     scenarios.Node // without the operations
	only     []string       // those that happen
	whole    bool           // all happen, also those that were not reached
	duration time.Duration
	outcome  Outcome
	runs     int
}

// Of shrinks a scenario. When the runs are used up, or Run returns an error, the result is what was found up to there; an
// error of Run is returned besides.
func (s Search) Of(file string, root scenarios.Node) (Result, error) {
	w := &search{Search: s, name: file, node: root, whole: true}
	if err := w.begin(); err != nil {
		return Result{}, err
	}
	err := w.improve()
	r := Result{Progress: w.progress(), Scenario: w.result(), Outcome: w.outcome, Whole: err == nil}
	if errors.Is(err, errRuns) {
		err = nil
	}
	return r, err
}

// begin sees the scenario fail.
func (w *search) begin() error {
	parsed, err := scenarios.Parse(w.name, []byte(w.node.YAML()))
	if err != nil {
		return fmt.Errorf("read what is to be shrunk: %w", err)
	}
	if parsed.Only != nil {
		w.node, w.only, w.whole = w.node.Without(slices.Index(w.node.Keys, "only"), slices.Index(w.node.Keys, "only")+1), parsed.Only, false
	}
	o, err := w.run(parsed)
	if err != nil {
		return err
	}
	if o.Violation == "" {
		return ErrHolds
	}
	w.want, w.outcome, w.duration = o.Violation, o, parsed.Duration
	return nil
}

// improve makes the scenario smaller until nothing helps any more.
func (w *search) improve() error {
	for {
		before, operations := w.node.YAML(), len(w.only)
		for _, pass := range []func() error{w.shorten, w.simplify, w.reached, w.groups, w.operations} {
			if err := pass(); err != nil {
				return err
			}
		}
		if w.node.YAML() == before && len(w.only) == operations {
			return nil
		}
	}
}

// run makes a run, unless they are used up.
func (w *search) run(s scenarios.Scenario) (Outcome, error) {
	if w.runs == w.Runs {
		return Outcome{}, errRuns
	}
	w.runs++
	o, err := w.Run(s)
	if w.Tell != nil && err == nil {
		w.Tell(w.progress())
	}
	return o, err
}

// fails tries a scenario, and takes it over if it fails as it should. One that cannot be is none.
func (w *search) fails(node scenarios.Node, only []string, whole bool) (bool, error) {
	s, err := scenarios.Parse(w.name, []byte(node.YAML()))
	if err != nil {
		return false, nil //nolint:nilerr // it is a proposal, and a bad one
	}
	if !whole {
		s.Only = only
	}
	o, err := w.run(s)
	if err != nil || o.Violation != w.want {
		return false, err
	}
	w.node, w.only, w.whole, w.outcome, w.duration = node, only, whole, o, s.Duration
	return true, nil
}

func (w *search) progress() Progress {
	list := w.only
	if w.whole {
		list = w.outcome.Operations
	}
	actors := map[string]bool{}
	for _, name := range list {
		actors[actorOf(name)] = true
	}
	return Progress{Runs: w.runs, Operations: len(list), Actors: len(actors)}
}

// result is the scenario as it is written. Where too many operations are left to be named, all of them happen.
func (w *search) result() scenarios.Node {
	if w.whole || len(w.only) > scenarios.OnlyMax {
		return w.node
	}
	order := map[string]int{} // in which they happen
	for i, name := range w.outcome.Operations {
		order[name] = i
	}
	list := scenarios.Node{Kind: scenarios.List}
	for _, name := range slices.SortedStableFunc(slices.Values(w.only), func(a, b string) int { return order[a] - order[b] }) {
		list.Items = append(list.Items, scenarios.Node{Text: name})
	}
	return w.node.With("only", list)
}
