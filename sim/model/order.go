package model

import (
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// mayOrder judges that the shell is asked for what is needed: a repository is made for an announcement, and removed behind it,
// what is not known is read, and nothing is ordered in a repository while another order or a push is carried out there.
func (m *Model) mayOrder(o order) {
	r, x := m.room(o.repo.Identifier), m.repository(o.repo)
	owner := string(o.repo.Owner)
	if !o.asks { // questions about objects are asked of others, too, whatever they do
		for _, request := range m.work.requests() {
			if other := m.work.orders[request]; other.repo == o.repo && !other.asks {
				m.differ("INV-22", "two-orders", "something is ordered in the repository of %s while another order runs", owner)
				return
			}
		}
	}
	announces := func(e *entry) bool { return e.ev.PubKey == owner && e.d == o.repo.Identifier }
	a := r.announced(owner)
	_, kept := m.marks.now[markName{kind: markRetired, repo: o.repo}]
	switch {
	case isPlace(o.repo):
		m.mayOrderPlace(x, o)
	case o.creates && x.there && !r.everFailed: // of one that could not be made something may be there
		m.differ("G01-PURG-06", "made-again", "the repository of %s is made and is there", owner)
	case o.creates && (a == nil || !a.listed) && !x.strange && !slices.ContainsFunc(m.announcers, announces) &&
		!m.recallsAny(func(e *entry) bool { return e.announcement && announces(e) }):
		m.differ("G01-PURG-06", "made-for-nobody", "a repository is made for %s, who announces none", owner)
	case o.removes && r.hosted(owner):
		m.differ("INV-16", "removed-announced", "the repository of %s is removed and its announcement counts", owner)
	case o.removes && kept:
		m.differ("G01-DEL-06", "removed-kept", "the repository of %s is removed, and is remembered as one that is kept", owner)
	case o.reads && !x.unread:
		m.differ("INV-02", "read-for-nothing", "the refs of %s are read, which are known", owner)
	}
}

// mayAsk judges that git is asked for objects that something needs: a state, or a pull request. What one repository has turned
// out to lack others are asked for, even if nothing needs it any more.
func (m *Model) mayAsk(e core.AskObjects) {
	facts, _ := m.step.in.(core.ObjectFacts)
	for _, oid := range e.OIDs {
		tells := func(x *entry) bool {
			return slices.Contains(x.needs, oid) && slices.Contains(x.rooms(), e.Repo.Identifier)
		}
		if !m.needed(e.Repo, oid) && !slices.Contains(facts.Missing, oid) && !m.recallsAny(tells) {
			m.differ("INV-04", "asked-for-nothing", "git is asked for %s in %s of %s, which nothing needs", oid, e.Repo.Identifier, e.Repo.Owner)
			return
		}
	}
}

// needed reports whether an event of a repository's identifier, or a pull request that names it beside others, tells an object.
func (m *Model) needed(id repo.ID, oid repo.OID) bool {
	r := m.room(id.Identifier)
	for _, s := range r.states {
		if slices.ContainsFunc(s.refs, func(ref repo.Ref) bool { return ref.OID == oid }) {
			return true
		}
	}
	return slices.ContainsFunc(r.pulls, func(p *entry) bool { return p.commit == oid && !m.settledPull(p) })
}

// settledPull reports whether a pull request is served and all repositories that it is for have its ref: they need nothing of it.
func (m *Model) settledPull(p *entry) bool {
	return p.phase == stored && !slices.ContainsFunc(m.concerned(p), func(id repo.ID) bool {
		return m.repository(id).at("refs/nostr/"+p.ev.ID) != p.commit
	})
}
