package invariant

import (
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// mayCopy is INV-04 for objects: nothing comes into a repository from another one unless a state of its maintainer set
// declares it, or it is the commit of a pull request for it.
func (m *Monitor) mayCopy(c core.CopyObjects) {
	wanted := m.wantedWith(c.Repo, slices.Concat(sortedPending(m.pending), m.unheld()))
	for _, oid := range c.OIDs {
		m.must(wanted[oid], "INV-04", "copied-unasked", "object %s into %s of %s", short(oid), c.Repo.Identifier, c.Repo.Owner)
	}
}

// mayMove is INV-04 for refs that an event moves: a branch or a tag goes only where a state of the maintainer set wants it.
func (m *Monitor) mayMove(u core.UpdateRefs) {
	wanted := m.declared(u.Repo)
	for _, c := range u.Commands {
		if declarable(c.Ref) && !c.New.IsZero() && !m.goesBack(u.Repo, c) {
			m.must(wanted[c.New], "INV-04", "moved-unasked", "%s to %s in %s of %s", c.Ref, short(c.New), u.Repo.Identifier, u.Repo.Owner)
		}
	}
}

// declared is the set of objects that states of a maintainer set declare: stored, held, given and not answered yet, or said by another
// relay and not here.
func (m *Monitor) declared(id repo.ID) map[repo.OID]bool {
	return m.declaredWith(id, slices.Concat(m.unanswered(id.Identifier), m.hearsay(id.Identifier)))
}

func (m *Monitor) declaredWith(id repo.ID, unanswered []*entry) map[repo.OID]bool {
	set := m.book.maintainers(id)
	wanted := map[repo.OID]bool{}
	for _, e := range slices.Concat(m.book.states[id.Identifier], unanswered) {
		if !slices.Contains(set, e.state.Author) {
			continue
		}
		for _, ref := range e.state.Refs {
			wanted[ref.OID] = true
		}
	}
	return wanted
}

// copied takes over what a copy has brought.
func (m *Monitor) copied(in core.ObjectFacts) {
	c, ok := m.orders[in.Request].(core.CopyObjects)
	if !ok {
		return
	}
	delete(m.orders, in.Request)
	m.hunt.touch(c.Repo.Identifier)
	view := m.book.repositories[c.Repo]
	for _, oid := range c.OIDs {
		if view != nil && !slices.Contains(in.Missing, oid) {
			view.objects[oid] = true
		}
	}
}

// available reports whether an object is in a repository or in another one of its identifier: a sibling can get it.
func (m *Monitor) available(id repo.ID, oid repo.OID) bool {
	if view := m.book.repositories[id]; view != nil && view.objects[oid] {
		return true
	}
	return slices.ContainsFunc(m.book.owners[id.Identifier], func(owner repo.PubKey) bool {
		sibling := repo.ID{Owner: owner, Identifier: id.Identifier}
		a, view := m.book.announcements[sibling], m.book.repositories[sibling]
		return view != nil && view.objects[oid] && a != nil && a.hosted && !a.soft
	})
}

// complete reports whether every object that a state declares is available to a repository.
func (m *Monitor) complete(id repo.ID, s *repo.State) bool {
	return !slices.ContainsFunc(s.Refs, func(ref repo.Ref) bool { return !m.available(id, ref.OID) })
}
