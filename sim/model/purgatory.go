package model

import (
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// holds judges that an event is held until a deadline, or has another one from now on.
func (m *Model) holds(e *entry, r core.Record) {
	if e.phase == nowhere || e.phase == arriving {
		m.beginsToWait(e, r)
		return
	}
	if e.phase != held || r.Arrived != e.arrived {
		m.differ("INV-10", "held-again", "event %s is %s and is held from another moment on", e.ev.ID, e.phase)
		return
	}
	full := after(m.now, m.cfg.Life)
	switch {
	case r.Soft == e.soft && r.Deadline == e.deadline:
		m.differ("REF-PURG-05", "held-once-more", "the journal is told once more that event %s is held until %d", e.ev.ID, e.deadline)
	case r.Soft && !e.soft:
		m.softens(e, r)
	case e.soft && !r.Soft:
		if !m.revivable(e, r.Deadline) {
			m.differ("REF-PURG-03", "revived", "announcement %s is revived until %d, want exactly a life after a state that it authorizes",
				e.ev.ID, r.Deadline)
		}
	case e.soft || r.Deadline != full || !m.extensible(e):
		m.differ("REF-PURG-05", "extended", "event %s of kind %d is held until %d in place of %d, for no reason",
			e.ev.ID, e.ev.Kind, r.Deadline, e.deadline)
	}
	m.count(e, -1)
	if r.Soft && !e.soft {
		m.makesRoom(e) // in the first phase
	}
	e.soft, e.deadline, e.excused = r.Soft, r.Deadline, false
	m.count(e, 1)
	m.due.Push(e.deadline, e.ev.ID, e)
	for _, identifier := range e.rooms() {
		m.touch(identifier)
	}
}

// beginsToWait judges the deadline of an event that was not held before: a whole life. Of an announcement it may count from
// the arrival or from the moment at which its repository was there; a push that a state authorizes may have extended it.
func (m *Model) beginsToWait(e *entry, r core.Record) {
	was := e.phase
	switch {
	case r.Arrived != e.arrived && (!e.announcement || r.Arrived != m.now), r.Soft:
		m.differ("G01-PURG-02", "held-since", "event %s is held since %d, want %d", e.ev.ID, r.Arrived, e.arrived)
	case r.Deadline != after(r.Arrived, m.cfg.Life) && (!e.state || !m.extendedMeanwhile(e, r.Deadline)):
		m.differ("G01-PURG-11", "deadline", "event %s of kind %d is held until %d, want %d", e.ev.ID, e.ev.Kind, r.Deadline,
			after(r.Arrived, m.cfg.Life))
	case was == arriving && e.announcement && (m.tombs.cover(&e.ev) || m.sunk(e)):
		m.differ("INV-12", "held-deleted", "event %s is held and its author asked for its deletion", e.ev.ID)
	}
	e.arrived, e.deadline = r.Arrived, r.Deadline
	e.excused = r.Deadline <= m.now || m.outlived(&e.ev) // its answer took a whole life
	if was == nowhere {
		if !m.become(e, held) {
			m.differ("INV-03", "held-unaccepted", "event %s of kind %d is held, which nothing accepts", e.ev.ID, e.ev.Kind)
		}
		return
	}
	if e.announcement {
		if there := m.room(e.d).announced(e.ev.PubKey); there != nil && !newer(&e.ev, &there.ev) {
			m.differ("G01-PURG-24", "went-back", "announcement %s takes the place of a newer one, %s", e.ev.ID, there.ev.ID)
		}
	}
	m.turns(e, held)
	if e.state {
		m.step.answered = append(m.step.answered, e)
	}
}

// extendedMeanwhile reports whether a push that a state authorized before its answer has moved its deadline.
func (m *Model) extendedMeanwhile(e *entry, deadline instant.Instant) bool {
	for _, at := range e.pushed {
		if deadline == after(at, m.cfg.Life) {
			return true
		}
	}
	return false
}

// softens judges the end of the first phase: at its deadline, for a day from that (REF-PURG-01).
func (m *Model) softens(e *entry, r core.Record) {
	switch {
	case !e.announcement || !e.listed || m.now < e.deadline:
		m.differ("REF-PURG-01", "softened-early", "event %s enters its second phase %v before its deadline", e.ev.ID, e.deadline-m.now)
	case m.relied(e):
		m.differ("REF-PURG-07", "softened-pinned", "announcement %s loses its repository while a push runs that it allows", e.ev.ID)
	case m.now > e.deadline && !e.excused && !m.step.first:
		m.differ("REF-PURG-06", "softened-late", "announcement %s enters its second phase after its deadline", e.ev.ID)
	case r.Deadline != after(e.deadline, softLife):
		m.differ("REF-PURG-02", "soft-deadline", "announcement %s is kept until %d, want %d", e.ev.ID, r.Deadline,
			after(e.deadline, softLife))
	}
}

// revivable reports whether a state that the announcement authorizes has come a life before the new deadline.
func (m *Model) revivable(e *entry, deadline instant.Instant) bool {
	keys := m.room(e.d).set(e.ev.PubKey)
	for _, s := range m.room(e.d).states {
		if slices.Contains(keys, s.ev.PubKey) && after(s.arrived, m.cfg.Life) == deadline {
			return true
		}
	}
	for _, s := range m.room(e.d).came {
		if slices.Contains(keys, s.author) && after(s.at, m.cfg.Life) == deadline {
			return true // it was deleted while the repository was made
		}
	}
	return false
}

// extensible reports whether something in this step gives an entry a whole life: a state that an announcement authorizes was
// answered, or a push is authorized by the state for the announcement's repository (REF-PURG-04).
func (m *Model) extensible(e *entry) bool {
	r := m.room(e.d)
	if e.announcement {
		keys := r.set(e.ev.PubKey)
		for _, s := range m.step.answered {
			if s.d == e.d && slices.Contains(keys, s.ev.PubKey) {
				return true
			}
		}
	}
	for _, id := range m.step.expects {
		p := m.work.pushes[id]
		if p == nil || p.repo.Identifier != e.d || !p.declares() {
			continue
		}
		if e.announcement && string(p.repo.Owner) == e.ev.PubKey || e.state {
			if !e.state || slices.Contains(m.candidates(p), e) {
				return true
			}
		}
	}
	return false
}

// extended judges the lower bounds: whoever must have got a whole life in this step has it.
func (m *Model) extended() {
	for _, s := range m.step.answered {
		if s.phase != held && s.phase != stored {
			continue
		}
		r := m.room(s.d)
		for _, a := range r.authorizing(s.ev.PubKey) {
			switch {
			case a.phase != held || m.ailing(r):
			case a.soft && r.busy():
				a.reviver = s
			case a.soft:
				m.notRevived(a, s)
			case !a.soft && a.deadline < after(s.arrived, m.cfg.Life):
				m.differ("REF-PURG-04", "not-extended", "announcement %s is not extended by state %s, which it authorizes", a.ev.ID, s.ev.ID)
			}
		}
	}
	for _, p := range m.step.extend {
		if p.phase == held && p.deadline < after(m.now, m.cfg.Life) {
			m.differ("REF-PURG-04", "not-extended", "event %s of kind %d is not extended by the push that it allows", p.ev.ID, p.ev.Kind)
		}
	}
}

// notRevived judges an announcement that is in its second phase although a state was answered that it authorizes. Of the new first
// phase something must be left. A server that is stopping makes no repository.
func (m *Model) notRevived(a, s *entry) {
	if m.now < after(s.arrived, m.cfg.Life) && !m.work.closing {
		m.differ("REF-PURG-03", "not-revived", "announcement %s is not revived by state %s, which it authorizes", a.ev.ID, s.ev.ID)
	}
}

// drops judges that an event is held no more.
func (m *Model) drops(e *entry) {
	if e.phase == arriving {
		m.work.ends(e)
		m.leaves(e)
		if len(m.refusals(e)) == 0 && !m.unauthorized(e) {
			m.differ("INV-10", "dropped", "event %s of kind %d is dropped before its answer for no reason", e.ev.ID, e.ev.Kind)
		}
		return
	}
	over := m.now >= e.deadline && !m.relied(e)
	switch {
	case e.phase != held:
		m.differ("INV-10", "dropped", "event %s is dropped and is not held", e.ev.ID)
		return
	case slices.Contains(m.step.dropDue, e), m.replaced(e), m.outlived(&e.ev), m.unauthorized(e), m.step.first && m.overtakenBy(e):
		if over {
			m.expired[e.ev.ID] = e.deadline // or for another reason
		}
	case over && e.announcement && e.listed && !e.soft:
		m.differ("REF-PURG-01", "no-second-phase", "announcement %s is dropped at the end of its first phase", e.ev.ID)
	case over && m.now > e.deadline && !e.excused && !m.step.first:
		m.differ("REF-PURG-06", "dropped-late", "event %s of kind %d is dropped after its deadline", e.ev.ID, e.ev.Kind)
	case over:
		m.expired[e.ev.ID] = e.deadline
		m.step.ranOut = append(m.step.ranOut, e)
	case e.soft && (m.soft.entries > m.cfg.Held || beyond(m.soft.bytes, m.cfg.Limits.HeldBytes)):
		m.step.crowded = append(m.step.crowded, e)
		m.expired[e.ev.ID] = m.now
		m.step.ranOut = append(m.step.ranOut, e)
	default:
		m.differ("G01-PURG-11", "dropped-early", "event %s of kind %d is dropped %v before its deadline for no reason",
			e.ev.ID, e.ev.Kind, e.deadline-m.now)
	}
	m.leaves(e)
}

func (m *Model) overtakenBy(e *entry) bool {
	a, ok := e.address()
	return ok && m.latest[a] != nil
}

// replaced reports whether something newer takes the place of a held announcement in this step.
func (m *Model) replaced(e *entry) bool {
	if !e.announcement {
		return e.state && m.overtaken(e)
	}
	for _, id := range slices.Concat(m.step.holds, m.step.stores) {
		m.recalls(id) // what another server has said may have waited for this one
		if x := m.entries[id]; x != nil && x != e && x.announcement && x.ev.PubKey == e.ev.PubKey && x.d == e.d && newer(&x.ev, &e.ev) {
			return true
		}
	}
	return false
}

// unauthorized reports whether an announcement has gone in this step and nobody authorizes a state any more (REF-PURG-22).
func (m *Model) unauthorized(e *entry) bool {
	return e.state && (slices.Contains(m.step.gone, e.d) || m.step.first) && len(m.room(e.d).authorizing(e.ev.PubKey)) == 0
}

// deserted judges the states that wait for nobody: where an announcement has gone and no newer one stands in its place, those go that
// nobody authorizes any more (REF-PURG-22).
func (m *Model) deserted() {
	for _, old := range m.step.lost {
		r := m.room(old.d)
		if a := r.announced(old.ev.PubKey); a != nil && (a.listed || !old.listed) || m.step.first {
			continue
		}
		for _, s := range r.states {
			if s.phase == held && len(r.authorizing(s.ev.PubKey)) == 0 {
				m.differ("REF-PURG-22", "deserted", "state %s is held, and the announcement has gone by which its author counted", s.ev.ID)
				return
			}
		}
	}
}

// relied reports whether a push that an entry allows has certainly not ended, nor what follows from its end (REF-PURG-07).
func (m *Model) relied(e *entry) bool {
	for _, identifier := range e.rooms() {
		if slices.Contains(m.room(identifier).sure, e) {
			return true
		}
	}
	return slices.ContainsFunc(m.work.order, func(id core.PushID) bool { return slices.Contains(m.work.pushes[id].pinned, e) })
}

// pinned reports whether a push that an entry allows may not have ended.
func (m *Model) pinned(e *entry) bool {
	for _, identifier := range e.rooms() {
		if slices.Contains(m.room(identifier).pins, e) {
			return true
		}
	}
	return false
}

// succeeds has pushes that relied on an announcement rely on the newer one that takes its place (REF-PURG-07).
func (m *Model) succeeds(r *room, e *entry) {
	takes := func(list []*entry) []*entry {
		before := func(x *entry) bool { return x != e && x.announcement && x.ev.PubKey == e.ev.PubKey && x.d == e.d }
		if slices.Contains(list, e) || !slices.ContainsFunc(list, before) {
			return list
		}
		return append(slices.Clone(list), e)
	}
	r.pins = takes(r.pins)
	for _, id := range m.work.order {
		m.work.pushes[id].pinned = takes(m.work.pushes[id].pinned)
	}
}

// settled judges a room in which nothing is under way: whatever waits there waits for something.
func (m *Model) settled(identifier string) {
	r := m.rooms[identifier]
	if r != nil && r.sure != nil && !m.work.busy(r.sureOf) {
		r.sure = nil
	}
	if r == nil || r.orders+r.pushing+r.fetches > 0 || len(m.Differences) > 0 {
		return
	}
	r.pins, r.sure = nil, nil
	for _, p := range m.work.order {
		if x := m.work.pushes[p]; x.repo.Identifier == identifier {
			r.pins = append(r.pins, x.pinned...)
		}
	}
	for _, e := range slices.Concat(r.states, r.pulls, m.announcers) {
		if e.phase == arriving && slices.Contains(e.rooms(), identifier) && !m.elsewhere(e) {
			m.unresolved(e)
		}
	}
	if m.ailing(r) || m.work.closing {
		return
	}
	for _, x := range r.repositories {
		m.rests(r, x)
	}
	for _, a := range r.announcements {
		if s := a.reviver; s != nil && a.soft && (s.phase == held || s.phase == stored) && slices.Contains(r.set(a.ev.PubKey), s.ev.PubKey) {
			m.notRevived(a, s)
		}
		a.reviver = nil
		if a.listed && !a.soft {
			m.ownerSettled(r, a)
		} else if !a.listed && a.phase == held && m.unpromotable(a) == "" {
			m.differ("G01-ANN-14", "not-promoted", "announcement %s is held though somebody who is served vouches for it", a.ev.ID)
		}
	}
}

// elsewhere reports whether the answer to a pull request may wait for a repository of another identifier, or for a place that has a ref
// of its name.
func (m *Model) elsewhere(e *entry) bool {
	return slices.ContainsFunc(m.names, func(identifier string) bool {
		r := m.rooms[identifier]
		named := func(x *repository) bool { return isPlace(x.id) && e.pull && x.at("refs/nostr/"+e.ev.ID) != "" }
		return r.orders+r.pushing+r.fetches > 0 && (slices.Contains(e.rooms(), identifier) || slices.ContainsFunc(r.repositories, named))
	})
}

// unresolved judges an event that waits for its answer though nothing is under way. One of another server has no answer.
func (m *Model) unresolved(e *entry) {
	if slices.ContainsFunc(e.waits, m.clients.has) || len(m.refusals(e)) == 0 && !e.unsure {
		m.differ("N01-EV-01", "never-answered", "event %s of kind %d has no answer and nothing is under way", e.ev.ID, e.ev.Kind)
		return
	}
	m.leaves(e)
}

// ownerSettled judges the repository of one owner at rest.
func (m *Model) ownerSettled(r *room, a *entry) {
	id := repo.ID{Owner: repo.PubKey(a.ev.PubKey), Identifier: r.identifier}
	x := m.repository(id)
	if !x.there {
		m.differ("G01-PURG-06", "no-repository", "announcement %s lists this service and has no repository", a.ev.ID)
		return
	}
	if x.unread {
		m.differ("INV-02", "not-read", "the refs of %s could not be read, and nothing has tried again", a.ev.PubKey)
		return
	}
	keys := r.set(a.ev.PubKey)
	var latest *entry
	for _, s := range r.states {
		if !slices.Contains(keys, s.ev.PubKey) {
			continue
		}
		if m.inTime(s) && m.stateWaitsForNothing(id, a, s) {
			m.differ("G01-PURG-07", "not-released", "state %s is held though %s has all of the %d refs that it declares",
				s.ev.ID, a.ev.PubKey, len(s.refs))
			return
		}
		if s.phase == stored && (latest == nil || newer(&s.ev, &latest.ev)) {
			latest = s
		}
	}
	if latest != nil && !m.belowFloor(keys, latest) && m.has(id, latest) && !aligned(x, latest) && (len(latest.refs) > 0 || a.phase == stored) {
		m.differ("INV-02", "not-aligned", "the refs of %s are not what the latest state %s declares", a.ev.PubKey, latest.ev.ID)
		return
	}
	if a.phase == held && !m.outlived(&a.ev) && m.unpromotable(a) == "" {
		m.differ("REF-PURG-20", "not-promoted", "announcement %s is held though its repository has what a released state declares", a.ev.ID)
		return
	}
	for _, p := range r.pulls {
		if m.inTime(p) && slices.Contains(m.concerned(p), id) && m.Missing != nil &&
			len(m.lacks(id, []repo.OID{p.commit})) == 0 {
			m.differ("G01-PURG-07", "not-released", "pull request %s is held though %s has its commit", p.ev.ID, a.ev.PubKey)
			return
		}
	}
}

func (m *Model) stateWaitsForNothing(id repo.ID, a, s *entry) bool {
	return m.Missing != nil && (len(s.refs) > 0 || a.phase == stored) && m.has(id, s)
}
