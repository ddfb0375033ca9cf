package invariant

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// What a server may ask of a relay on one connection, and how often it may be sent one event again there (INV-41). All that is here may
// be asked about once, and then what is new. All of it may be asked for again for two reasons alone: the relay has left a request
// without its answer, which counts once in a minute, for that is the pause before what failed is asked for again (REF-SYNC-12), or a
// day has passed (REF-SYNC-09).
const (
	askedFirst    = 30              // requests that every connection may begin with
	askedPerHere  = 25              // and one for so many events that are here: what speaks of each may be asked for, a hundred at a time
	askedPerEvent = 1               // for each event that has come to the server since, from wherever it came, and each that has come here
	askedEvery    = 2 * time.Minute // and one in so long, to see whether the relay is there
	againFirst    = 20              // events that come once more: live and by a request at once
	againShare    = 2               // and of so many different ones one, and one for each that was stored or held: pages have what is known, too

	retriedEvery  = time.Minute
	comparedEvery = 23 * time.Hour
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
	open  map[string]bool // requests that have no answer yet, by subscription; true of one for what comes from now on
	fails int             // minutes in which one was left without
	until instant.Instant // when the last of these is over
}

// rounds is how often all may have been asked for.
func (t *talk) rounds(now instant.Instant) int { return 1 + t.fails + int(now.Sub(t.since)/comparedEvery) }

// unanswered notes that a request has no answer, or what has come is not taken for a moment.
func (t *talk) unanswered(now instant.Instant) {
	if now >= t.until {
		t.fails++
		t.until = now.Add(retriedEvery)
	}
}

// traffic is what the server has said and heard on its connections to other relays.
type traffic struct {
	talks map[core.PeerID]*talk
	urls  map[core.PeerID]string     // of connections that were asked for
	until map[string]instant.Instant // by URL: when a relay may be asked again that has said that it is asked too much
	twice map[string]bool            // by URL: relays that say things twice, or that nobody asked for
	kept  int                        // events that it has stored or held while it had one
	came  map[string]int             // by id: that number when an event last came that was not taken
}

func newTraffic() traffic {
	return traffic{
		talks: map[core.PeerID]*talk{}, urls: map[core.PeerID]string{}, until: map[string]instant.Instant{}, twice: map[string]bool{},
		came: map[string]int{},
	}
}

// limitedFor is for how long a relay is asked for nothing that has said that it is asked too much: such limits are of a minute.
const limitedFor = time.Minute

// Twice says that a relay says things twice, or that nobody asked for: what it sends again is its own doing.
func (m *Monitor) Twice(url string) { m.traffic.twice[url] = true }

// slowed takes a text of a relay.
func (m *Monitor) slowed(t *talk, text string) {
	if strings.HasPrefix(text, "rate-limited:") {
		m.traffic.until[t.url] = m.step.now.Add(limitedFor)
	}
}

// leaves notes the end of a request that the server has decided. Where no answer has come, it has waited for one in vain.
func (t *talk) leaves(now instant.Instant, sub string) {
	if live, open := t.open[sub]; open && !live {
		t.unanswered(now)
	}
	delete(t.open, sub)
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
func (t *traffic) answers(now instant.Instant, n core.Note) {
	if prefix, _, _ := strings.Cut(n.Reason, ":"); n.Fact == core.EventRefused && (prefix == "error" || prefix == "rate-limited") {
		delete(t.came, n.Event)
		for _, url := range slices.Sorted(maps.Keys(t.talks)) {
			t.talks[url].unanswered(now)
		}
	}
}

// hears takes an input that is about another relay.
func (m *Monitor) hears(in core.Input) {
	switch in := in.(type) {
	case core.PeerOpened:
		m.traffic.talks[in.Peer] = &talk{url: m.traffic.urls[in.Peer], since: m.step.now, here: len(m.book.entries), kept: m.traffic.kept, came: map[string]bool{}, open: map[string]bool{}}
	case core.PeerClosed:
		delete(m.traffic.talks, in.Peer)
		delete(m.traffic.urls, in.Peer)
	case core.PeerSaid:
		t := m.traffic.talks[in.Peer]
		if t == nil {
			return
		}
		switch msg := in.Msg.(type) {
		case relay.Notice:
			m.slowed(t, msg.Text)
			t.unanswered(m.step.now)
		case relay.Closed:
			m.slowed(t, msg.Text)
			t.unanswered(m.step.now)
			delete(t.open, msg.Sub)
		case relay.NegError:
			m.slowed(t, msg.Text)
			t.unanswered(m.step.now)
			delete(t.open, msg.Sub)
		case relay.EOSE:
			delete(t.open, msg.Sub)
		case relay.NegAnswer:
			delete(t.open, msg.Sub)
		}
		said, is := in.Msg.(relay.EventFor)
		if !is {
			return
		}
		if in.Good && m.book.entries[said.Event.ID] == nil {
			m.traffic.came[said.Event.ID] = m.traffic.kept
		}
		if !t.came[said.Event.ID] {
			t.came[said.Event.ID] = true
			return
		}
		if m.traffic.twice[t.url] {
			return
		}
		t.again++
		most := againFirst + len(t.came)/againShare + m.traffic.kept - t.kept
		if !m.met(t.again <= most*t.rounds(m.step.now), "INV-41") {
			m.violated("INV-41", "sent-again", "of %d events that have come on connection %d %d came again", len(t.came), in.Peer, t.again)
		}
	}
}

// says takes what the server asks of another relay.
func (m *Monitor) says(e core.SendPeer) {
	t := m.traffic.talks[e.Peer]
	if t == nil {
		return // the connection is gone
	}
	switch msg := e.Msg.(type) {
	case relay.Req:
		t.open[msg.Sub] = len(msg.Filters) > 0 && msg.Filters[0].Limit != nil && *msg.Filters[0].Limit == 0
	case relay.NegOpen:
		t.open[msg.Sub] = false
	case relay.Close:
		t.leaves(m.step.now, msg.Sub)
		return
	case relay.NegClose:
		t.leaves(m.step.now, msg.Sub)
		return
	default:
		return
	}
	if until := m.traffic.until[t.url]; !m.met(m.step.now >= until, "INV-41") {
		m.violated("INV-41", "asked-while-limited", "%s is asked before %d, and has said that it is asked too much", t.url, until)
	}
	if req, is := e.Msg.(relay.Req); is {
		for _, f := range req.Filters {
			m.asksByID(t, f.IDs)
		}
	}
	t.asked++
	fresh := m.traffic.kept - t.kept + len(t.came)
	most := askedFirst + t.here/askedPerHere + askedPerEvent*fresh + int(m.step.now.Sub(t.since)/askedEvery)
	if !m.met(t.asked <= most*t.rounds(m.step.now), "INV-41") {
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
