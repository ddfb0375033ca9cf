package model

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// A private service answers a message of a connection on which no member has shown who they are for that alone, whatever it is about:
// auth-required while it knows nobody there, restricted when it knows that they are none (G08-01 to G08-03).

// Members says who is one from now on.
func (m *Model) Members(keys []repo.PubKey) {
	m.members = nil
	for _, key := range keys {
		m.members = append(m.members, string(key))
	}
}

func (m *Model) isMember(key string) bool { return slices.Contains(m.members, key) }

// A shut is a message that has to be answered, or something that has to be closed, before somebody who is no member.
type shut struct {
	conn   core.ConnID
	kind   string // "OK", "CLOSED" or "NEG-ERR"
	name   string
	prefix string
}

// outside is how somebody is told that they are no member; "" for a member.
func (m *Model) outside(x *client) string {
	switch {
	case slices.ContainsFunc(x.keys, m.isMember):
		return ""
	case len(x.keys) == 0:
		return "auth-required:"
	}
	return "restricted:"
}

// keepsOut takes a message that is answered for who sends it alone; false for others.
func (m *Model) keepsOut(in core.Message) bool {
	x := m.clients.byConn[in.Conn]
	if !m.cfg.Rules.Private || x == nil || m.outside(x) == "" {
		return false
	}
	s := shut{conn: in.Conn, prefix: m.outside(x)}
	switch msg := in.Msg.(type) {
	case relay.Event:
		s.kind, s.name = "OK", msg.Event.ID
	case relay.Req:
		s.kind, s.name = "CLOSED", msg.Sub
	case relay.Count:
		s.kind, s.name = "CLOSED", msg.Sub
	case relay.NegOpen:
		s.kind, s.name = "NEG-ERR", msg.Sub
	case relay.NegMessage:
		s.kind, s.name = "NEG-ERR", msg.Sub
	default:
		return false
	}
	m.step.shut = append(m.step.shut, s)
	return true
}

// membersRead takes another list: who is on it no more loses what is open, and what is asked (G08-14).
func (m *Model) membersRead(in core.MembersRead) {
	if m.work.closing {
		return
	}
	m.Members(in.Members)
	for _, x := range m.clients.all {
		prefix := m.outside(x)
		if prefix == "" {
			continue
		}
		for _, s := range x.subs {
			m.step.shut = append(m.step.shut, shut{x.conn, "CLOSED", s.name, prefix})
		}
		for _, s := range x.sets {
			m.step.shut = append(m.step.shut, shut{x.conn, "NEG-ERR", s.name, prefix})
		}
		for _, c := range m.clients.counts {
			if c.conn == x.conn {
				m.step.shut = append(m.step.shut, shut{x.conn, "CLOSED", c.sub, prefix})
			}
		}
		x.subs, x.sets = nil, nil
		m.clients.counts = slices.DeleteFunc(m.clients.counts, func(c count) bool { return c.conn == x.conn })
	}
}

// shutBefore takes the answer to that; false for another message.
func (m *Model) shutBefore(conn core.ConnID, msg relay.ServerMessage) bool {
	var kind, name, text string
	switch msg := msg.(type) {
	case relay.OK:
		kind, name, text = "OK", msg.ID, msg.Text
		if msg.Accepted {
			return false
		}
	case relay.Closed:
		kind, name, text = "CLOSED", msg.Sub, msg.Text
	case relay.NegError:
		kind, name, text = "NEG-ERR", msg.Sub, msg.Text
	}
	at := slices.IndexFunc(m.step.shut, func(s shut) bool {
		return s.conn == conn && s.kind == kind && s.name == name && strings.HasPrefix(text, s.prefix)
	})
	if at < 0 {
		return false
	}
	m.step.shut = slices.Delete(m.step.shut, at, at+1)
	return true
}

// shutsOut judges at the end of a step that whoever is no member was told so.
func (m *Model) shutsOut() {
	for _, s := range m.step.shut {
		m.differ("G08-02", "not-shut-out", "connection %d is no member's and is not told %s of %q", s.conn, s.kind, s.name)
	}
	m.step.shut = nil
}
