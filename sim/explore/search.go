package explore

import (
	"fmt"
	"math"

	"github.com/graspkit/graspkit/sim/invariant"
)

// A search goes through the worlds of a family, deep first: it keeps the worlds of one history and the digests of all.
type search struct {
	plot    *plot
	opts    Options
	values  *values
	visited map[digest]int32 // and the least number of moves to it
	served  map[string]bool
	found   map[string]bool
	path    []Move
	limit   int // moves of a history, at most
	again   bool
	states  int
	result  Result
	first   *string // what was served at the first end that is to be compared
}

func newSearch(p *plot, o Options) *search {
	return &search{
		plot: p, opts: o, values: newValues(), visited: map[digest]int32{}, served: map[string]bool{}, found: map[string]bool{},
		limit: math.MaxInt,
	}
}

// askedEvery is how many worlds are reached until a search is asked whether it is to end.
const askedEvery = 1024

// A frame is a world on the way, and what is still to be tried in it.
type frame struct {
	world *world
	moves []Move
	next  int
}

// run looks at everything that a world may lead to. It ends at the first violation, unless all are wanted.
func (x *search) run(root *world) {
	x.states = 0
	x.path = x.path[:0]
	frames := []frame{}
	if x.enter(root) {
		frames = append(frames, frame{world: root, moves: root.moves()})
	}
	for len(frames) > 0 {
		if x.result.Failure != nil && !x.opts.All && !x.again {
			return
		}
		f := &frames[len(frames)-1]
		if f.next == len(f.moves) || len(frames) > x.limit {
			frames = frames[:len(frames)-1]
			if len(x.path) > 0 {
				x.path = x.path[:len(x.path)-1]
			}
			continue
		}
		if x.states >= x.opts.States || x.states%askedEvery == 0 && x.opts.Stop != nil && x.opts.Stop() {
			return
		}
		m := f.moves[f.next]
		f.next++
		w := f.world
		if f.next < len(f.moves) {
			w = x.values.copied(f.world)
		} // else the world is needed no more
		w.apply(m)
		x.path = append(x.path, m)
		if !x.enter(w) {
			x.path = x.path[:len(x.path)-1]
			continue
		}
		frames = append(frames, frame{world: w, moves: w.moves()})
	}
	if !x.again {
		x.result.Complete = true
	}
}

// enter looks at a world that was reached, and reports whether it leads on.
func (x *search) enter(w *world) bool {
	x.states++
	depth := len(x.path)
	if !x.again {
		x.result.States = x.states
		x.result.Depth = max(x.result.Depth, depth)
	}
	if x.fails(w, false) {
		return false
	}
	if !x.opts.Apart {
		d := x.values.digest(w)
		least, known := x.visited[d]
		if known && (!x.again || int(least) <= depth) {
			return false
		}
		x.visited[d] = int32(depth) //nolint:gosec // a history of so many moves has no end
		if known {
			return true // what holds in it has been looked at
		}
	}
	return x.look(w)
}

// look judges a world that differs from all before.
func (x *search) look(w *world) bool {
	if !w.quiescent() {
		return true
	}
	if !x.again {
		x.result.Rests++
	}
	still := x.values.copied(w)
	still.rest()
	if x.fails(still, false) {
		return false
	}
	for _, m := range w.moves() {
		if m.Kind != MoveCrash {
			return true
		}
	}
	return x.end(w)
}

// end judges a world in which everything has been done.
func (x *search) end(w *world) bool {
	if !x.again {
		x.result.Ends++
	}
	if w.peer != nil {
		healed := x.values.copied(w)
		healed.heal()
		if x.fails(healed, false) {
			return false
		}
	}
	if !x.plot.family.Same || w.passed {
		x.served[w.served()] = true
		return true
	}
	last := x.values.copied(w)
	last.repeat()
	if x.fails(last, true) {
		return false
	}
	last.rest()
	if x.fails(last, true) {
		return false
	}
	served := last.served()
	x.served[served] = true
	if x.first == nil {
		x.first = &served
	}
	if served != *x.first {
		last.broke = append(last.broke, invariant.Violation{
			ID: "ORDER", Code: "order-matters", At: w.now, Server: serverName,
			Detail: fmt.Sprintf("in the end there is\n%s\nand in another order\n%s", served, *x.first),
		})
	}
	return !x.fails(last, true)
}

// fails notes what a world has broken.
func (x *search) fails(w *world, repeats bool) bool {
	list := w.violations()
	if len(list) == 0 {
		return false
	}
	for _, v := range list {
		x.found[v.String()] = true
	}
	if old := x.result.Failure; old == nil || len(x.path) < len(old.Moves) {
		x.result.Failure = &Failure{Violations: list, Moves: append([]Move(nil), x.path...), Repeats: repeats}
		x.limit = len(x.path) - 1
	}
	return true
}

// shorten looks for the shortest history that breaks a rule: of the worlds that fewer moves lead to, each at its least depth.
func (x *search) shorten() {
	x.again = true
	clear(x.visited)
	x.run(newWorld(x.plot))
	x.result.Failure.Shortest = x.states < x.opts.States
}
