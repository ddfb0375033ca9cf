package model

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// What another server says is no order: a server may take an event of it at once, let it be, or take it later, when what it
// lacked has come (REF-SYNC-20). Whenever it takes one it does with it as with anybody's (REF-SYNC-22).

// hears takes a message of another server.
func (m *Model) hears(in core.PeerSaid) {
	said, is := in.Msg.(relay.EventFor)
	if !is || !in.Good || m.work.closing {
		return
	}
	m.heard[said.Event.ID] = said.Event
	m.takes(0, said.Event, true, true)
}

// recalls takes an event that another server has said some time ago, if it is not here.
func (m *Model) recalls(id string) {
	if ev := m.heard[id]; ev != nil && m.entries[id] == nil {
		m.takes(0, ev, true, true)
	}
}

// recallsAny takes those events of other servers for which something is done that nothing else needs. It reports whether there is one.
func (m *Model) recallsAny(is func(e *entry) bool) (found bool) {
	for _, id := range slices.Sorted(maps.Keys(m.heard)) {
		if m.entries[id] != nil {
			continue
		}
		if e, wrong := m.read(m.heard[id]); wrong == "" && is(e) {
			m.recalls(id)
			found = found || m.entries[id] != nil && m.entries[id].phase == arriving
		}
	}
	return found
}
