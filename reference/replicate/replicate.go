// Package replicate decides which other relays a server is connected to and what it asks them for, so that the events of its
// repositories come wherever they were published (GRASP-02). It is a pure machine: it is told what is wanted, what relays say and
// what time it is, and gives orders. It judges no event, keeps none but those that were refused of late, and opens no socket.
//
// What is wanted of a relay is a set of items: all announcements, the states of an identifier, what speaks of a repository or of a
// root event, what its authors have deleted. An item is fresh, pending or confirmed; only what is fresh is ever asked for, so
// that subscriptions grow with what is new (REF-SYNC-02). Two kinds are asked for once and never listened to: an event that was
// refused before what it lacks came, and the announcements of a repository whose own has gone.
package replicate

import (
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/negentropy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// A PeerID names one connection to another relay, or the attempt at one. A machine never uses one twice.
type PeerID uint64

// A Holdings is what the server has.
type Holdings interface {
	// Has reports whether an event need not be asked for: it is served or held, or ran out here without its data.
	Has(id string) bool
	// Items lists the served and held events that a filter matches; false if they are too many to be compared.
	Items(m *relay.Matcher) ([]negentropy.Item, bool)
}

// A Machine is the part of a server that replicates. It is not safe for concurrent use.
type Machine struct {
	cfg     Config
	have    Holdings
	ahead   time.Duration // of the time of day to the instants
	repos   map[repo.ID]*wanted
	owned   map[string][]repo.ID // by owner
	spoken  map[string]speech    // by event
	about   map[string][]string  // events by coordinate, sorted
	lists   map[string]userList  // by author
	listOf  map[string]string    // authors by event
	links   map[string]*link     // by URL
	byURL   []*link
	byPeer  map[PeerID]*link
	due     dues
	refused refusals
	daily   pass
	plus    plus
	peers   PeerID // the last one
	open    int    // connections and attempts
	kept    int    // events that walks know by their ids, at all relays
	draws   uint64
	short   map[repo.ID]bool // repositories of which relays are left out, for want of room
	shortAt instant.Instant  // when there is looked for some again; 0 never
	orders  []Order

	named      map[string]*Attempts // by URL, of relays that a report names
	namesGiven int                  // to relays that are not of the configuration
	others     Attempts
}

// New returns a machine that wants nothing but its bootstrap relays.
func New(cfg Config, have Holdings) *Machine {
	cfg = cfg.withDefaults()
	return &Machine{
		cfg: cfg, have: have, repos: map[repo.ID]*wanted{}, owned: map[string][]repo.ID{}, spoken: map[string]speech{},
		about: map[string][]string{}, lists: map[string]userList{}, listOf: map[string]string{}, links: map[string]*link{},
		byPeer: map[PeerID]*link{}, refused: newRefusals(), plus: newPlus(), named: map[string]*Attempts{},
		short: map[repo.ID]bool{},
	}
}

// Start has the machine connect to its bootstrap relays, from now on.
func (m *Machine) Start(now instant.Instant) {
	for _, text := range m.cfg.Bootstrap {
		url, why := m.address(text)
		if why != "" {
			m.tell(Told{Fact: RelayLeftOut, URL: text, Reason: why})
			continue
		}
		if l := m.link(now, url, nil); l != nil {
			l.bootstrap = true
			m.touch(now, l)
		}
	}
	m.daily.next = now.Add(m.until(m.cfg.DailyMin, m.cfg.DailyMax))
}

// ClockSet says by how much the time of day is later than the instants say.
func (m *Machine) ClockSet(ahead time.Duration) { m.ahead = ahead }

// An Order is something that the server has to do; see Dial, Send, HangUp, Take and Told.
type Order interface{ order() }

// Dial asks for a connection to a relay.
type Dial struct {
	Peer PeerID
	URL  string
}

// Send sends a message to a relay.
type Send struct {
	Peer PeerID
	Msg  relay.ClientMessage
}

// HangUp ends a connection or an attempt at one.
type HangUp struct{ Peer PeerID }

// Take is an event for the server to judge, its id and signature checked. What came of it is told by Took.
type Take struct {
	Event *nostr.Event
	From  string // URL of the relay
}

// Authenticate has the server show a relay who it is, which has sent a challenge.
type Authenticate struct {
	Peer      PeerID
	URL       string
	Challenge string
}

func (Dial) order()         {}
func (Authenticate) order() {}
func (Send) order()         {}
func (HangUp) order()       {}
func (Take) order()         {}
func (Told) order()         {}

// Next takes the next order.
func (m *Machine) Next() (Order, bool) {
	if len(m.orders) == 0 {
		return nil, false
	}
	o := m.orders[0]
	m.orders[0] = nil
	if m.orders = m.orders[1:]; len(m.orders) == 0 {
		m.orders = nil
	}
	return o, true
}

func (m *Machine) tell(t Told) { m.orders = append(m.orders, t) }

// Deadline is when Due must be called.
func (m *Machine) Deadline() (instant.Instant, bool) {
	at, set := m.daily.next, m.daily.next != 0
	if m.plus.at != 0 && (!set || m.plus.at < at) {
		at, set = m.plus.at, true
	}
	if m.shortAt != 0 && (!set || m.shortAt < at) {
		at, set = m.shortAt, true
	}
	if m.daily.at != "" && (!set || m.daily.until < at) {
		at, set = m.daily.until, true
	}
	if l, ok := m.due.first(); ok && (!set || l.at < at) {
		at, set = l.at, true
	}
	return at, set
}

// Due does what time brings.
func (m *Machine) Due(now instant.Instant) {
	if m.daily.next != 0 && m.daily.next <= now {
		m.passBegins(now)
	}
	if m.shortAt != 0 && m.shortAt <= now {
		m.roomAgain(now)
	}
	if m.daily.at != "" && m.daily.until <= now {
		m.passOn(now)
	}
	if m.plus.at != 0 && m.plus.at <= now {
		m.plusDue(now)
	}
	for {
		l, ok := m.due.first()
		if !ok || l.at > now {
			return
		}
		m.touch(now, l)
		if again, ok := m.due.first(); ok && again == l && l.at <= now {
			panic("replicate: invariant: the time of " + l.url + " does not pass")
		}
	}
}

// Stop ends all connections; nothing follows.
func (m *Machine) Stop() {
	for _, l := range m.byURL {
		if l.peer != 0 {
			m.orders = append(m.orders, HangUp{l.peer})
		}
	}
	clear(m.byPeer)
	m.due, m.daily, m.plus.at, m.shortAt = nil, pass{}, 0, 0
}

// until draws a time between two, from the seed of the configuration.
func (m *Machine) until(least, most time.Duration) time.Duration {
	if most <= least {
		return least
	}
	m.draws++
	x := m.cfg.Seed + m.draws*0x9e3779b97f4a7c15 // splitmix64
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return least + time.Duration((x^x>>31)%uint64(most-least))
}

// search finds a link in the order of URLs.
func (m *Machine) search(url string) (int, bool) {
	return slices.BinarySearchFunc(m.byURL, url, func(l *link, url string) int { return strings.Compare(l.url, url) })
}
