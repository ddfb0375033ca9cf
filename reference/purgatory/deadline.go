package purgatory

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
)

// due is when an entry has to go: at its deadline, or before that by its own word.
func (e *Entry) due() instant.Instant {
	if e.Ends != 0 && e.Ends < e.Deadline {
		return e.Ends
	}
	return e.Deadline
}

// Deadline is the earliest instant at which an entry that is not pinned expires.
func (p *Purgatory) Deadline() (instant.Instant, bool) {
	if len(p.order) == 0 {
		return 0, false
	}
	return p.order[0].due(), true
}

// Due returns the entry that expires first if its deadline, or its own end, has come at now, else nil. From then on an entry
// takes part in no decision, so the caller drops it before anything else (REF-PURG-06).
func (p *Purgatory) Due(now instant.Instant) *Entry {
	if len(p.order) == 0 || p.order[0].due() > now {
		return nil
	}
	return p.order[0]
}

// Extend moves the deadline of an entry to at, never back, and reports whether it moved (REF-PURG-04).
func (p *Purgatory) Extend(e *Entry, at instant.Instant) bool {
	if at <= e.Deadline {
		return false
	}
	p.SetDeadline(e, at)
	return true
}

// SetDeadline moves the deadline of an entry to at, also back.
func (p *Purgatory) SetDeadline(e *Entry, at instant.Instant) {
	p.unqueue(e)
	e.Deadline = at
	p.queue(e)
}

// SetEnds says anew when an entry is over by its own word.
func (p *Purgatory) SetEnds(e *Entry, at instant.Instant) {
	p.unqueue(e)
	e.Ends = at
	p.queue(e)
}

// Pin keeps an entry from expiring until Unpin has been called as often: what has authorized a push stays until the
// push has ended (REF-PURG-07).
func (p *Purgatory) Pin(e *Entry) {
	p.unqueue(e)
	e.pins++
}

// Unpin ends one Pin. It panics without one. An entry that was dropped meanwhile stays out.
func (p *Purgatory) Unpin(e *Entry) {
	if e.pins == 0 {
		panic("purgatory: invariant: unpinned twice")
	}
	e.pins--
	if p.byID[e.Event.ID] == e {
		p.queue(e)
	}
}

func (p *Purgatory) queue(e *Entry) {
	if e.pins > 0 {
		return
	}
	at, found := slices.BinarySearchFunc(p.order, e, compare)
	if !found {
		p.order = slices.Insert(p.order, at, e)
	}
}

func (p *Purgatory) unqueue(e *Entry) {
	if at, found := slices.BinarySearchFunc(p.order, e, compare); found {
		p.order = slices.Delete(p.order, at, at+1)
	}
}
