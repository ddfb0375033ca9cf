package invariant

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// What a server may ask of a relay on one connection (INV-41). All that is here may be asked about once, and then what is new, each kind
// of event as much as it brings to ask about (costs), and what has come may have taken a request. All of it may be asked for again for two
// reasons alone: the relay has left a request without its answer, which counts once in a minute, for that is the pause before what failed is
// asked for again (REF-SYNC-12), or a day has passed (REF-SYNC-08). What comes in answer to a request for the past is the matter of that.
// What comes from then on comes once for each thing that it speaks of, for no two subscriptions ask for one thing, but for a few while
// new ones take the place of old ones.
const (
	askedFirst   = 30              // requests that every connection may begin with
	askedPerHere = 25              // and one for so many events that are here: what speaks of each may be asked for, a hundred at a time
	askedEvery   = 2 * time.Minute // and one in so long, to see whether the relay is there
	againFirst   = 4               // events that come live while subscriptions change

	retriedEvery  = time.Minute
	comparedEvery = 23 * time.Hour

	// lostMost is how many connections and attempts at one relay may fail within an hour: five seconds after the first failure, and each
	// time after twice as long, until a connection lasts five minutes (REF-SYNC-14, REF-SYNC-16).
	lostMost  = 60
	lostEvery = time.Hour
)

// costs is how many requests an event may bring that the server serves or holds now: one for what comes from then on about it, one for
// each way to speak of it in the past, one for what its author has deleted, and one for what was refused for want of it.
func costs(ev *nostr.Event) int {
	switch ev.Kind {
	case 30617, 10317: // states, a, A and q; owner and maintainers; a list names relays for announcements
		return 7
	case 1617, 1618, 1621: // e, E and q
		return 6
	case 30618:
		return 1
	}
	return 3
}

// ways is how many things an event may be asked for by: its kind, its identifier or its author, and all that it names.
func ways(ev *nostr.Event) int {
	n := 0
	switch ev.Kind {
	case 5, 10317, 30617, 30618:
		n++
	}
	for _, tag := range ev.Tags {
		if len(tag) > 1 && (tag[0] == "a" || tag[0] == "A" || tag[0] == "e" || tag[0] == "E" || tag[0] == "q") {
			n++
		}
	}
	return max(1, n)
}

// lacking are the rules by which an announcement or a state is refused for want of something that may come.
var lacking = map[string]bool{
	"G01-ANN-02": true, "G01-ANN-03": true, "G01-ANN-04": true, "G05-03": true, "G01-REL-10": true, "G01-MNT-03": true,
}

// A talk is a connection to another relay.
type talk struct {
	url   string
	since instant.Instant
	here  int // events that the server had when it began
	costs int // of what the server had kept before it began
	kept  int // by then
	past  int // events that came in answer to a request for the past, and had come
	asked int
	came  map[string]bool
	ways  int             // by which those that have may be asked for
	heard map[string]bool // those that have come live
	more  int             // by which those may come again
	again int             // that came live, and had come
	live  map[string]bool // subscriptions to what comes from now on
	open  map[string]bool // requests for the past that have no answer yet, by subscription
	fails int             // minutes in which one was left without
	until instant.Instant // when the last of these is over
	wrong bool            // something has come that is forged, or is no message

	enquiries enquiries // for the past
	ended     bool      // the server has ended it

	namer    string          // the id of an event that named it when that was asked last
	answered bool            // something but an event has been said on it
	unnamed  instant.Instant // when it was first asked whether it is there since nothing here names it; 0 if something does
}

// rounds is how often all may have been asked for.
func (t *talk) rounds(now instant.Instant) int {
	return 1 + t.fails + int(now.Sub(t.since)/comparedEvery)
}

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
	urls  map[core.PeerID]string       // of connections that were asked for
	until map[string]instant.Instant   // by URL: when a relay may be asked again that has said that it is asked too much
	twice map[string]bool              // by URL: relays that say things twice, or that nobody asked for
	kept  int                          // events that it has stored or held while it had one
	costs int                          // and the requests that they may bring
	gone  int                          // announcements that have gone while something had come that was not taken
	came  map[string]int               // by id: how much had changed when an event last came that was not taken
	names map[string]string            // their identifiers
	given map[string]bool              // events of relays whose answer is open
	lacks map[string]want              // of these the announcements and states that were refused for want of something
	named map[string]int               // by identifier: how often an announcement of it has come or gone
	late  bool                         // an announcement has come while the server was about to end
	left  map[core.PeerID]bool         // connections that the server itself has ended
	lost  map[string][]instant.Instant // by URL: when others ended, within the last hour

	unwanted map[repo.ID]instant.Instant // repositories of which no announcement counts: when they were first asked about since
	missed   map[string]instant.Instant  // events that are not served, alike
	failing  map[string]failing          // by URL
	said     []*talk                     // on which something was said in this step
	told     map[string]bool             // by URL: relays that the operator has named
	deaf     map[string]deafness         // by URL: when it last was that something there was perhaps not heard
	tried    map[string]instant.Instant  // by URL: when a relay has to have been tried again
	served   map[repo.ID]bool            // repositories whose announcement was served in this life
}

func newTraffic() traffic {
	return traffic{
		talks: map[core.PeerID]*talk{}, urls: map[core.PeerID]string{}, until: map[string]instant.Instant{}, twice: map[string]bool{},
		came: map[string]int{}, lacks: map[string]want{}, named: map[string]int{}, names: map[string]string{}, given: map[string]bool{}, left: map[core.PeerID]bool{}, lost: map[string][]instant.Instant{}, unwanted: newUnwanted(),
		missed: map[string]instant.Instant{}, failing: map[string]failing{}, told: map[string]bool{},
		deaf: map[string]deafness{}, tried: map[string]instant.Instant{}, served: map[repo.ID]bool{},
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
	if t.open[sub] {
		t.unanswered(now)
	}
	delete(t.open, sub)
}

// hears takes an input that is about another relay.
func (m *Monitor) hears(in core.Input) {
	switch in := in.(type) {
	case core.PeerOpened:
		m.traffic.talks[in.Peer] = &talk{url: m.traffic.urls[in.Peer], since: m.step.now, here: len(m.book.entries), costs: m.traffic.costs, kept: m.traffic.kept, came: map[string]bool{}, live: map[string]bool{}, heard: map[string]bool{}, open: map[string]bool{}, enquiries: newEnquiries()}
	case core.PeerClosed:
		m.loses(in.Peer)
		delete(m.traffic.talks, in.Peer)
		delete(m.traffic.urls, in.Peer)
	case core.PeerSaid:
		t := m.traffic.talks[in.Peer]
		if t == nil {
			return
		}
		_, event := in.Msg.(relay.EventFor)
		t.answered = t.answered || !event
		switch msg := in.Msg.(type) {
		case relay.Notice:
			m.deafTo(t.url)
			m.slowed(t, msg.Text)
			t.unanswered(m.step.now)
		case relay.Closed:
			m.deafTo(t.url)
			if m.slowed(t, msg.Text); m.traffic.until[t.url] <= m.step.now {
				t.refusesAnswer(m.step.now, msg.Sub)
			}
			t.unanswered(m.step.now)
			delete(t.open, msg.Sub)
			delete(t.enquiries.open, msg.Sub)
		case relay.NegError:
			m.slowed(t, msg.Text)
			t.unanswered(m.step.now)
			delete(t.open, msg.Sub)
		case relay.EOSE:
			delete(t.open, msg.Sub)
			t.endsAnswer(msg.Sub)
		case relay.OK: // to who has said who asks
			t.enquiries.barred = t.enquiries.barred || !msg.Accepted
		case relay.NegAnswer:
			delete(t.open, msg.Sub)
		}
		m.traffic.said = append(m.traffic.said, t)
		said, is := in.Msg.(relay.EventFor)
		_, unreadable := in.Msg.(relay.Unreadable)
		t.wrong = t.wrong || unreadable || is && !in.Good
		if !is {
			return
		}
		t.answersPast(m.step.now, said.Sub)
		if in.Good && m.book.entries[said.Event.ID] == nil {
			m.traffic.came[said.Event.ID] = m.traffic.changes()
			m.traffic.names[said.Event.ID], _ = repo.Identifier(said.Event)
		}
		first, live := !t.came[said.Event.ID], t.live[said.Sub]
		if first {
			t.came[said.Event.ID] = true
			t.ways += ways(said.Event)
		}
		if live && !t.heard[said.Event.ID] {
			t.heard[said.Event.ID] = true
			t.more += ways(said.Event) - 1
			return
		}
		if first {
			return
		}
		if m.traffic.twice[t.url] {
			return
		}
		if live {
			t.again++
			if !m.met(t.again <= againFirst+t.more, "INV-41") {
				m.violated("INV-41", "sent-again", "of %d events that have come live on connection %d %d came again", len(t.heard), in.Peer, t.again)
			}
			return
		}
		t.past++
		most := (askedFirst + t.ways + m.traffic.kept - t.kept) * t.rounds(m.step.now)
		if !m.met(t.past <= most, "INV-41") {
			m.violated("INV-41", "asked-again", "of %d events that have come on connection %d %d came again, of the past", len(t.came), in.Peer, t.past)
		}
	}
}

// dials takes an attempt at a connection: to a relay that there is none to yet, and never to the service itself (REF-SYNC-19).
func (m *Monitor) dials(e core.DialPeer) {
	x := &m.traffic
	_, at, _ := strings.Cut(e.URL, "://")
	own := m.book.service.Host + strings.TrimSuffix(m.book.service.Base, "/")
	if !m.met(strings.TrimSuffix(at, "/") != own, "INV-41") {
		m.violated("INV-41", "asks-itself", "the service connects to itself at %s", e.URL)
	}
	for _, other := range slices.Sorted(maps.Keys(x.urls)) {
		if !m.met(x.urls[other] != e.URL || x.left[other], "INV-41") {
			m.violated("INV-41", "connected-twice", "%s is connected to while connection %d to it is there", e.URL, other)
		}
	}
	m.triesTheDead(e.URL)
	delete(x.tried, e.URL)
	x.urls[e.Peer] = e.URL
}

// loses takes the end of a connection, or of an attempt. Who is tried again and again without a pause is tried too often.
func (m *Monitor) loses(peer core.PeerID) {
	x := &m.traffic
	url, is := x.urls[peer]
	if x.left[peer] || !is {
		delete(x.left, peer)
		return
	}
	now := m.step.now
	if t := x.talks[peer]; t == nil || !t.answered {
		m.staysDeafTo(url)
	} else {
		m.deafTo(url)
	}
	x.fails(url, x.talks[peer], now)
	list := append(slices.DeleteFunc(x.lost[url], func(at instant.Instant) bool { return now.Sub(at) >= lostEvery }), now)
	x.lost[url] = list
	if !m.met(len(list) <= lostMost, "INV-41") {
		m.violated("INV-41", "tried-too-often", "%s was lost %d times within an hour, and is tried without a pause", url, len(list))
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
		if len(msg.Filters) > 0 && msg.Filters[0].Limit != nil && *msg.Filters[0].Limit == 0 {
			t.live[msg.Sub] = true
		} else {
			t.open[msg.Sub] = true
			m.asksPast(t, msg.Sub, msg.Filters)
		}
	case relay.NegOpen:
		t.open[msg.Sub] = true
	case relay.Close:
		m.endsRequest(t, msg.Sub)
		t.leaves(m.step.now, msg.Sub)
		return
	case relay.NegClose:
		t.leaves(m.step.now, msg.Sub)
		return
	default:
		return
	}
	m.asksBarred(t)
	if until := m.traffic.until[t.url]; !m.met(m.step.now >= until, "INV-41") {
		m.violated("INV-41", "asked-while-limited", "%s is asked before %d, and has said that it is asked too much", t.url, until)
	}
	switch msg := e.Msg.(type) {
	case relay.Req:
		for _, f := range msg.Filters {
			m.asksByID(t, f.IDs)
			if slices.Equal(f.IDs, nobody) {
				m.keepsRelay(t)
			}
		}
		m.asksAbout(t, msg.Filters)
	case relay.NegOpen:
		m.asksAbout(t, []relay.Filter{msg.Filter})
	}
	t.asked++
	fresh := m.traffic.costs - t.costs + len(t.came)
	most := askedFirst + t.here/askedPerHere + fresh + int(m.step.now.Sub(t.since)/askedEvery)
	if !m.met(t.asked <= most*t.rounds(m.step.now), "INV-41") {
		m.violated("INV-41", "asked-too-much", "%d requests on connection %d since %d, where %d times %d would do", t.asked, e.Peer, t.since, t.rounds(m.step.now), most)
	}
}

// nobody is how a relay is asked whether it is there: for an event that none is.
var nobody = []string{strings.Repeat("0", 64)}
