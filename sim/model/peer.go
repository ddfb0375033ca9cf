package model

import (
	"maps"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// What another server says is no order: a server may take an event of it at once, let it be, or take it later, when what it
// lacked has come (REF-SYNC-20). Whenever it takes one it does with it as with anybody's (REF-SYNC-22).

// A hearsay is an event that another server has said, and when it first has.
type hearsay struct {
	ev *nostr.Event
	at instant.Instant
}

// hears takes a message of another server.
func (m *Model) hears(in core.PeerSaid) {
	said, is := in.Msg.(relay.EventFor)
	if !is || !in.Good || m.work.closing || nostr.IsEphemeralKind(said.Event.Kind) { // which would go round for ever
		return
	}
	if _, known := m.heard[said.Event.ID]; !known {
		m.heard[said.Event.ID] = hearsay{said.Event, m.now}
	}
	m.takes(0, said.Event, true, true)
}

// recalls takes an event that another server has said some time ago, if it is not here.
func (m *Model) recalls(id string) {
	if h, known := m.heard[id]; known && m.entries[id] == nil {
		m.takes(0, h.ev, true, true)
	}
}

// judgesAgain takes an event that another server has said, also one that was refused in this very step: what it lacked may have come in it.
func (m *Model) judgesAgain(id string) {
	if e := m.entries[id]; e != nil && e.phase == nowhere {
		delete(m.entries, id)
	}
	m.recalls(id)
}

// recorded takes an event that the journal is told of. It may have waited for its repository since a moment at which nobody knew that
// it was taken.
func (m *Model) recorded(r core.Record) {
	m.recalls(r.ID)
	e := m.entries[r.ID]
	waited := e != nil && e.unsure && (e.phase == nowhere || e.phase == arriving) && r.Op == core.OpHold
	if h, known := m.heard[r.ID]; known && waited && h.at <= r.Arrived && r.Arrived <= m.now {
		e.arrived = r.Arrived
	}
}

// recallsAny takes those events of other servers for which something is done that nothing else needs. It reports whether there is one.
func (m *Model) recallsAny(is func(e *entry) bool) (found bool) {
	for _, id := range slices.Sorted(maps.Keys(m.heard)) {
		if m.entries[id] != nil {
			continue
		}
		if e, wrong := m.read(m.heard[id].ev); wrong == "" && is(e) {
			m.recalls(id)
			found = found || m.entries[id] != nil && m.entries[id].phase == arriving
		}
	}
	return found
}
