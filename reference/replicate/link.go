package replicate

import (
	"strconv"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// A link is one relay, whether we are connected to it or not.
type link struct {
	url       string
	bootstrap bool // wanted whatever it has
	status    Status
	peer      PeerID          // 0 without a connection or an attempt
	until     instant.Instant // when the present status has lasted too long; 0 never
	at        instant.Instant // when something is due, and
	place     int             // where in the heap of these

	wanted  map[item]*standing
	asides  int             // of these, for which no relay is connected to
	fresh   []item          // not asked for yet, in the order of their coming
	flushAt instant.Instant // when they will be
	failed  []item          // what came to no end,
	lost    bool            // and whether a live subscription was ended by the relay
	retryAt instant.Instant // when that is asked for again
	retries int             // how often it was, in a row

	firstUntil instant.Instant // when others are asked for the single events that it was asked for first; 0 without any

	since    instant.Instant // when a gap began that is not closed yet; 0 without one
	knock    knock
	opened   instant.Instant
	heard    instant.Instant
	prober   string // the subscription of this connection that asks whether the relay is there; nothing fits it, so it stays open
	probed   string // it, while it has no answer
	probedAt instant.Instant
	forged   bool // it has sent what it may have truly
	answers  bool // it has ended an answer once, so that its silence means something
	plain    bool // it does not reconcile
	health   health
	useless  useless

	live      []*live
	retired   []*live       // that we have ended a short while ago
	epoch     uint64        // of the live subscriptions, from 1
	gone      map[item]bool // that they have in vain
	least     int           // subscriptions that it took when they were made anew
	renewLive bool
	batches   []*batch
	queue     []*walk // in the order in which they begin
	walks     []*walk // under way
	walksMax  int
	kept      int // events that they know by their ids
	singles   int // items of single events
	subs      uint64
	nextSend  instant.Instant
	pace      time.Duration
}

// A phase is how far we are with an item at a relay.
type phase uint8

const (
	fresh     phase = iota + 1 // it has not been asked for since the connection is there
	pending                    // a batch asks for what there is
	confirmed                  // all there was has come, and what is new comes by itself
)

// A standing is one item at a relay.
type standing struct {
	count int // reasons to want it
	phase phase
	live  uint64 // the epoch of live subscriptions in which one has it
	first bool   // of a single event: others are asked for it next
	again bool   // of a single event: it has come, and was refused for a reason that passes
}

func newLink(url string) *link {
	return &link{url: url, wanted: map[item]*standing{}, gone: map[item]bool{}, epoch: 1}
}

// sub makes a subscription id.
func (l *link) sub(letter string) string {
	l.subs++
	return letter + strconv.FormatUint(l.subs, 10)
}

// needed reports whether anything but announcements is wanted of it.
func (l *link) needed() bool {
	if l.wanted[everything] == nil { // of a relay of participants
		return len(l.wanted)-l.asides > 0
	}
	return l.bootstrap || len(l.wanted)-l.asides > 1
}

// add wants an item of a relay, for one more reason.
func (m *Machine) add(now instant.Instant, l *link, it item) {
	if s := l.wanted[it]; s != nil {
		s.count++
		return
	}
	l.wanted[it] = &standing{count: 1, live: l.stillLive(it)}
	l.counts(it, 1)
	m.freshen(now, l, it)
	m.touchAt(now, l)
}

// freshen has an item asked for with the next batch.
func (m *Machine) freshen(now instant.Instant, l *link, it item) {
	s := l.wanted[it]
	if s == nil || s.phase == fresh {
		return
	}
	s.phase, s.again = fresh, false
	l.fresh = append(l.fresh, it)
	if l.flushAt == 0 {
		l.flushAt = now.Add(m.cfg.Window)
	}
}

// drop wants an item for one reason less.
func (m *Machine) drop(now instant.Instant, l *link, it item) {
	s := l.wanted[it]
	if s == nil {
		return
	}
	if s.count--; s.count > 0 {
		return
	}
	delete(l.wanted, it)
	l.counts(it, -1)
	if s.live == l.epoch {
		l.left(it)
	}
	m.touchAt(now, l)
}

// send sends a message to a relay that we are connected to.
func (m *Machine) send(l *link, msg relay.ClientMessage) {
	m.orders = append(m.orders, Send{l.peer, msg})
}

// become changes the status. The limit says how long it may last; 0 for ever.
func (m *Machine) become(now instant.Instant, l *link, s Status, limit time.Duration, why string) {
	l.until = 0
	if limit > 0 {
		l.until = now.Add(limit)
	}
	if l.status != s || why != "" {
		m.tell(Told{Fact: RelayStatus, URL: l.url, Status: s, Reason: why})
	}
	l.status = s
}
