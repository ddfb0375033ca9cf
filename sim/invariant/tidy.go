package invariant

import (
	"maps"
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
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

// What refs have left stays for an hour: who has seen the refs may ask for it, or build on it. So much of it is remembered.
const (
	leftFor  = time.Hour
	leftMost = 256
)

// A leftObject is one that a ref pointed to until then.
type leftObject struct {
	oid repo.OID
	at  instant.Instant
}

// leaves notes which objects refs have left that were there before.
func (r *repositoryView) leaves(before map[string]repo.OID, now instant.Instant) {
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if r.refs[name] != before[name] {
			r.left = append(r.left, leftObject{before[name], now})
		}
	}
	r.left = slices.DeleteFunc(r.left, func(l leftObject) bool { return now.Sub(l.at) >= leftFor })
	r.left = r.left[max(0, len(r.left)-leftMost):]
}

// mayTidy is INV-16 for objects: of those that are there none is given up that an event wants, whatever else reaches it, nor one that a
// ref has left a short while ago.
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
	for _, l := range view.left {
		if view.objects[l.oid] && m.step.now.Sub(l.at) < leftFor && !m.met(stays[l.oid], "INV-16") {
			m.violated("INV-16", "left-object-removed", "object %s of %s of %s, which a ref has left %v ago", short(l.oid), t.Repo.Identifier, t.Repo.Owner, m.step.now.Sub(l.at))
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
