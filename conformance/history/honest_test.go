package history

import (
	"slices"

	"pgregory.net/rapid"
)

// A manner is one of the ways that the text leaves to a server.
type manner struct {
	AnyHeld   bool // a held state authorizes though a newer one waits, until that is carried out
	EachAlone bool // refs are judged one by one
	Lags      bool // it advertises old refs for a while
	AtOnce    bool // it holds nothing: what is taken is served
	Forgets   bool // what is held is lost at a restart
	Keeps     bool // it deletes nothing
	Refuses   bool // it refuses states that are older than one that it has
	Lazy      bool // it moves no ref by itself
	Stores    bool // it keeps the objects of refused pushes
}

// An honest server does one thing after the other. It is told apart from the machine on purpose: it knows what it does, and not
// what may be done.
type honest struct {
	manner
	repo        Repository
	newer       func(a, b int) bool
	known       []int
	served      []int
	carried     int // the newest state that was carried out
	objects     map[Object]bool
	refs, shown Refs
}

func newHonest(repo Repository, m manner) *honest {
	h := &honest{manner: m, repo: repo, known: []int{0}, served: []int{0}, refs: repo.States[0].Refs, shown: repo.States[0].Refs, objects: map[Object]bool{None: true}}
	h.newer = func(a, b int) bool {
		x, y := repo.States[a], repo.States[b]
		return x.Date > y.Date || x.Date == y.Date && x.ID < y.ID
	}
	for _, o := range h.refs {
		h.objects[o] = true
	}
	return h
}

func (h *honest) latest() int {
	latest := h.carried
	for _, s := range h.known {
		if h.newer(s, latest) {
			latest = s
		}
	}
	return latest
}

func (h *honest) publish(s int) Result {
	if h.Refuses && h.newer(h.latest(), s) {
		return Refused
	}
	h.known = append(h.known, s)
	if h.AtOnce {
		h.serve(s)
	}
	return Accepted
}

func (h *honest) serve(s int) {
	for _, other := range h.served {
		if h.repo.States[other].Author == h.repo.States[s].Author && h.newer(other, s) {
			return
		}
	}
	h.served = slices.DeleteFunc(h.served, func(other int) bool { return h.repo.States[other].Author == h.repo.States[s].Author })
	h.served = append(h.served, s)
}

// work is what it does by itself.
func (h *honest) work() {
	latest := h.latest()
	if h.Lazy || !slices.ContainsFunc(h.known, func(s int) bool { return s == latest }) {
		return
	}
	for _, o := range h.repo.States[latest].Refs {
		if !h.objects[o] {
			return
		}
	}
	h.carryOut(latest)
}

func (h *honest) carryOut(s int) {
	h.refs, h.carried = h.repo.States[s].Refs, s
	h.serve(s)
}

func (h *honest) push(o *Operation) Result {
	result := h.judge(o.Commands)
	if result == Accepted || h.Stores {
		for _, object := range o.Carries {
			h.objects[object] = true
		}
	}
	for i := range o.Commands {
		o.Commands[i].OK = result == Accepted
	}
	if result == Accepted && h.Lags {
		return result
	}
	h.shown = h.refs
	return result
}

func (h *honest) judge(commands []Command) Result {
	after := h.refs
	for _, c := range commands {
		if after[c.Ref] != c.Old {
			return Refused
		}
		after[c.Ref] = c.New
	}
	latest := h.latest()
	for _, s := range h.known {
		if s != latest && (!h.AnyHeld || !h.newer(s, h.carried)) {
			continue
		}
		want := h.repo.States[s].Refs
		fits := after == want
		if h.EachAlone {
			fits = !slices.ContainsFunc(commands, func(c Command) bool { return want[c.Ref] != c.New })
		}
		if fits {
			h.refs = after
			switch after {
			case want:
				h.carryOut(s)
			case h.repo.States[latest].Refs:
				h.carryOut(latest)
			default: // by whichever it was judged
				h.notice()
			}
			return Accepted
		}
	}
	return Refused
}

// notice carries out a state that is all there.
func (h *honest) notice() {
	for _, s := range h.known {
		if h.repo.States[s].Refs == h.refs && h.newer(s, h.carried) {
			h.carryOut(s)
			return
		}
	}
}

func (h *honest) remove(s int) {
	if h.Keeps {
		return
	}
	without := func(set []int) []int { return slices.DeleteFunc(slices.Clone(set), func(x int) bool { return x == s }) }
	h.known, h.served = without(h.known), without(h.served)
	if s == h.carried {
		h.carried = 0
		for _, left := range h.known { // whatever is left may be the latest now
			if h.newer(h.carried, left) {
				h.carried = left
			}
		}
	}
}

func (h *honest) restart() {
	if h.Forgets {
		h.known = slices.DeleteFunc(h.known, func(s int) bool { return h.newer(s, h.carried) })
	}
}

// drawn is a repository with states by two authors, in which the last object is in no state.
func drawn(t *rapid.T) Repository {
	repo := Repository{
		Refs: []string{"refs/heads/main", "refs/heads/dev"}, Authors: []string{"owner", "maintainer"},
		Objects: []string{"first", "second", "third", "side", "junk"},
	}
	n := rapid.IntRange(2, 7).Draw(t, "states")
	for i := range n {
		s := State{Author: rapid.IntRange(0, 1).Draw(t, "author"), Date: int64(rapid.IntRange(1, 2*n).Draw(t, "date")), ID: string(rune('a' + i))}
		if i == 0 {
			s.Author, s.Date = 0, 0
		}
		s.Refs[0] = Object(rapid.IntRange(1, 4).Draw(t, "main"))
		if rapid.IntRange(0, 3).Draw(t, "two") == 0 {
			s.Refs[1] = Object(rapid.IntRange(1, 4).Draw(t, "dev"))
		}
		repo.States = append(repo.States, s)
	}
	return repo
}

// lived is what clients see of an honest server, whose acts overlap, and where its refs are in the end.
func lived(t *rapid.T, repo Repository, m manner, lossy bool) ([]Operation, Refs) {
	h := newHonest(repo, m)
	var ops []Operation
	var later []func()
	unpublished := rapid.Permutation(numbers(1, len(repo.States))).Draw(t, "order")
	seen := map[int]Refs{}
	for i := range rapid.IntRange(3, 16).Draw(t, "length") {
		point := int64(1000*(i+1) + i)
		o := Operation{
			Client: rapid.IntRange(0, 3).Draw(t, "client"), Result: Accepted,
			Call: point - int64(rapid.IntRange(0, 3000).Draw(t, "early"))/1000*1000, Return: point + int64(rapid.IntRange(0, 3000).Draw(t, "late")),
		}
		var act func()
		switch rapid.IntRange(0, 11).Draw(t, "kind") {
		case 0, 1, 2:
			if len(unpublished) == 0 {
				continue
			}
			o.Kind, o.State = Publish, unpublished[0]
			unpublished = unpublished[1:]
			act = func() { o.Result = h.publish(o.State) }
		case 3:
			o.Kind, o.State = Delete, rapid.IntRange(0, len(repo.States)-1).Draw(t, "which")
			act = func() { h.remove(o.State) }
		case 4:
			o.Kind = Restart
			act = h.restart
		case 5, 6, 7:
			old, known := seen[o.Client]
			if !known {
				old = h.refs
			}
			pushed(&o, old, repo.States[rapid.IntRange(0, len(repo.States)-1).Draw(t, "pushed")].Refs)
			if len(o.Commands) == 0 {
				continue
			}
			act = func() { o.Result = h.push(&o) }
		case 8:
			o.Kind = Query
			act = func() { o.Served = slices.Clone(h.served) }
		default:
			o.Kind = Read
			act = func() { o.Refs = h.shown; seen[o.Client] = h.shown }
		}
		if lossy && o.Kind != Restart && rapid.IntRange(0, 5).Draw(t, "lost") == 0 {
			if rapid.Bool().Draw(t, "after all") {
				late := o
				late.Commands = slices.Clone(o.Commands)
				switch o.Kind {
				case Publish:
					later = append(later, func() { h.publish(late.State) })
				case Delete:
					later = append(later, func() { h.remove(late.State) })
				case Push:
					later = append(later, func() { h.push(&late) })
				case Read, Query, Restart: // nothing comes of what is only asked for
				}
			}
			o.Result = Unknown
			ops = append(ops, o)
			continue
		}
		act()
		ops = append(ops, o)
		if len(later) > 0 && rapid.Bool().Draw(t, "late effect") {
			later[0]()
			later = later[1:]
		}
		if rapid.Bool().Draw(t, "works") {
			h.work()
		}
		if !m.Lags || rapid.Bool().Draw(t, "catches up") {
			h.shown = h.refs
		}
	}
	return ops, h.refs
}

// pushed makes an operation the push from some refs to others.
func pushed(o *Operation, old, to Refs) {
	o.Kind = Push
	for ref := range to {
		if old[ref] != to[ref] {
			o.Commands = append(o.Commands, Command{Ref: ref, Old: old[ref], New: to[ref]})
			if to[ref] != None {
				o.Carries = append(o.Carries, to[ref])
			}
		}
	}
}

func numbers(from, to int) []int {
	var all []int
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}
