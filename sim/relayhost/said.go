package relayhost

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// A ConnID names one connection, or attempt, of an asker. Who carries them gives the numbers, and none twice.
type ConnID uint64

// Said is what a relay does on a connection: it sends a message, or, where Msg is nil, ends the connection.
type Said struct {
	Conn ConnID
	// At is when the message leaves the relay: not before the instant of the call that returned it, nor before anything that
	// the relay said earlier on the connection.
	At  instant.Instant
	Msg relay.ServerMessage
	// Forged says of a relay.EventFor that its signature does not fit, whatever the event says.
	Forged bool
}

// An Opening is how an attempt to connect ends.
type Opening string

// The openings.
const (
	Taken      Opening = "taken"
	Refused    Opening = "refused"    // at once: nobody listens
	Unanswered Opening = "unanswered" // nothing comes back, for as long as the asker waits
)

// say appends a message to a connection, so late as the relay answers now.
func (h *Host) say(now instant.Instant, out []Said, c *conn, msg relay.ServerMessage) []Said {
	return append(out, Said{Conn: c.id, At: h.leaves(now, c), Msg: msg})
}

// hangUp ends a connection.
func (h *Host) hangUp(now instant.Instant, out []Said, c *conn) []Said {
	h.forget(now, c)
	return append(out, Said{Conn: c.id, At: h.leaves(now, c)})
}

// leaves is when what is said at the instant leaves the relay.
func (h *Host) leaves(now instant.Instant, c *conn) instant.Instant {
	c.said = max(c.said, now.Add(h.config.Delay+h.ill(now).Delay))
	return c.said
}

// show sends events of a subscription, as the relay does that now.
func (h *Host) show(now instant.Instant, out []Said, c *conn, sub string, events ...*nostr.Event) []Said {
	mode := h.ill(now).Mode
	for _, ev := range events {
		times := 1
		if mode == Repeats {
			times = 2
		}
		for range times {
			out = h.say(now, out, c, relay.EventFor{Sub: sub, Event: ev})
			if mode == Forges {
				forge(&out[len(out)-1])
			}
		}
	}
	return out
}

// forge puts another signature under an event: that with its last digit changed.
func forge(s *Said) {
	m, is := s.Msg.(relay.EventFor)
	if !is {
		panic("relayhost: invariant: only events have signatures")
	}
	ev := *m.Event
	if n := len(ev.Sig); n > 0 {
		digit := "0"
		if ev.Sig[n-1] == '0' {
			digit = "1"
		}
		ev.Sig = ev.Sig[:n-1] + digit
	}
	s.Msg, s.Forged = relay.EventFor{Sub: m.Sub, Event: &ev}, true
}
