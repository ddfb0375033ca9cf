package invariant

import (
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// What a server may ask of a relay on one connection, and how often it may be sent one event again there: so much at the beginning,
// and from then on in proportion to what is new (INV-41).
const (
	askedFirst    = 45              // requests that every connection may begin with: a relay that declines to reconcile is asked three times for each filter
	askedPerHere  = 25              // and one for so many events that are here: what speaks of each may be asked for, a hundred at a time
	askedPerEvent = 1               // for each event that has come to the server since, from wherever it came, and each that has come here
	askedEvery    = 2 * time.Minute // and one in so long, to see whether the relay is there, or to try again
	againFirst    = 20              // events that come once more: live and by a request at once
	againShare    = 2               // and of so many different ones one, and one for each that was stored or held: pages have what is known, too
)

// A talk is a connection to another relay.
type talk struct {
	url   string
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
	urls  map[core.PeerID]string     // of connections that were asked for
	until map[string]instant.Instant // by URL: when a relay may be asked again that has said that it is asked too much
	stuck map[string]bool            // by URL: relays that do not end their answers, or say things twice
	late  map[string]bool            // by URL: those whose answers may come too late
	kept  int                        // events that it has stored or held while it had one
	came  map[string]int             // by id: that number when an event last came that was not taken
}

func newTraffic() traffic {
	return traffic{
		talks: map[core.PeerID]*talk{}, urls: map[core.PeerID]string{}, until: map[string]instant.Instant{}, stuck: map[string]bool{}, late: map[string]bool{},
		came: map[string]int{},
	}
}

// limitedFor is for how long a relay is asked for nothing that has said that it is asked too much: such limits are of a minute.
const limitedFor = time.Minute

// Stuck says that a relay ends what it was asked in the middle, or not at all, or says things twice: how often it is asked and
// what it sends again is its own doing, for who gets no whole answer has to ask again.
func (m *Monitor) Stuck(url string) { m.traffic.stuck[url] = true }

// Late says that answers of a relay may come so late that who has asked gives up, and asks again: so often it may be done.
func (m *Monitor) Late(url string) { m.traffic.late[url] = true }

// tries is how often everything may be asked for at a relay.
func (t *traffic) tries(url string) int {
	if t.late[url] {
		return lateTries
	}
	return 1
}

const lateTries = 8

// slowed takes a text of a relay.
func (m *Monitor) slowed(peer core.PeerID, text string) {
	if t := m.traffic.talks[peer]; t != nil && strings.HasPrefix(text, "rate-limited:") {
		m.traffic.until[t.url] = m.step.now.Add(limitedFor)
	}
}

// keeps counts an event, if anything is measured by it: worlds that differ in nothing else are one world. What was not taken may be
// let in by it, whether there is a connection at the moment or not.
func (t *traffic) keeps(id string) {
	delete(t.came, id)
	if len(t.talks) > 0 || len(t.came) > 0 {
		t.kept++
	}
}

// answers takes what the server has made of an event. What it has refused for a moment it may ask for again, later and later.
func (t *traffic) answers(n core.Note) {
	if prefix, _, _ := strings.Cut(n.Reason, ":"); n.Fact == core.EventRefused && (prefix == "error" || prefix == "rate-limited") {
		delete(t.came, n.Event)
	}
}

// hears takes an input that is about another relay.
func (m *Monitor) hears(in core.Input) {
	switch in := in.(type) {
	case core.PeerOpened:
		m.traffic.talks[in.Peer] = &talk{url: m.traffic.urls[in.Peer], since: m.step.now, here: len(m.book.entries), kept: m.traffic.kept, came: map[string]bool{}}
	case core.PeerClosed:
		delete(m.traffic.talks, in.Peer)
		delete(m.traffic.urls, in.Peer)
	case core.PeerSaid:
		switch msg := in.Msg.(type) {
		case relay.Notice:
			m.slowed(in.Peer, msg.Text)
		case relay.Closed:
			m.slowed(in.Peer, msg.Text)
		case relay.NegError:
			m.slowed(in.Peer, msg.Text)
		}
		said, is := in.Msg.(relay.EventFor)
		t := m.traffic.talks[in.Peer]
		if !is || t == nil {
			return
		}
		if in.Good && m.book.entries[said.Event.ID] == nil {
			m.traffic.came[said.Event.ID] = m.traffic.kept
		}
		if !t.came[said.Event.ID] {
			t.came[said.Event.ID] = true
			return
		}
		if m.traffic.stuck[t.url] {
			return
		}
		t.again++
		most := againFirst + len(t.came)/againShare + m.traffic.kept - t.kept
		if !m.met(t.again <= most*m.traffic.tries(t.url), "INV-41") {
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
	if until := m.traffic.until[t.url]; !m.met(m.step.now >= until, "INV-41") {
		m.violated("INV-41", "asked-while-limited", "%s is asked before %d, and has said that it is asked too much", t.url, until)
	}
	if req, is := e.Msg.(relay.Req); is {
		for _, f := range req.Filters {
			m.asksByID(t, f.IDs)
		}
	}
	if m.traffic.stuck[t.url] {
		return
	}
	t.asked++
	fresh := m.traffic.kept - t.kept + len(t.came)
	most := askedFirst + t.here/askedPerHere + askedPerEvent*fresh + int(m.step.now.Sub(t.since)/askedEvery)
	if !m.met(t.asked <= most*m.traffic.tries(t.url), "INV-41") {
		m.violated("INV-41", "asked-too-much", "%d requests on connection %d since %d, and %d new events", t.asked, e.Peer, t.since, fresh)
	}
}

// asksByID takes what the server asks for by id. What it has had and not taken is refused until something comes that it may have
// lacked.
func (m *Monitor) asksByID(t *talk, ids []string) {
	for _, id := range ids {
		kept, came := m.traffic.came[id]
		if !came || m.book.entries[id] != nil || m.pending[id] != nil {
			continue
		}
		if !m.met(m.traffic.kept > kept, "INV-41") {
			m.violated("INV-41", "refused-fetched-again", "%s is asked for %s, which has come and was not taken, and nothing was stored or held since", t.url, id)
		}
	}
}
