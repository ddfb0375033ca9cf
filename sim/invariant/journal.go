package invariant

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// record takes over one journal entry, with the checks that need no more than what came before it.
func (m *Monitor) record(r core.Record) {
	switch r.Op {
	case core.OpStore:
		m.keeps(r)
		m.storeRecord(r)
	case core.OpHold:
		m.keeps(r)
		m.holdRecord(r)
	case core.OpMark, core.OpUnmark: // what most marks stand for is seen in refs and answers
		m.ledger.mark(r)
	case core.OpUnstore, core.OpDrop:
		e := m.book.entries[r.ID]
		if e == nil || e.stored != (r.Op == core.OpUnstore) {
			return
		}
		if e.announcement != nil && m.book.standing(e.announcement.ID) && e.hosted {
			m.book.replaced[e.announcement.ID] = true
		}
		m.book.remove(e)
		m.hunt.touchEntry(e)
		if a := e.address(); e.stored && m.book.replaceable[a] == e {
			delete(m.book.replaceable, a)
		}
		m.step.left = append(m.step.left, departure{e, r.Op == core.OpDrop, e.state != nil && len(m.book.authorizing(e.state.Author, e.state.Identifier)) == 0})
		m.traffic.uncovers(e)
		if said := m.step.said; said != nil && said.ID == r.ID { // its time was over when it was sent again: it is new
			m.ask(said)
		}
	}
}

func (m *Monitor) storeRecord(r core.Record) {
	e := m.book.entries[r.ID]
	arrived := e == nil
	if arrived {
		e = m.book.read(r.Event)
		m.book.add(e)
	}
	if e.stored {
		return
	}
	e.stored, e.soft = true, false // the phases are those of what is held
	m.traffic.serves(e)
	m.hunt.touchEntry(e)
	delete(m.book.held, r.ID)
	m.step.answered = append(m.step.answered, r.ID)
	m.mayEnter(e, "deleted-stored")
	if m.book.requests.is(r.Event) {
		m.book.requests.add(r.Event)
		m.step.requests = append(m.step.requests, r.Event)
	}
	if e.pull != nil {
		m.step.first = append(m.step.first, e)
	}
	if !byItself(e.event.Kind) {
		m.ledger.related = append(m.ledger.related, e)
	}
	if !nostr.IsReplaceableKind(e.event.Kind) && !nostr.IsAddressableKind(e.event.Kind) {
		return
	}
	a := e.address()
	top := m.book.top[a]
	if m.forgotten(a.kind, top) {
		top = nil
	}
	m.must(top == nil || !newer(top, e.event), "INV-05", "store-went-back", "kind %d event %s was stored after %s", a.kind, r.ID, idOf(top))
	if top == nil || newer(e.event, top) {
		m.book.top[a] = e.event
	}
	if m.book.replaceable[a] == nil {
		m.step.first = append(m.step.first, e)
	}
	m.book.replaceable[a] = e
	if arrived {
		m.stateAccepted(e)
	}
}

// forgotten reports whether a version has left the store, by its author's request or by its own date, that no server needs to
// remember: of announcements and states alone none goes back behind one that is gone.
func (m *Monitor) forgotten(kind int, top *nostr.Event) bool {
	if top == nil || kind == repo.KindAnnouncement || kind == repo.KindState {
		return false
	}
	if slices.ContainsFunc(m.step.left, func(d departure) bool { return d.entry.event.ID == top.ID }) {
		return false // what is stored in this step takes its place
	}
	e := m.book.entries[top.ID]
	return e == nil || !e.stored
}

func (m *Monitor) holdRecord(r core.Record) {
	e := m.book.entries[r.ID]
	if e == nil {
		e = m.book.read(r.Event)
		e.latest = m.step.now.Add(m.life)
		m.hunt.arrived(m.step.now, e)
		m.mayHold(e)
		m.book.add(e)
		m.book.held[r.ID] = e
		m.step.answered = append(m.step.answered, r.ID)
		m.stateAccepted(e)
		m.relied(e)
	}
	m.mayEnter(e, "deleted-held")
	m.phase(e, r.Soft)
	m.hunt.touchEntry(e)
	e.promised = r.Deadline
	m.step.recorded = append(m.step.recorded, e)
	m.watch(e)
}

// phase takes over the phase of an announcement. The second one begins when the first is over and lasts a day; the first
// begins again with a state that the announcement authorizes (REF-PURG-01 to REF-PURG-03).
func (m *Monitor) phase(e *entry, soft bool) {
	switch {
	case soft && !e.soft:
		m.must(e.hosted && m.step.now >= e.promised && !m.reliedOn(e), "INV-11", "soft-too-early", "event %s has time until %d", e.event.ID, e.promised)
		e.latest = e.latest.Add(core.SoftLife)
	case e.soft && !soft:
		m.must(e.asked || m.askedBefore(e), "INV-11", "revived-unasked", "event %s", e.event.ID)
		e.latest = m.step.now.Add(m.life)
		m.watch(e)
	}
	if e.soft != soft {
		e.soft, e.asked = soft, soft && m.askedBefore(e)
	}
}

// askedBefore reports whether a state that an announcement authorizes waits for its answer: it revives one whose second phase
// begins meanwhile, and one that did not authorize it when it came, too.
func (m *Monitor) askedBefore(e *entry) bool {
	if e.announcement == nil {
		return false
	}
	for _, p := range sortedPending(m.pending) {
		if p.state != nil && p.state.Identifier == e.announcement.ID.Identifier &&
			slices.Contains(m.book.authorizing(p.state.Author, p.state.Identifier), e.announcement.ID.Owner) {
			return true
		}
	}
	return m.judgedAgain(e.announcement.ID)
}

// ask notes that an event was given. A new state may revive the soft announcements that authorize it.
func (m *Monitor) ask(ev *nostr.Event) {
	e := m.book.read(ev)
	m.pending[ev.ID] = e
	state := e.state
	if state == nil {
		return
	}
	for _, owner := range m.book.authorizing(state.Author, state.Identifier) {
		m.book.announcements[repo.ID{Owner: owner, Identifier: state.Identifier}].asked = true
	}
}

// mayHold is INV-05 for purgatory: what is held anew is newer than what is there at its address. Several states of one
// author may be held, for it is not known yet which data will come.
func (m *Monitor) mayHold(e *entry) {
	there := m.book.replaceable[e.address()]
	if e.announcement != nil {
		if a := m.book.announcements[e.announcement.ID]; a != nil {
			there = a
		}
	}
	m.must(there == nil || newer(e.event, there.event), "INV-05", "purgatory-went-back",
		"kind %d event %s is held although a newer one is there", e.event.Kind, e.event.ID)
}

// stateAccepted gives the held announcements that authorize a new state a whole life (REF-PURG-04). One in its second phase may be
// revived behind the answer, when a push in its repository has ended.
func (m *Monitor) stateAccepted(e *entry) {
	if e.state == nil {
		return
	}
	for _, owner := range m.book.authorizing(e.state.Author, e.state.Identifier) {
		a := m.book.announcements[repo.ID{Owner: owner, Identifier: e.state.Identifier}]
		a.asked = a.asked || a.soft
		m.extend(a)
	}
}

// extend lets an entry live for a whole life from now on.
func (m *Monitor) extend(e *entry) {
	e.latest = max(e.latest, m.step.now.Add(m.life))
	m.watch(e)
}

// watch has an entry looked at when it must be gone.
func (m *Monitor) watch(e *entry) {
	if !e.stored {
		m.ends.Push(e.latest, e.event.ID, e)
	}
}

func idOf(ev *nostr.Event) string {
	if ev == nil {
		return "nothing"
	}
	return ev.ID
}

// never is later than any deadline.
const never = instant.Instant(1<<63 - 1)
