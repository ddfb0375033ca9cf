package core

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

func (s *Server) connOpened(in ConnOpened, out *Effects) {
	if s.closing {
		return
	}
	s.conns[in.Conn] = s.audience.Join(uint64(in.Conn), in.Challenge)
	s.order = append(s.order, in.Conn)
	s.greet(in.Conn, out)
}

func (s *Server) connClosed(in ConnClosed) {
	session := s.conns[in.Conn]
	if session == nil {
		return
	}
	s.dropSearches(in.Conn, session, func(*search) bool { return true })
	s.audience.Leave(session)
	delete(s.conns, in.Conn)
	at := slices.Index(s.order, in.Conn)
	s.order = slices.Delete(s.order, at, at+1)
}

func (s *Server) message(now instant.Instant, in Message, out *Effects) {
	session := s.conns[in.Conn]
	if session == nil {
		return // closed by us; its last messages are still under way
	}
	if !s.letsIn(in, session, out) {
		return
	}
	switch m := in.Msg.(type) {
	case relay.Event:
		s.eventArrived(now, in.Conn, m, in.SigOK, out)
	case relay.Auth:
		s.authenticate(now, in.Conn, session, m, in.SigOK, out)
	case relay.Req:
		s.query(in.Conn, session, m, out)
	case relay.Close:
		s.dropSearch(in.Conn, session, m.Sub, forEvents)
		session.Close(m.Sub)
	case relay.Count:
		s.count(in.Conn, session, m, out)
	case relay.NegOpen:
		s.negOpen(in.Conn, session, m, out)
	case relay.NegMessage:
		s.negMessage(in.Conn, session, m, out)
	case relay.NegClose:
		s.endReconciliation(in.Conn, session, m.Sub)
	case relay.Malformed:
		if refusal, ok := m.Reply.(relay.NegError); ok {
			s.endReconciliation(in.Conn, session, refusal.Sub) // it is over for the client
		}
		out.add(Send{in.Conn, m.Reply})
	default:
		panic("core: invariant: unknown client message")
	}
}

// query answers a REQ: what is stored, EOSE, and from then on what becomes stored (N01-REQ-01).
func (s *Server) query(conn ConnID, session *relay.Session, m relay.Req, out *Effects) {
	s.dropSearch(conn, session, m.Sub, forEvents)
	if reason := s.tooLarge(session, session.BytesOf(m.Sub), m.Filters...); reason != "" {
		session.Close(m.Sub) // it is over for the client, also if it would have been replaced
		out.add(Send{conn, relay.Closed{Sub: m.Sub, Text: "error: " + reason}})
		return
	}
	filters := relay.Compile(m.Filters...)
	if !session.Open(m.Sub, filters) {
		out.add(Send{conn, relay.Closed{Sub: m.Sub, Text: "blocked: too many subscriptions on this connection"}})
		return
	}
	s.find(session, &search{conn: conn, sub: m.Sub, purpose: forEvents, filters: filters}, out)
}

// broadcast sends an event that has just been stored to every open subscription that matches (G01-PURG-08).
func (s *Server) broadcast(ev *nostr.Event, out *Effects) {
	for _, w := range s.audience.Wanting(ev) {
		if conn := ConnID(w.Conn); !s.searches.waits(conn, w.Sub, ev) {
			out.add(Send{conn, relay.EventFor{Sub: w.Sub, Event: ev}})
		}
	}
}

// reply answers an EVENT on every connection that sent it and is still open.
func (s *Server) reply(conns []ConnID, id string, accepted bool, text string, out *Effects) {
	for _, conn := range conns {
		if s.conns[conn] != nil {
			out.add(Send{conn, relay.OK{ID: id, Accepted: accepted, Text: text}})
		}
	}
}

// count answers a COUNT. Only what is served is counted: held events never are (N01-CNT-01, G01-PURG-05).
func (s *Server) count(conn ConnID, session *relay.Session, m relay.Count, out *Effects) {
	if reason := s.tooLarge(session, 0, m.Filters...); reason != "" {
		out.add(Send{conn, relay.Closed{Sub: m.Sub, Text: "error: " + reason}})
		return
	}
	s.find(session, &search{conn: conn, sub: m.Sub, purpose: forCount, filters: relay.Compile(m.Filters...)}, out)
}
