package model

import (
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// after is an instant and what comes behind it.
func after(at instant.Instant, d time.Duration) instant.Instant { return at + instant.Instant(d) }

// record judges one claim of the journal and takes it over.
func (m *Model) record(r core.Record) {
	if r.Op == core.OpMark || r.Op == core.OpUnmark {
		m.marked(r)
		return
	}
	if r.Op == core.OpStore || r.Op == core.OpHold {
		m.recorded(r)
	}
	e := m.entries[r.ID]
	if e == nil && r.Op == core.OpDrop && m.work.ended(r.ID) != nil {
		return // it was answered before
	}
	if e == nil || r.Event != nil && !same(&e.ev, r.Event) {
		m.differ("INV-10", "recorded-otherwise", "the journal is told of event %s, which is not what was published", r.ID)
		return
	}
	switch r.Op { //nolint:exhaustive // marks are no claims of the model
	case core.OpStore:
		m.stores(e)
	case core.OpUnstore:
		m.unstores(e)
	case core.OpHold:
		m.holds(e, r)
	case core.OpDrop:
		m.drops(e)
	}
	m.journal.note(m.now, m.checks, r.ID, e)
}

// become makes an arrival what its verdict says that it becomes at once.
func (m *Model) become(e *entry, p phase) bool {
	if e.phase != nowhere {
		return false
	}
	for _, w := range m.step.wants {
		if w.e == e && slices.ContainsFunc(w.outs, func(o outcome) bool { return o.becomes == p }) {
			m.enter(e, p)
			return true
		}
	}
	return false
}

// stores judges that an event becomes served, with what follows from it.
func (m *Model) stores(e *entry) {
	a, replaceable := e.address()
	old := m.latest[a]
	if !replaceable {
		old = nil
	}
	was := e.phase
	switch why := m.unreleasable(e); {
	case was == stored:
		m.differ("INV-10", "stored-twice", "event %s is stored once more", e.ev.ID)
		return
	case old != nil && !newer(&e.ev, &old.ev):
		m.differ("INV-05", "went-back", "event %s of kind %d takes the place of a newer one, %s", e.ev.ID, e.ev.Kind, old.ev.ID)
		return
	case was == nowhere && !m.become(e, stored):
		m.differ("INV-03", "stored-unaccepted", "event %s of kind %d is stored, which nothing accepts", e.ev.ID, e.ev.Kind)
		return
	case was != nowhere && why != "":
		m.differ("G01-PURG-05", "released", "event %s of kind %d is served although %s", e.ev.ID, e.ev.Kind, why)
		return
	case was != nowhere:
		m.turns(e, stored)
	}
	if was == arriving && e.state {
		m.step.answered = append(m.step.answered, e)
	}
	if old != nil {
		m.step.unstore = append(m.step.unstore, old)
	}
	if replaceable {
		m.setFloor(a, nil)
	}
	if e.state {
		for _, x := range m.room(e.d).states {
			if x.phase == held && x.ev.PubKey == e.ev.PubKey && newer(&e.ev, &x.ev) {
				m.step.dropDue = append(m.step.dropDue, x)
			}
		}
	}
	m.step.liveDue = m.clients.wanting(m.step.liveDue, e)
	if e.ev.Kind == 5 || e.ev.Kind == 62 {
		m.journal.requests = append(m.journal.requests, e)
		m.requested(e)
	}
}

func (m *Model) setFloor(a address, e *entry) {
	old := m.floors[a]
	m.step.floored = append(m.step.floored, a)
	if old == e {
		return
	}
	m.journal.floors = append(m.journal.floors, floorChange{m.now, a, old})
	if m.floors[a] = e; e == nil {
		delete(m.floors, a)
	}
}

// unstores judges that an event is served no more: something newer took its place, its author asked for it, or it is over.
func (m *Model) unstores(e *entry) {
	if e.phase != stored || !slices.Contains(m.step.unstore, e) && !m.outlived(&e.ev) {
		m.differ("INV-17", "unstored", "event %s of kind %d leaves the store for no reason", e.ev.ID, e.ev.Kind)
		return
	}
	if a, ok := e.address(); ok && m.latest[a] == e && (e.announcement || e.state) {
		m.setFloor(a, e)
	}
	if e.ev.Kind == 5 {
		m.forgets(e)
	}
	m.leaves(e)
}

// unreleasable says why a waiting event must not be served yet, "" if it may.
func (m *Model) unreleasable(e *entry) string {
	switch {
	case e.phase != held && e.phase != arriving:
		return ""
	case e.phase == held && m.now >= e.deadline && !m.pinned(e):
		return "its time is over"
	case m.outlived(&e.ev):
		return "it has expired by its own word"
	case m.tombs.cover(&e.ev) || m.sunk(e):
		return "its author asked for its deletion"
	}
	switch {
	case e.announcement:
		return m.unpromotable(e)
	case e.state:
		return m.stateLacks(e)
	case e.pull:
		for _, id := range slices.Concat(m.concerned(e), e.places) {
			if m.repository(id).at("refs/nostr/"+e.ev.ID) == e.commit {
				return ""
			}
		}
		return "no repository that it is for has its ref"
	}
	return "events of its kind wait for nothing"
}

// unpromotable says why a held announcement must not be served: its own repository has no branch or tag that a released state
// of its maintainer set declares (REF-PURG-20), or nobody who is served vouches for it.
func (m *Model) unpromotable(e *entry) string {
	r := m.room(e.d)
	if a, _ := e.address(); m.latest[a] != nil {
		return "" // it takes the place of one that is served
	}
	if !e.listed {
		if _, served := m.vouched(r, e); served {
			return ""
		}
		return "nobody who is served vouches for it"
	}
	x := m.repository(repo.ID{Owner: repo.PubKey(e.ev.PubKey), Identifier: e.d})
	keys := r.set(e.ev.PubKey)
	for _, s := range r.states {
		if s.phase == stored || slices.Contains(m.step.stores, s.ev.ID) {
			for _, ref := range s.refs {
				if slices.Contains(keys, s.ev.PubKey) && x.at(ref.Name) == ref.OID {
					return ""
				}
			}
		}
	}
	return "its repository has nothing that a released state declares"
}

// stateLacks says why a state must not be served: no repository of an owner who authorizes it has all that it declares, or
// its refs have not been brought into line though it is the latest.
func (m *Model) stateLacks(e *entry) string {
	if m.overtaken(e) {
		return "a newer one of its author is served"
	}
	r := m.room(e.d)
	why := "nobody authorizes its author"
	for i, a := range r.authorizing(e.ev.PubKey) {
		not := m.ownerLacks(r, a, e)
		switch {
		case not == "":
			return ""
		case i == 0:
			why = not
		case !strings.Contains(why, not):
			why += ", and elsewhere " + not
		}
	}
	return why
}

// ownerLacks says why a state must not be served by what the repository of one owner has.
func (m *Model) ownerLacks(r *room, a, e *entry) string {
	id := repo.ID{Owner: repo.PubKey(a.ev.PubKey), Identifier: e.d}
	x := m.repository(id)
	switch {
	case a.soft || !x.there:
		return "no repository is there"
	case len(e.refs) == 0 && a.phase != stored:
		return "it declares nothing and the repository is not served"
	case !m.has(id, e) && (!m.behind(r, a, e) || !m.hasAmong(r, e)):
		return "the repository lacks an object"
	case !m.behind(r, a, e) && !aligned(x, e):
		return "the refs are not as it declares and it is the latest"
	}
	return ""
}

// lacks are those of the objects that a repository lacks.
func (m *Model) lacks(id repo.ID, oids []repo.OID) []repo.OID {
	missing, err := m.Missing(id, oids)
	if err != nil {
		return oids
	}
	return missing
}

// has reports whether a repository has all that a state declares.
func (m *Model) has(id repo.ID, e *entry) bool {
	if m.Missing == nil || len(e.refs) == 0 {
		return true
	}
	oids := make([]repo.OID, len(e.refs))
	for i, ref := range e.refs {
		oids[i] = ref.OID
	}
	return len(m.lacks(id, oids)) == 0
}

// hasAmong reports whether the repositories of an identifier together have all that a state declares: that may be enough for one
// that moves no refs (AMB-24).
func (m *Model) hasAmong(r *room, e *entry) bool {
	return !slices.ContainsFunc(e.refs, func(ref repo.Ref) bool {
		return !slices.ContainsFunc(r.repositories, func(x *repository) bool {
			return x.there && len(m.lacks(x.id, []repo.OID{ref.OID})) == 0
		})
	})
}

// behind reports whether a state is not the latest of those that count for an owner.
func (m *Model) behind(r *room, a, e *entry) bool {
	keys := r.set(a.ev.PubKey)
	for _, s := range r.states {
		if s != e && slices.Contains(keys, s.ev.PubKey) && newer(&s.ev, &e.ev) &&
			(s.phase == stored || slices.Contains(m.step.stores, s.ev.ID)) {
			return true
		}
	}
	return m.belowFloor(keys, e)
}

// belowFloor reports whether a newer state of one of the keys was served and deleted: its refs stay (G01-DEL-07).
func (m *Model) belowFloor(keys []string, e *entry) bool {
	for _, key := range keys {
		if floor := m.floors[address{30618, key, e.d}]; floor != nil && !newer(&e.ev, &floor.ev) {
			return true
		}
	}
	return false
}

// aligned reports whether branches, tags and HEAD are as a state declares them.
func aligned(x *repository, e *entry) bool {
	n := 0
	for _, ref := range x.refs {
		if isDeclarable(ref.Name) {
			n++
			if e.declares(ref.Name) != ref.OID {
				return false
			}
		}
	}
	return n == len(e.refs) && x.head == headOf(e, x.head)
}

// headOf is where HEAD belongs by a state: at the branch that it names if it declares that; else where it is, if that is
// declared; else at main, master or the first branch that is declared (G01-HEAD-01, G01-HEAD-03).
func headOf(e *entry, now string) string {
	for _, name := range []string{e.head, now, "refs/heads/main", "refs/heads/master"} {
		if name != "" && e.declares(name) != "" {
			return name
		}
	}
	for _, ref := range e.refs {
		if len(ref.Name) > 11 && ref.Name[:11] == "refs/heads/" {
			return ref.Name
		}
	}
	return now
}
