package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
)

// A Relay is one open connection to the relay. It belongs to one goroutine.
//
// Whatever arrives while something else is awaited is kept: events for their subscription, OKs for
// their event, notices.
type Relay struct {
	c       *Client
	conn    target.Conn
	channel string
	subs    map[string]*subscription
	oks     map[string]OKFrame
	notices []string
	asked   string // the challenge that came last (NIP-42)
	waiting string // the subscription or the event that an answer is awaited for, or ""
	unknown string // a message about it whose verb nobody knows, or ""
	queries int
	sent    int             // messages
	events  int             // of them, that publish
	heard   bool            // something was said on it beside greetings and notices
	tooFast bool            // the server has ended it for the pace
	closed  bool            // by the client
	refused int             // events
	gone    bool            // the server has ended it behind refusals
	full    bool            // the server has refused an event on it for the pace
	trial   bool            // it is there to see behind how many messages it ends
	proved  bool            // somebody has authenticated on it, and on no other one
	authors *Relay          // to publish on as the author, where the relay wants that; nil until then
	as      map[string]bool // who has authenticated there, by public key
	side    *Relay          // to publish on, where this connection may no longer; nil until then
	owed    map[string]bool // ids of events that were sent and not answered yet
	late    bool            // the OK that came last is for one of these
}

// A subscription is what the relay has sent for one open REQ.
type subscription struct {
	stored []*nostr.Event // before EOSE
	live   []*nostr.Event // after EOSE, not yet handed out
	eose   bool
	ended  Observation // CLOSED, or what is wrong with an event; reported once
	over   bool        // by CLOSED
}

// Relay opens a connection, on which the client has been let in (see Door). The observation is nil on success, else Silence,
// RateLimited, NoPlace or TransportError.
func (c *Client) Relay(ctx context.Context) (*Relay, Observation) {
	var relay *Relay
	o := c.pacedFor(ctx, kindConnection, c.holding(), func(int) (o Observation) {
		relay, o = c.dial(ctx)
		return c.unlessForbidden(ctx, o)
	}, limitedDial)
	if words, _ := limitedDial(o); words != "" {
		if open := c.alone(); open >= fewPlaces {
			return nil, NoPlace{open, words}
		}
		return nil, RateLimited{Text: words}
	}
	return relay, o
}

// dial opens a connection.
func (c *Client) dial(ctx context.Context) (*Relay, Observation) {
	start := c.target.Now()
	waiting, cancel := context.WithTimeout(ctx, c.settle)
	defer cancel()
	channel := c.channel("relay")
	conn, err := c.target.Dial(waiting)
	if err != nil {
		c.record(channel, Remark, "dial: "+err.Error(), nil)
		return nil, c.unanswered(ctx, "dial", "a WebSocket handshake", start, err)
	}
	c.record(channel, Remark, "open", nil)
	c.holds(1)
	r := &Relay{
		c: c, conn: conn, channel: channel,
		subs: make(map[string]*subscription), oks: make(map[string]OKFrame), owed: make(map[string]bool),
	}
	switch {
	case c.door != nil && c.door.Relay:
		if o := r.enter(ctx, c.door); o != nil {
			r.Close()
			return nil, locked(o)
		}
	case c.pace.careful():
		if o := r.greet(ctx); o != nil {
			r.Close()
			return nil, o
		}
	}
	return r, nil
}

// Close ends the connection.
func (r *Relay) Close() { r.leave("close", r.conn.Close) }

// Drop ends the connection without a word, as if the client were gone, where the target can do that; else it is Close.
func (r *Relay) Drop() {
	if conn, can := r.conn.(target.Dropper); can {
		r.leave("close without a word", conn.Drop)
		return
	}
	r.Close()
}

// leave ends the connection in one way, and those that belong to it.
func (r *Relay) leave(how string, end func() error) {
	if r.side != nil {
		r.side.Close()
		r.side = nil
	}
	if r.authors != nil {
		r.authors.Close()
		r.authors = nil
	}
	if !r.closed {
		r.closed = true
		r.c.holds(-1)
	}
	if err := end(); err != nil {
		r.c.heed(err)
		r.c.record(r.channel, Remark, how+": "+err.Error(), nil)
		return
	}
	r.c.record(r.channel, Remark, how, nil)
}

// Notices are the NOTICE messages seen so far on this connection.
func (r *Relay) Notices() []string { return slices.Clone(r.notices) }

// SendRaw writes one message as it is, valid or not. The observation is nil on success.
func (r *Relay) SendRaw(ctx context.Context, frame []byte) Observation {
	if err := r.c.listFrame(frame); err != nil {
		return unlisted(err)
	}
	return r.write(ctx, frame)
}

// SendBeside writes a message, and another one on another connection right behind it. The observation is nil on success.
func (r *Relay) SendBeside(ctx context.Context, frame []byte, other *Relay, second []byte) Observation {
	for _, message := range [][]byte{frame, second} { // which takes longer than a server needs for the first one
		if err := r.c.listFrame(message); err != nil {
			return unlisted(err)
		}
	}
	if o := r.write(ctx, frame); o != nil {
		return o
	}
	return other.write(ctx, second)
}

// write sends a message whose events are listed.
func (r *Relay) write(ctx context.Context, frame []byte) Observation {
	start := r.c.target.Now()
	r.c.record(r.channel, Sent, "", frame)
	waiting, cancel := context.WithTimeout(ctx, r.c.settle)
	defer cancel()
	r.sent++
	if err := r.conn.Send(waiting, frame); err != nil {
		err = r.whyEnded(waiting, err)
		r.ended(ctx, err)
		if errors.Is(err, target.ErrClosed) { // whoever reads the record sees that there is no answer because nobody is there
			r.c.record(r.channel, Remark, target.ErrClosed.Error(), nil)
		}
		return r.c.unanswered(ctx, "send", "room to send", start, err)
	}
	return nil
}

// Next returns the next message as it came, of whatever kind, within the settle time. Events for open
// subscriptions and OKs in it are filed as well.
func (r *Relay) Next(ctx context.Context) (raw []byte, o Observation) {
	raw, o = r.receive(ctx, r.c.settle, r.c.target.Now(), "a message")
	if o != nil {
		return nil, o
	}
	if m, err := parseMessage(raw); err == nil {
		r.file(m)
	}
	return raw, nil
}

// receive reads one raw message within bound, and reports silence as measured from start.
func (r *Relay) receive(ctx context.Context, bound time.Duration, start time.Time, awaited string) ([]byte, Observation) {
	waiting, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	raw, err := r.conn.Recv(waiting)
	if err != nil {
		if errors.Is(err, target.ErrClosed) {
			r.c.record(r.channel, Remark, err.Error(), nil)
		}
		r.ended(ctx, err)
		return nil, r.c.unanswered(ctx, "recv", awaited, start, err)
	}
	r.c.record(r.channel, Received, "", raw)
	return raw, nil
}

// await reads and files messages until done says so, for at most bound.
func (r *Relay) await(ctx context.Context, bound time.Duration, awaited string, done func(m message) bool) Observation {
	start := r.c.target.Now()
	waiting, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	for range MaxHeld {
		raw, err := r.conn.Recv(waiting)
		if err != nil {
			if errors.Is(err, target.ErrClosed) {
				r.c.record(r.channel, Remark, err.Error(), nil)
			}
			r.ended(ctx, err)
			return r.instead(awaited, r.c.unanswered(ctx, "recv", awaited, start, err))
		}
		r.c.record(r.channel, Received, "", raw)
		m, err := parseMessage(raw)
		if err != nil {
			return BadAnswer{Phase: "frame", Text: err.Error()}
		}
		if m.unknown && m.sub != "" && m.sub == r.waiting {
			r.unknown = clip(string(raw))
		}
		r.file(m)
		if done(m) {
			r.c.took(r.c.target.Now().Sub(start))
			return nil
		}
	}
	return BadAnswer{Phase: "frame", Text: fmt.Sprintf("%d messages, none of them %s", MaxHeld, awaited)}
}

// awaits says for what an answer is awaited from now on, and forgets what came before.
func (r *Relay) awaits(name string) { r.waiting, r.unknown = name, "" }

// instead is the observation of a wait that ran out. A message that speaks of what was asked, in a verb that nobody knows,
// shows that the relay did answer, and not as clients can read it.
func (r *Relay) instead(awaited string, o Observation) Observation {
	if _, silent := o.(Silence); !silent || r.unknown == "" {
		return o
	}
	return BadAnswer{Phase: "frame", Text: fmt.Sprintf("in place of %s came %s", awaited, r.unknown)}
}

// file keeps a message for whoever will ask for it.
func (r *Relay) file(m message) {
	if !r.heard && m.label != "NOTICE" && m.label != "AUTH" {
		r.heard = true
		r.c.pace.heard()
	}
	switch m.label {
	case "OK":
		prefix, text := splitPrefix(m.text)
		ok := OKFrame{ID: m.id, Accepted: m.accepted, Prefix: prefix, Text: text}
		r.c.listAnswer(ok)
		r.late = r.owed[m.id]
		delete(r.owed, m.id)
		if len(r.oks) < MaxHeld {
			r.oks[m.id] = ok
		}
	case "NOTICE":
		if len(r.notices) < MaxHeld {
			r.notices = append(r.notices, m.text)
		}
	case "AUTH":
		r.asked = m.text
	case "EVENT", "EOSE", "CLOSED":
		if sub := r.subs[m.sub]; sub != nil {
			r.fileFor(sub, m)
		}
	}
}

func (r *Relay) fileFor(sub *subscription, m message) {
	switch {
	case m.label == "EOSE":
		sub.eose = true
	case m.label == "CLOSED":
		prefix, text := splitPrefix(m.text)
		sub.ended, sub.over = closed(m.sub, prefix, text), true
		if sub.eose {
			r.c.noteClosure()
		}
	case len(sub.stored)+len(sub.live) >= MaxHeld:
		sub.ended = BadAnswer{Phase: "frame", Text: fmt.Sprintf("more than %d events on one subscription", MaxHeld)}
	default:
		if why := r.c.verify(m.event); why != "" {
			sub.ended = BadEvent{Sub: m.sub, ID: m.event.ID, Why: why}
			return
		}
		if sub.eose {
			sub.live = append(sub.live, m.event)
		} else {
			sub.stored = append(sub.stored, m.event)
		}
	}
}

// closed is the observation of a CLOSED message: a request for a slower pace is no refusal.
func closed(sub, prefix, text string) Observation {
	if prefix == prefixRateLimited {
		return RateLimited{Text: text}
	}
	return ClosedFrame{Sub: sub, Prefix: prefix, Text: text}
}
