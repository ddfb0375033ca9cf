package invariant

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/core"
)

// restarted is INV-25, and what of git can be compared at a start: after an orderly end everything is back as it was.
func (m *Monitor) restarted(in core.Started) {
	if !m.ledger.restored {
		m.Git(m.step.now, in.Repositories)
	}
	if m.ledger.ending {
		m.unchanged(in)
	}
	m.ledger = newLedger()
	for _, r := range in.Repositories {
		if r.Unknown {
			m.ledger.unread[r.ID] = true
		}
	}
	for _, mark := range in.Marks {
		m.ledger.marks[mark.Name()] = mark
	}
}

func (m *Monitor) unchanged(in core.Started) {
	there := map[string]bool{}
	for _, ev := range in.Stored {
		there[ev.ID] = true
		e := m.book.entries[ev.ID]
		m.must(e != nil && e.stored, "INV-25", "stored-from-nowhere", "event %s is stored after the restart", ev.ID)
	}
	for _, h := range in.Held {
		there[h.Event.ID] = true
		e := m.book.entries[h.Event.ID]
		m.must(e != nil && !e.stored && e.promised == h.Deadline && e.soft == h.Soft, "INV-25", "held-otherwise",
			"event %s is held otherwise after the restart", h.Event.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(m.book.entries)) {
		m.must(there[id], "INV-25", "lost-by-restart", "event %s is not there after the restart", id)
	}
}

// Restored says that the server has ended, and that what it starts on next is as old as its backup: nothing is owed that
// came after it.
func (m *Monitor) Restored() {
	m.book = m.book.anew()
	m.ledger = newLedger()
	m.ledger.restored = true
	clear(m.acked)
	if m.hunt != nil { // how often hosts were asked is as old
		m.Hunts(m.hunt.Hunt)
	}
}

// Crashed tells that the server has ended otherwise than in order, also while it was about to end in order.
func (m *Monitor) Crashed() { m.ledger.ending = false }
