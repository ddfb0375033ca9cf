package history

import (
	"cmp"
	"slices"
	"strings"
)

// A place is one way in which a server may stand at a moment. It is compared by ==.
type place struct {
	known  uint32           // states that may authorize; those that were not answered are among them
	sure   uint32           // of these, the states that the server took and that nothing has taken away since
	dying  uint32           // states that a request without an answer asks to delete: it may come to pass at any time
	maybe  uint32           // objects that may be there
	floor  int8             // the rank of the newest state that was carried out: no older one authorizes any more
	refs   Refs             // where the refs are
	shown  Refs             // what is advertised: a server may be a while behind itself
	served [AuthorsMax]int8 // the rank of the newest state of each author that was served, and 1
}

// A machine knows what may follow from a place: what every legal server may do is possible, and what the text leaves open is
// possible in each way.
type machine struct {
	repo  Repository
	rules Rules
	rank  []int8          // of each state, from the oldest
	by    []int           // states by their rank
	asked map[target]bool // where pushes that were not answered would have refs
}

// A target is where a ref is to be.
type target struct {
	ref int
	to  Object
}

func newMachine(repo Repository, rules Rules) *machine {
	m := &machine{repo: repo, rules: rules, rank: make([]int8, len(repo.States))}
	for i := range repo.States {
		m.by = append(m.by, i)
	}
	slices.SortFunc(m.by, func(a, b int) int {
		one, other := repo.States[a], repo.States[b]
		return cmp.Or(cmp.Compare(one.Date, other.Date), -strings.Compare(one.ID, other.ID))
	})
	for rank, i := range m.by {
		m.rank[i] = int8(rank) //nolint:gosec // at most StatesMax
	}
	return m
}

// begin is where a repository stands that is served with the first state.
func (m *machine) begin() place {
	first := m.repo.States[0]
	p := place{known: 1, sure: 1, floor: m.rank[0], refs: first.Refs, shown: first.Refs}
	for _, object := range first.Refs {
		p.maybe |= bit(object)
	}
	p.served[first.Author] = m.rank[0] + 1
	return p
}

func bit(o Object) uint32 {
	if o == None || o > ObjectsMax {
		return 0
	}
	return 1 << o
}

// newest is the rank of the newest state of a set, -1 if there is none.
func (m *machine) newest(set uint32) int8 {
	for rank, i := range slices.Backward(m.by) {
		if set&(1<<i) != 0 {
			return int8(rank) //nolint:gosec // at most StatesMax
		}
	}
	return -1
}

// counts reports whether a state may authorize something in a place.
func (m *machine) counts(p place, state int) bool {
	return p.known&(1<<state) != 0 && m.rank[state] >= p.floor
}

// idle are the places that a server may come to from one by itself: it moves a ref as a state wants it whose objects may all be
// there, ahead of the push that would, or it advertises where a ref is by now.
func (m *machine) idle(from []place) []place {
	seen := make(map[place]bool, 2*len(from))
	for _, p := range from {
		seen[p] = true
	}
	for i := 0; i < len(from); i++ {
		for _, next := range m.moves(from[i]) {
			if !seen[next] {
				seen[next] = true
				from = append(from, next)
			}
		}
	}
	return from
}

func (m *machine) moves(p place) []place {
	var next []place
	if p.floor > 0 && slices.ContainsFunc(m.by, func(i int) bool { return p.dying&(1<<i) != 0 && m.stands(p, i) }) {
		without := p
		without.floor = 0
		next = append(next, without)
	}
	for ref := range m.repo.Refs {
		if p.shown[ref] != p.refs[ref] {
			moved := p
			moved.shown[ref] = p.refs[ref]
			next = append(next, moved)
		}
		for i, s := range m.repo.States {
			to := s.Refs[ref]
			if to != p.refs[ref] && m.counts(p, i) && (m.whole(p, s) || m.late(p, ref, to)) {
				moved := p
				moved.refs[ref] = to
				if moved.refs == s.Refs {
					next = append(next, m.carriedOut(moved)...)
				} else {
					next = append(next, moved)
				}
			}
		}
	}
	return next
}

// stands reports whether a state may be the one that was carried out last: the floor is the oldest of those that say the same.
func (m *machine) stands(p place, state int) bool {
	return m.rank[state] >= p.floor && m.repo.States[state].Refs == m.repo.States[m.by[p.floor]].Refs
}

// late reports whether a push that was not answered may move a ref now, by itself: whoever judges refs one by one needs no other objects.
func (m *machine) late(p place, ref int, to Object) bool {
	return m.asked[target{ref, to}] && (to == None || p.maybe&bit(to) != 0)
}

// whole reports whether all objects of a state may be there.
func (m *machine) whole(p place, s State) bool {
	return !slices.ContainsFunc(s.Refs[:], func(o Object) bool { return o != None && p.maybe&bit(o) == 0 })
}

// carriedOut are the places behind one in which the refs may now be all that a state says: that one is carried out then, the
// oldest one of several, unless the server may not have it.
func (m *machine) carriedOut(p place) []place {
	var all []place
	for rank, i := range m.by {
		if m.repo.States[i].Refs == p.refs && m.counts(p, i) {
			next := p
			next.floor = int8(rank) //nolint:gosec // at most StatesMax
			all = append(all, next)
			if p.sure&(1<<i) != 0 {
				return all
			}
		}
	}
	return append(all, p)
}

// step are the places behind an operation.
func (m *machine) step(from []place, in input) []place {
	switch in.kind {
	case taken:
		return each(from, func(p place) []place {
			p.known |= 1 << in.state
			p.sure |= 1 << in.state &^ p.dying
			return []place{p}
		})
	case brought:
		return each(from, func(p place) []place {
			p.known |= in.states
			p.dying |= in.doubted
			p.sure &^= in.doubted
			p.maybe |= in.objects
			return []place{p}
		})
	case deleted:
		return each(m.idle(from), func(p place) []place { return m.deleted(p, in.state) })
	case done:
		from = m.idle(from)
		for _, c := range in.commands {
			from = each(from, func(p place) []place { return m.done(p, c, in.objects) })
		}
		return each(from, func(p place) []place {
			if in.part { // of what may have been judged by another state as a whole
				return append(m.carriedOut(p), p)
			}
			return m.carriedOut(p)
		})
	case turnedAway:
		return each(m.idle(from), func(p place) []place {
			if m.owed(p, in.commands) {
				return nil
			}
			p.maybe |= in.objects
			return []place{p}
		})
	case shown:
		return each(m.idle(from), func(p place) []place {
			if p.shown != in.refs || in.settled && p.refs != in.refs {
				return nil
			}
			return []place{p}
		})
	case found:
		return each(m.idle(from), func(p place) []place { return m.found(p, in.served) })
	case revived:
		return each(from, func(p place) []place {
			p.sure &= 1 << m.by[p.floor]
			return []place{p}
		})
	}
	panic("history: invariant: unknown input")
}

// each is step for each place, each result once and in a fixed order.
func each(from []place, step func(place) []place) []place {
	seen := make(map[place]bool, len(from))
	var to []place
	for _, p := range from {
		for _, next := range step(p) {
			if !seen[next] {
				seen[next] = true
				to = append(to, next)
			}
		}
	}
	slices.SortFunc(to, compare)
	return to
}

func compare(a, b place) int {
	return cmp.Or(
		cmp.Compare(a.known, b.known), cmp.Compare(a.sure, b.sure), cmp.Compare(a.dying, b.dying), cmp.Compare(a.maybe, b.maybe), cmp.Compare(a.floor, b.floor),
		slices.Compare(a.refs[:], b.refs[:]), slices.Compare(a.shown[:], b.shown[:]), slices.Compare(a.served[:], b.served[:]),
	)
}

// deleted are the places behind a request to delete a state. What becomes of the refs, and of what older states are worth, of
// one that was carried out is open; one that is held is gone, if the row asks for that.
func (m *machine) deleted(p place, state int) []place {
	author := m.repo.States[state].Author
	if m.rules.Deleted && m.rank[state] > p.floor && p.sure&(1<<state) != 0 {
		p.known &^= 1 << state
	}
	p.sure &^= 1 << state
	p.served[author] = 0
	all := []place{p}
	if m.stands(p, state) {
		p.floor = 0
		all = append(all, p)
	}
	return all
}

// done are the places behind a command that was reported as done: a state that counts wants it.
func (m *machine) done(p place, c Command, brought uint32) []place {
	latest := m.newest(p.sure)
	p.maybe |= brought
	if p.refs[c.Ref] == c.New {
		return []place{p}
	}
	for i, s := range m.repo.States {
		if s.Refs[c.Ref] != c.New || !m.counts(p, i) || m.rules.Latest && m.rank[i] < latest {
			continue
		}
		p.refs[c.Ref] = c.New
		return []place{p}
	}
	return nil
}

// owed reports whether a push had to be taken: it makes the refs what the latest state says, it is made from the refs that are
// there, and no other state may count.
func (m *machine) owed(p place, commands []Command) bool {
	latest := m.newest(p.known)
	if len(commands) == 0 || latest < p.floor || p.sure&(1<<m.by[latest]) == 0 {
		return false
	}
	refs := p.refs
	for _, c := range commands {
		if refs[c.Ref] != c.Old {
			return false
		}
		refs[c.Ref] = c.New
	}
	return refs == m.repo.States[m.by[latest]].Refs
}

// found are the places behind a query that found some states: each was taken, no author's older one comes behind a newer one, and
// what is served is carried out.
func (m *machine) found(p place, states []int) []place {
	for _, i := range states {
		author := m.repo.States[i].Author
		if p.known&(1<<i) == 0 || m.rank[i] < p.served[author]-1 && p.dying&m.all(author) == 0 {
			return nil
		}
		p.served[author] = m.rank[i] + 1
		p.floor = max(p.floor, m.rank[i])
	}
	return []place{p}
}

// all are the states of an author.
func (m *machine) all(author int) uint32 {
	var set uint32
	for i, s := range m.repo.States {
		if s.Author == author {
			set |= 1 << i
		}
	}
	return set
}
