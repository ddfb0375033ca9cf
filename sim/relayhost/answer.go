package relayhost

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// Message is something that arrives on a connection. On one that is not open nobody hears it.
func (h *Host) Message(now instant.Instant, id ConnID, msg relay.ClientMessage, out []Said) []Said {
	out = h.Tick(now, out)
	at, open := h.find(id)
	if !open {
		return out
	}
	c, t := h.conns[at], h.ill(now)
	switch {
	case t.Mode == Freezes:
		c.lost = true // nobody is there to hear it
		return out
	case c.lost:
		return h.hangUp(now, out, c)
	}
	c.got++
	h.record.asked(Asked{At: now, Conn: id, Msg: msg})
	switch {
	case t.Mode == Drops && c.got >= t.After:
		return h.hangUp(now, out, c)
	case t.Mode == Hangs:
		h.hear(c, msg)
		return out
	}
	return h.answer(now, out, c, msg)
}

// hear does what a message does to a connection where nothing is said.
func (h *Host) hear(c *conn, msg relay.ClientMessage) {
	switch m := msg.(type) {
	case relay.Req:
		c.subscribe(m)
	case relay.Close:
		c.unsubscribe(m.Sub)
	case relay.NegClose:
		c.unreconcile(m.Sub)
	}
}

func (h *Host) answer(now instant.Instant, out []Said, c *conn, msg relay.ClientMessage) []Said {
	switch m := msg.(type) {
	case relay.Req:
		return h.stored(now, out, c, m)
	case relay.Count:
		if reason, refused := h.refuses(now, c); refused {
			return h.refuse(now, out, c, reason, relay.Closed{Sub: m.Sub, Text: reason})
		}
		return h.say(now, out, c, relay.Counted{Sub: m.Sub, Count: len(h.selected(m.Filters, pageMax))})
	case relay.NegOpen:
		return h.reconcile(now, out, c, m)
	case relay.NegMessage:
		return h.goOn(now, out, c, m)
	case relay.Event:
		return h.publish(now, out, c, m)
	case relay.Auth:
		if h.ill(now).Mode == Bars {
			return h.say(now, out, c, relay.OK{ID: m.Event.ID, Text: "restricted: not you"})
		}
		c.knows = c.knows || answers(m.Event, c.challenge)
		return h.say(now, out, c, relay.OK{ID: m.Event.ID, Accepted: answers(m.Event, c.challenge)})
	case relay.Malformed:
		return h.say(now, out, c, m.Reply)
	default:
		h.hear(c, msg)
		return out
	}
}

// answers reports whether an event answers a challenge (NIP-42).
func answers(ev *nostr.Event, challenge string) bool {
	return ev.Kind == nostr.KindClientAuthentication && slices.ContainsFunc(ev.Tags, func(tag nostr.Tag) bool {
		return len(tag) > 1 && tag[0] == "challenge" && tag[1] == challenge
	})
}

// The texts of refusals.
const (
	authRequired = "auth-required: who asks here says who they are"
	rateLimited  = "rate-limited: slow down"
)

// refuses reports whether a question is not answered now, with the reason.
func (h *Host) refuses(now instant.Instant, c *conn) (string, bool) {
	if h.config.Members && !c.knows {
		return authRequired, true
	}
	if n := h.config.PerMinute; n > 0 {
		h.answered = slices.DeleteFunc(h.answered, func(at instant.Instant) bool { return at.Add(time.Minute) <= now })
		if len(h.answered) >= n {
			h.record.limited++
			return rateLimited, true
		}
		h.answered = append(h.answered, now)
	}
	switch t := h.ill(now); {
	case t.Mode == Closes:
		return t.Text, true
	case t.Mode == Bars, t.Mode == Denies && !c.knows:
		return authRequired, true
	}
	return "", false
}

// refuse says no, as the relay does that.
func (h *Host) refuse(now instant.Instant, out []Said, c *conn, reason string, msg relay.ServerMessage) []Said {
	switch {
	case reason == rateLimited && h.config.Limiting == ByNotice:
		return h.say(now, out, c, relay.Notice{Text: reason})
	case reason == authRequired:
		out = h.say(now, out, c, relay.Challenge{Text: c.challenge})
	}
	return h.say(now, out, c, msg)
}

// stored answers a REQ.
func (h *Host) stored(now instant.Instant, out []Said, c *conn, m relay.Req) []Said {
	c.unsubscribe(m.Sub)
	if reason, refused := h.refuses(now, c); refused {
		return h.refuse(now, out, c, reason, relay.Closed{Sub: m.Sub, Text: reason})
	}
	if !c.subscribe(m) {
		return h.say(now, out, c, relay.Closed{Sub: m.Sub, Text: "error: more than " + strconv.Itoa(subscriptionsMax) + " subscriptions"})
	}
	mode := h.ill(now).Mode
	filters := m.Filters
	if mode == Sticks {
		filters = timeless(filters)
	}
	most := h.config.PageMax
	if most == 0 {
		most = pageDefault
	}
	if mode == Hides {
		most = 0
	}
	out = h.show(now, out, c, m.Sub, h.selected(filters, most)...)
	switch mode {
	case Strays:
		out = h.show(now, out, c, m.Sub, h.strays...)
	case Omits:
		return out
	case Floods:
		c.floods, c.next = m.Sub, now.Add(floodEvery)
		return out
	default: // what else is wrong with them shows elsewhere
	}
	return h.say(now, out, c, relay.EOSE{Sub: m.Sub})
}

// publish answers an EVENT.
func (h *Host) publish(now instant.Instant, out []Said, c *conn, m relay.Event) []Said {
	ev := m.Event
	if !m.IDOK {
		return h.say(now, out, c, relay.OK{ID: ev.ID, Text: "invalid: the id is not that of the event"})
	}
	text := ""
	if !h.keeps(ev) {
		text = "duplicate: this or a newer version is here"
	}
	out = h.say(now, out, c, relay.OK{ID: ev.ID, Accepted: true, Text: text})
	return h.Put(now, out, ev)
}

// flood goes on with what floods.
func (h *Host) flood(now instant.Instant, out []Said) []Said {
	for _, c := range h.conns {
		if c.floods == "" || c.next > now {
			continue
		}
		if h.ill(now).Mode != Floods {
			out = h.say(now, out, c, relay.EOSE{Sub: c.floods})
			c.floods = ""
			continue
		}
		c.next = now.Add(floodEvery)
		h.sent++
		if n := uint64(len(h.strays)); n > 0 {
			out = h.say(now, out, c, relay.EventFor{Sub: c.floods, Event: h.strays[h.sent%n]})
			continue
		}
		out = h.say(now, out, c, relay.EventFor{Sub: c.floods, Event: madeUp(h.sent)})
		out[len(out)-1].Forged = true
	}
	return out
}

// madeUp is an event that nobody has written.
func madeUp(n uint64) *nostr.Event {
	digits := strconv.FormatUint(n, 16)
	id := strings.Repeat("0", 64-len(digits)) + digits
	return &nostr.Event{ID: id, PubKey: id, CreatedAt: nostr.Timestamp(n), Kind: 1, Tags: nostr.Tags{}, Sig: id + id}
}

func (c *conn) subscribe(m relay.Req) bool {
	c.unsubscribe(m.Sub)
	if len(c.subs) >= subscriptionsMax {
		return false
	}
	c.subs = append(c.subs, subscription{m.Sub, m.Filters})
	return true
}

func (c *conn) unsubscribe(id string) {
	c.subs = slices.DeleteFunc(c.subs, func(s subscription) bool { return s.id == id })
	if c.floods == id {
		c.floods = ""
	}
}
