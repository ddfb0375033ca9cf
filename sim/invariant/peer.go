package invariant

import (
	"maps"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
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
	if e := m.pending[said.Event.ID]; e != nil && !e.offered {
		return // a user has given it, and it is being judged
	}
	m.synced(said.Event)
	if e := m.pending[said.Event.ID]; e != nil {
		e.offered = true
		if e.state != nil && m.heard[said.Event.ID] == nil {
			m.hearsays[e.state.Identifier] = append(m.hearsays[e.state.Identifier], e)
		}
		if e.state != nil || e.pull != nil || e.announcement != nil {
			m.heard[said.Event.ID] = e
		}
	}
}

// given notes that a user has sent an event: if a relay has said it too and it was let be, it is hunted as a user's.
func (m *Monitor) given(ev *nostr.Event) {
	if e := m.pending[ev.ID]; e != nil && e.offered && m.hunt != nil {
		delete(m.hunt.synced, ev.ID)
	}
	m.ask(ev)
}

// judgedAgain reports whether a state that another relay has said authorizes something now, and is not here: one that was refused
// is judged again when what it lacked has come (REF-SYNC-20), which gives an announcement that it revives a cause.
func (m *Monitor) judgedAgain(owner repo.ID) bool {
	return slices.ContainsFunc(m.hearsay(owner.Identifier), func(e *entry) bool {
		return slices.Contains(m.book.authorizing(e.state.Author, e.state.Identifier), owner.Owner)
	})
}

// hearsay lists the states of an identifier that other relays have said and that are not here, by their ids.
func (m *Monitor) hearsay(identifier string) (list []*entry) {
	for _, e := range m.hearsays[identifier] {
		if m.book.entries[e.event.ID] == nil {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *entry) int { return strings.Compare(a.event.ID, b.event.ID) })
	return list
}

// unheld lists the announcements, states and pull requests that other relays have said and that are not here: any of them may be
// judged again.
func (m *Monitor) unheld() (list []*entry) {
	for _, event := range slices.Sorted(maps.Keys(m.heard)) {
		if m.book.entries[event] == nil {
			list = append(list, m.heard[event])
		}
	}
	return list
}

// letBe forgets the events of other relays that the server has not taken while something was under way.
func (m *Monitor) letBe() {
	maps.DeleteFunc(m.pending, func(_ string, e *entry) bool { return e.offered })
}
