package invariant

import (
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// What a server may ask of a relay on one connection, and how often it may be sent one event again there: so much at the beginning,
// and from then on in proportion to what is new (INV-41).
const (
	askedFirst    = 30              // requests that every connection may begin with
	askedPerHere  = 25              // and one for so many events that are here: what speaks of each may be asked for, a hundred at a time
	askedPerEvent = 1               // for each event that has come to the server since, from wherever it came, and each that has come here
	askedEvery    = 2 * time.Minute // and one in so long, to see whether the relay is there, or to try again
	againFirst    = 20              // events that come once more: live and by a request at once
	againShare    = 2               // and of so many different ones one
)

// A talk is a connection to another relay.
type talk struct {
	since instant.Instant
	here  int // events that the server had when it began
	kept  int // by the server before it began
	asked int
	came  map[string]bool
	again int
}

// traffic is what the server has said and heard on its connections to other relays.
type traffic struct {
	talks map[core.PeerID]*talk
	kept  int // events that it has stored or held while it had one
}

func newTraffic() traffic { return traffic{talks: map[core.PeerID]*talk{}} }

// keeps counts an event, if anything is measured by it: worlds that differ in nothing else are one world.
func (t *traffic) keeps() {
	if len(t.talks) > 0 {
		t.kept++
	}
}

// hears takes an input that is about another relay.
func (m *Monitor) hears(in core.Input) {
	switch in := in.(type) {
	case core.PeerOpened:
		m.traffic.talks[in.Peer] = &talk{since: m.step.now, here: len(m.book.entries), kept: m.traffic.kept, came: map[string]bool{}}
	case core.PeerClosed:
		delete(m.traffic.talks, in.Peer)
	case core.PeerSaid:
		said, is := in.Msg.(relay.EventFor)
		t := m.traffic.talks[in.Peer]
		if !is || t == nil {
			return
		}
		if !t.came[said.Event.ID] {
			t.came[said.Event.ID] = true
			return
		}
		t.again++
		if !m.met(t.again <= againFirst+len(t.came)/againShare, "INV-41") {
			m.violated("INV-41", "sent-again", "of %d events that have come on connection %d %d came again", len(t.came), in.Peer, t.again)
		}
	}
}

// says takes what the server asks of another relay.
func (m *Monitor) says(e core.SendPeer) {
	t := m.traffic.talks[e.Peer]
	switch e.Msg.(type) {
	case relay.Req, relay.NegOpen:
	default:
		return
	}
	if t == nil {
		return // the connection is gone
	}
	t.asked++
	fresh := m.traffic.kept - t.kept + len(t.came)
	most := askedFirst + t.here/askedPerHere + askedPerEvent*fresh + int(m.step.now.Sub(t.since)/askedEvery)
	if !m.met(t.asked <= most, "INV-41") {
		m.violated("INV-41", "asked-too-much", "%d requests on connection %d since %d, and %d new events", t.asked, e.Peer, t.since, fresh)
	}
}
