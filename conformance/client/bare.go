package client

import (
	"errors"
	"net"

	"github.com/nbd-wtf/go-nostr"
)

// Recorded returns a connection of which all that is read and written is recorded, for those who speak neither HTTP nor the
// words of a relay on it.
func (c *Client) Recorded(conn net.Conn) net.Conn {
	channel := c.channel("bare")
	c.record(channel, Remark, "open", nil)
	return &recordedConn{conn, c, channel}
}

type recordedConn struct {
	net.Conn
	c       *Client
	channel string
}

// Read implements net.Conn.
func (r *recordedConn) Read(p []byte) (int, error) {
	n, err := r.Conn.Read(p)
	if n > 0 {
		r.c.record(r.channel, Received, "", p[:n])
	}
	if err != nil {
		r.c.record(r.channel, Remark, err.Error(), nil)
	}
	return n, err //nolint:wrapcheck // it is the connection's own
}

// Write implements net.Conn.
func (r *recordedConn) Write(p []byte) (int, error) {
	r.c.record(r.channel, Sent, "", p)
	return r.Conn.Write(p) //nolint:wrapcheck // it is the connection's own
}

// CloseWrite hangs up one way, where the connection can.
func (r *recordedConn) CloseWrite() error {
	half, is := r.Conn.(interface{ CloseWrite() error })
	if !is {
		return errors.ErrUnsupported
	}
	r.c.record(r.channel, Remark, "close one way", nil)
	return half.CloseWrite() //nolint:wrapcheck // it is the connection's own
}

// ListBare tells the scribe of an event that is about to be sent on a bare connection. An observation means that it must not be sent.
func (c *Client) ListBare(ev *nostr.Event) Observation {
	if c.scribe == nil {
		return nil
	}
	if err := c.scribe.Event(c.entry(ev, len(EventJSON(ev)))); err != nil {
		return unlisted(err)
	}
	return nil
}

// BareOK reads a message that came on a bare connection. It is nil unless that is the OK for an event, of which the scribe is told then:
// an OKFrame, or RateLimited.
func (c *Client) BareOK(raw []byte, ev *nostr.Event) Observation {
	m, err := parseMessage(raw)
	if err != nil || m.label != "OK" || m.id != ev.ID {
		return nil
	}
	prefix, text := splitPrefix(m.text)
	ok := OKFrame{ID: m.id, Accepted: m.accepted, Prefix: prefix, Text: text}
	c.listAnswer(ok)
	return answer(ok)
}
