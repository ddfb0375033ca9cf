package invariant

import (
	"maps"
	"slices"
	"strconv"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// finish checks, at the end of a step, what a step may break on its way.
func (m *Monitor) finish() {
	for _, d := range m.step.left {
		m.departed(d)
	}
	m.harmless()
	for _, id := range m.step.accepted {
		if !m.met(m.accounted(id), "INV-10") {
			m.violated("INV-10", "accepted-vanished", "event %s was answered OK true and is nowhere", id)
		}
	}
	for _, id := range m.step.refused {
		m.must(m.book.entries[id] == nil || m.step.kept == id, "INV-03", "refused-kept", "event %s was answered OK false and is kept", id)
	}
	for _, e := range m.step.first {
		m.promoted(e)
	}
	for _, request := range m.step.requests {
		m.applied(request)
	}
	for _, e := range m.step.recorded {
		if m.book.entries[e.event.ID] == e && !e.stored {
			if !m.met(e.promised <= e.latest || e.pins > 0, "INV-11") {
				m.violated("INV-11", "deadline-too-late", "event %s may wait until %d, %v longer than it should",
					e.event.ID, e.promised, e.promised.Sub(e.latest))
			}
		}
	}
	m.housed()
	m.rooted()
	m.endTrails()
	m.answeredAndOpen()
	m.triedAgain()
	m.overdue()
	m.pursue()
	for _, id := range m.step.answered {
		delete(m.pending, id)
	}
}

// departed is INV-10 for what leaves: it must have been replaced, or its author must have deleted it, or its time,
// here or by its own word, must be over, or nobody authorizes it any more, or too many are in their second phase.
func (m *Monitor) departed(d departure) {
	e := d.entry
	if now := m.book.entries[e.event.ID]; now != nil {
		return // it came back in the same step
	}
	why := ""
	switch {
	case m.overtaken(e):
		why = "replaced"
	case m.book.requests.covers(e.event):
		why = "deleted"
		if !d.drop && e.state != nil {
			m.book.requests.fallen = append(m.book.requests.fallen, e)
		}
	case d.drop && m.step.now >= e.promised && !m.reliedOn(e):
		why = "expired"
	case outlived(e.event, m.step.now.Add(m.ahead)):
		why = "expired"
		if !d.drop && e.state != nil { // its refs stay, as behind a deletion
			m.book.requests.fallen = append(m.book.requests.fallen, e)
		}
	case d.drop && e.soft && m.crowded(e):
		why = "expired"
	case d.drop && d.alone:
		why = "expired"
	}
	m.book.gone[e.event.ID] = why
	m.unapplied(e.event, why)
	from := "the store"
	if d.drop {
		from = "purgatory"
	}
	m.must(why != "", "INV-10", "kept-vanished", "event %s left %s without cause", e.event.ID, from)
}

// reliedOn reports whether a push that goes on relies on an entry: it stays until that has ended (REF-PURG-07).
func (m *Monitor) reliedOn(e *entry) bool {
	for _, id := range slices.Sorted(maps.Keys(m.offers)) {
		if slices.Contains(m.offers[id].sure, e) {
			return true
		}
	}
	return false
}

// crowded reports whether an announcement in the second phase was too much beside those that there are, and none of them has
// been in it for longer, but for what a push holds.
func (m *Monitor) crowded(e *entry) bool {
	entries, bytes, first := 0, 0, true
	count := func(other *entry) {
		entries++
		bytes += repo.Size(other.event)
		first = first && (other.promised >= e.promised || other.pins > 0)
	}
	for _, id := range slices.Sorted(maps.Keys(m.book.entries)) {
		if other := m.book.entries[id]; other.soft && !other.stored {
			count(other)
		}
	}
	at := slices.IndexFunc(m.step.left, func(d departure) bool { return d.entry == e })
	for _, d := range m.step.left[at:] { // this one and those that went behind it were there too
		if d.drop && d.entry.soft {
			count(d.entry)
		}
	}
	over := m.limits.Held > 0 && entries > m.limits.Held || m.limits.HeldBytes > 0 && bytes > m.limits.HeldBytes
	return over && first
}

// outlived reports whether the first expiration tag of an event names a second that has come by the time of day (NIP-40).
func outlived(ev *nostr.Event, now instant.Instant) bool {
	at := ev.Tags.Find("expiration")
	if len(at) < 2 {
		return false
	}
	second, err := strconv.ParseInt(at[1], 10, 64)
	return err == nil && second <= now.Unix()
}

// overtaken reports whether something newer is kept at the address of an entry.
func (m *Monitor) overtaken(e *entry) bool {
	if there := m.book.replaceable[e.address()]; there != nil && newer(there.event, e.event) {
		return true
	}
	if e.announcement == nil {
		return false
	}
	there := m.book.announcements[e.announcement.ID]
	return there != nil && newer(there.event, e.event)
}

// accounted is INV-10 for what was answered OK true: it is stored, held, replaced or expired.
func (m *Monitor) accounted(id string) bool {
	if m.book.entries[id] != nil || m.book.gone[id] != "" {
		return true
	}
	e := m.pending[id]
	return e != nil && (ephemeral(e.event.Kind) || m.overtaken(e))
}

// promoted is INV-01, at the instant at which an announcement becomes served: its repository has a branch or a tag
// that a stored, authorized state declares.
func (m *Monitor) promoted(e *entry) {
	if e.pull != nil {
		m.hasRef(e)
	}
	if e.announcement == nil || !e.hosted {
		return
	}
	id := e.announcement.ID
	view := m.book.repositories[id]
	set := m.book.maintainers(id)
	data := view != nil && slices.ContainsFunc(m.book.states[id.Identifier], func(s *entry) bool {
		return s.stored && slices.Contains(set, s.state.Author) && shares(view.refs, s.state)
	})
	m.must(data, "INV-01", "served-without-data", "announcement %s of %s", e.event.ID, id.Identifier)
}

// overdue is INV-11: what has outlived its time and is not needed by a running push must be gone.
func (m *Monitor) overdue() {
	now := m.step.now
	for {
		due, ok := m.ends.Due(now)
		if !ok {
			return
		}
		e, id := due.Value, due.Name
		there := m.book.held[id] == e
		switch {
		case there && e.pins > 0:
			m.ends.Push(now+1, id, e)
		case there && now < e.latest: // it has got more time
			m.watch(e)
		case !m.met(!there, "INV-11"):
			m.violated("INV-11", "held-too-long", "event %s is held %v too long", id, now.Sub(e.latest))
			e.latest = never // one report is enough
		}
	}
}

// Quiet checks what must hold once nothing is under way any more and every fault has ceased.
func (m *Monitor) Quiet(now instant.Instant) {
	m.Stepped(now, core.TimerFired{}, nil)
	m.letBe()
	for _, e := range sortedPending(m.pending) {
		m.must(false, "INV-10", "unanswered", "event %s was never answered", e.event.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(m.offers)) {
		m.must(false, "INV-20", "unanswered", "push %d to %s never ended", id, m.offers[id].Repo.Identifier)
	}
	for _, id := range slices.SortedFunc(maps.Keys(m.book.repositories), repo.ID.Compare) {
		m.aligned(id, m.book.repositories[id])
	}
	m.settled()
	m.atRest(now)
}

// aligned is INV-02: branches, tags and HEAD are what the latest stored state declares, if its objects are here
// or in a sibling, and no held state is both newer and complete.
func (m *Monitor) aligned(id repo.ID, view *repositoryView) {
	a := m.book.announcements[id]
	if a == nil || !a.hosted || a.soft {
		return
	}
	set := m.book.maintainers(id)
	best := m.book.winner(set, id.Identifier, false)
	if best != nil && m.complete(id, best.state) && !m.book.requests.leftBehind(set, id.Identifier, best) {
		m.must(equals(view.refs, best.state), "INV-02", "not-aligned", "repository %s of %s is not what %s declares",
			id.Identifier, id.Owner, best.event.ID)
		if _, ok := best.state.Lookup(best.state.Head); ok {
			m.must(view.head == best.state.Head, "INV-02", "head-elsewhere", "HEAD of %s of %s is at %s, not at %s",
				id.Identifier, id.Owner, view.head, best.state.Head)
		}
	}
	for _, e := range m.book.states[id.Identifier] {
		if e.stored || !slices.Contains(set, e.state.Author) {
			continue
		}
		complete := m.complete(id, e.state) && (len(e.state.Refs) > 0 || a.stored)
		m.must(!complete || best != nil && !newer(e.event, best.event), "INV-02", "complete-and-held",
			"state %s could be released in %s of %s", e.event.ID, id.Identifier, id.Owner)
	}
}

func sortedPending(pending map[string]*entry) []*entry {
	if len(pending) == 0 {
		return nil
	}
	list := make([]*entry, 0, len(pending))
	for _, id := range slices.Sorted(maps.Keys(pending)) {
		list = append(list, pending[id])
	}
	return list
}
