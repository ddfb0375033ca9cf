// Package relayhost holds fake nostr relays as state machines: which events they have, how they answer, and how they
// misbehave. Messages come in as values at an instant, connection by connection, and what the relay says goes out as values
// with theirs. The package schedules nothing, opens nothing and judges nothing: a world carries the messages, and whoever
// wants to judge reads the record. It shares no code with what asks it: filters and negentropy are its own.
package relayhost

import (
	"slices"
	"strconv"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// A Host is one fake relay. It has no clock: instants arrive as arguments and never decrease.
type Host struct {
	config  Config
	trouble []Trouble
	since   instant.Instant // what the times of trouble count from

	events []*nostr.Event // that it has: newest first, of one second the lower id first
	strays []*nostr.Event // that it sends unasked while it strays or floods
	conns  []*conn        // by number

	answered []instant.Instant // questions within the last minute, if there is a limit
	ticked   instant.Instant   // up to when trouble has been looked for that ends connections
	sent     uint64            // events of floods
	record   record
}

// conn is one connection that the relay takes for open.
type conn struct {
	id        ConnID
	said      instant.Instant // when the last thing said leaves
	got       int             // messages
	challenge string
	knows     bool // who asks has authenticated
	lost      bool // the asker was not heard or not told something: it is half open, and ends with the next message
	subs      []subscription
	sets      []reconciliation
	floods    string          // the subscription that is flooded; "" if none
	next      instant.Instant // of the flood
}

type subscription struct {
	id      string
	filters []relay.Filter
}

// New returns a relay without events whose life begins at the instant start.
func New(cfg Config, start instant.Instant) (*Host, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Host{config: cfg, trouble: cfg.Trouble, since: start, ticked: start}, nil
}

// Name is the authority of the relay in URLs.
func (h *Host) Name() string { return h.config.Name }

// Behave replaces the configuration but for the name; the times of its troubles count from now on. It returns the error of the
// first thing that makes no sense, and then changes nothing. What it ends and says at once it appends to out.
func (h *Host) Behave(now instant.Instant, cfg Config, out []Said) ([]Said, error) {
	cfg.Name = h.config.Name
	if err := cfg.Validate(); err != nil {
		return out, err
	}
	out = h.Tick(now, out)
	h.config, h.trouble, h.since = cfg, slices.Clone(cfg.Trouble), now
	return h.end(now, out), nil
}

// Heal ends all trouble and limits, as the quiet phase of a run does. How it pages and whether it reconciles stays.
func (h *Host) Heal() { h.trouble, h.config.Trouble, h.config.PerMinute = nil, nil, 0 }

// ill is the trouble of the instant; the zero value if there is none.
func (h *Host) ill(now instant.Instant) Trouble {
	for _, t := range slices.Backward(h.trouble) {
		if t.applies(now.Sub(h.since)) {
			return t
		}
	}
	return Trouble{}
}

// Mode is what the relay does at the instant, for who must know before there is a connection.
func (h *Host) Mode(now instant.Instant) Mode { return h.ill(now).Mode }

// Open is an attempt to connect. A connection that is taken is open until Close is called or the relay ends it.
func (h *Host) Open(now instant.Instant, id ConnID, out []Said) ([]Said, Opening) {
	out = h.Tick(now, out)
	opening := Taken
	switch h.ill(now).Mode {
	case Refuses:
		opening = Refused
	case Freezes:
		opening = Unanswered
	default: // the others take who comes
	}
	if len(h.conns) >= connsMax {
		opening = Refused
	}
	h.record.open(Visit{Conn: id, At: now, Opening: opening})
	if opening != Taken {
		return out, opening
	}
	c := &conn{id: id, challenge: "challenge-" + strconv.FormatUint(uint64(id), 10)}
	at, open := h.find(id)
	if open {
		panic("relayhost: invariant: the number of a connection comes twice")
	}
	h.conns = slices.Insert(h.conns, at, c)
	if h.config.Members || h.config.Challenges || h.ill(now).Mode == Denies || h.ill(now).Mode == Bars {
		out = h.say(now, out, c, relay.Challenge{Text: c.challenge})
	}
	return out, opening
}

// End ends all connections, as a relay does that goes for good.
func (h *Host) End(now instant.Instant, out []Said) []Said {
	for _, c := range slices.Clone(h.conns) {
		out = h.hangUp(now, out, c)
	}
	return out
}

// Close tells that the asker has ended a connection. One that is not open is no error.
func (h *Host) Close(now instant.Instant, id ConnID) {
	if at, open := h.find(id); open {
		h.forget(now, h.conns[at])
	}
}

func (h *Host) find(id ConnID) (int, bool) {
	return slices.BinarySearchFunc(h.conns, id, func(c *conn, id ConnID) int {
		switch {
		case c.id < id:
			return -1
		case c.id > id:
			return 1
		}
		return 0
	})
}

func (h *Host) forget(now instant.Instant, c *conn) {
	h.conns = slices.DeleteFunc(h.conns, func(other *conn) bool { return other == c })
	h.record.close(now, c.id)
}

// Put gives the relay events, and shows them to who has asked for their like. An event that it has, or has a newer version
// of, changes nothing.
func (h *Host) Put(now instant.Instant, out []Said, events ...*nostr.Event) []Said {
	out = h.Tick(now, out)
	for _, ev := range events {
		if !h.keep(ev) {
			continue
		}
		for _, c := range slices.Clone(h.conns) {
			out = h.tell(now, out, c, ev)
		}
	}
	return out
}

// Stray gives the relay events that it sends to whoever asks for anything, while it strays or floods.
func (h *Host) Stray(events ...*nostr.Event) { h.strays = append(h.strays, events...) }

// Drop takes events away, by their ids. Nobody is told.
func (h *Host) Drop(ids ...string) {
	h.events = slices.DeleteFunc(h.events, func(ev *nostr.Event) bool { return slices.Contains(ids, ev.ID) })
}

// Events are those that the relay has, in the order in which it answers.
func (h *Host) Events() []*nostr.Event { return slices.Clone(h.events) }

// tell shows a new event to a connection.
func (h *Host) tell(now instant.Instant, out []Said, c *conn, ev *nostr.Event) []Said {
	for _, sub := range c.subs {
		if c.lost || !matchesAny(sub.filters, ev) {
			continue
		}
		switch h.ill(now).Mode {
		case Hangs:
		case Freezes:
			c.lost = true
		default:
			out = h.show(now, out, c, sub.id, ev)
		}
	}
	return out
}

// Deadline is when the relay next does something of its own accord; false if that is never.
func (h *Host) Deadline() (instant.Instant, bool) {
	var first instant.Instant
	found := false
	take := func(at instant.Instant) {
		if !found || at < first {
			first, found = at, true
		}
	}
	for _, c := range h.conns {
		if c.floods != "" {
			take(c.next)
		}
	}
	if len(h.conns) > 0 {
		for _, t := range h.trouble {
			if begins, ever := t.begins(h.ticked.Sub(h.since)); ever && (t.Mode == Refuses || t.Mode == Freezes) {
				take(h.since.Add(begins))
			}
		}
	}
	return first, found
}

// Tick does what is due. Every other call begins with it.
func (h *Host) Tick(now instant.Instant, out []Said) []Said {
	for {
		at, ever := h.Deadline()
		if !ever || at > now {
			break
		}
		h.ticked = max(h.ticked, at)
		out = h.end(at, out)
		out = h.flood(at, out)
	}
	h.ticked = max(h.ticked, now)
	return out
}

// end ends all connections where the relay takes none. One that is gone without a word knows of none when it is back, whether anything was
// said meanwhile or not.
func (h *Host) end(now instant.Instant, out []Said) []Said {
	switch h.ill(now).Mode {
	case Refuses:
	case Freezes:
		for _, c := range h.conns {
			c.lost = true
		}
		return out
	default:
		return out
	}
	return h.End(now, out)
}

// floodEvery is how fast a flood comes.
const floodEvery = 50 * time.Millisecond
