package invariant

import (
	"maps"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// synced takes an event that was got from another server.
func (m *Monitor) synced(ev *nostr.Event) {
	m.step.by = ev.PubKey
	if m.book.entries[ev.ID] != nil {
		return
	}
	m.ask(ev)
	if m.hunt != nil {
		m.hunt.synced[ev.ID] = true
	}
}

// peerSaid takes what another relay says. Of its events the server takes those that it wants.
func (m *Monitor) peerSaid(in core.PeerSaid) {
	said, is := in.Msg.(relay.EventFor)
	if !is || !in.Good {
		return
	}
	m.synced(said.Event)
	if e := m.pending[said.Event.ID]; e != nil {
		e.offered = true
	}
}

// letBe forgets the events of other relays that the server has not taken while something was under way.
func (m *Monitor) letBe() {
	maps.DeleteFunc(m.pending, func(_ string, e *entry) bool { return e.offered })
}
