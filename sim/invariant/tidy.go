package invariant

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// wantedWith is the set of objects that the events of a repository want, and some of those that are not answered or not here.
func (m *Monitor) wantedWith(id repo.ID, pending []*entry) map[repo.OID]bool {
	wanted := m.declaredWith(id, statesOf(id.Identifier, pending))
	set := m.book.serving(id)
	for _, list := range [][]*entry{m.book.pulls[id.Identifier], pending} {
		for _, e := range list {
			if e.pull != nil && names(e.pull, id.Identifier, set) {
				wanted[e.pull.Commit] = true
			}
		}
	}
	return wanted
}

// mayTidy is INV-16 for objects: of those that are there none is given up that an event wants, whatever else reaches it.
func (m *Monitor) mayTidy(t core.TidyRepository) {
	view := m.book.repositories[t.Repo]
	if view == nil {
		return
	}
	stays := map[repo.OID]bool{}
	for _, name := range slices.Sorted(maps.Keys(view.refs)) {
		stays[view.refs[name]] = true
	}
	for _, oid := range t.Keep {
		stays[oid] = true
	}
	pending := slices.DeleteFunc(sortedPending(m.pending), func(e *entry) bool { return e.offered }) // who knows whether they are taken
	for _, oid := range slices.Sorted(maps.Keys(m.wantedWith(t.Repo, pending))) {
		if view.objects[oid] && !m.met(stays[oid], "INV-16") {
			m.violated("INV-16", "wanted-object-removed", "object %s of %s of %s", short(oid), t.Repo.Identifier, t.Repo.Owner)
		}
	}
}

// tidied leaves in the view what is known to be in a repository now.
func (r *repositoryView) tidied(keep []repo.OID) {
	stays := maps.Clone(r.history)
	for _, name := range slices.Sorted(maps.Keys(r.refs)) {
		stays[r.refs[name]] = true
	}
	for _, oid := range keep {
		stays[oid] = true
	}
	maps.DeleteFunc(r.objects, func(oid repo.OID, _ bool) bool { return !stays[oid] })
}
