package core

import (
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/web"
)

// A PrivateConfig is the settings of a service that is for its members alone (GRASP-08). The zero value is a public one.
type PrivateConfig struct {
	On      bool
	Members policy.Members // at the start; see MembersRead
}

// MembersRead says who the members of a private service are from now on (G08-13).
type MembersRead struct{ Members policy.Members }

func (MembersRead) input() {}

// MembersChanged is the fact that there is another list of members: Count of them.
const MembersChanged Fact = "members_changed"

// ruleToken keeps the tokens of git requests out of everything that is stored or forwarded (G08-15).
var ruleToken = rule("G08-15", "invalid", "an event of this kind belongs into an HTTP header")

// Admits judges the token of a git request. It looks at no repository, so that nobody learns from it what there is (G08-06).
func (s *Server) Admits(now instant.Instant, t web.Token) policy.Ruling {
	return policy.Token(s.cfg.Service, t.Event, policy.TokenAttempt{
		Genuine: t.Genuine, Repo: t.Repo, Second: s.second(now), Members: s.members,
	})
}

// A Token comes with a git request; it is named here for those who have no other word of HTTP.
type Token = web.Token

// greet has a client of a private service authenticate before it says anything (G08-02).
func (s *Server) greet(conn ConnID, out *Effects) {
	if s.cfg.Private.On && s.conns[conn] != nil {
		s.challenge(conn, out)
	}
}

// letsIn reports whether a message of a client is looked at. One of nobody who is known to be a member is answered for that alone,
// whatever it is about (G08-01 to G08-03).
func (s *Server) letsIn(in Message, session *relay.Session, out *Effects) bool {
	if !s.cfg.Private.On {
		return true
	}
	r := s.members.Entry(session.Keys())
	if r.Accepted() {
		return true
	}
	switch m := in.Msg.(type) {
	case relay.Event:
		n := note(EventRefused, m.Event)
		n.Requirement, n.Reason = r.Requirement, r.Text()
		out.add(n)
		out.add(Send{in.Conn, relay.OK{ID: m.Event.ID, Text: r.Text()}})
	case relay.Req:
		out.add(Send{in.Conn, relay.Closed{Sub: m.Sub, Text: r.Text()}})
	case relay.Count:
		out.add(Send{in.Conn, relay.Closed{Sub: m.Sub, Text: r.Text()}})
	case relay.NegOpen:
		out.add(Send{in.Conn, relay.NegError{Sub: m.Sub, Text: r.Text()}})
	case relay.NegMessage:
		out.add(Send{in.Conn, relay.NegError{Sub: m.Sub, Text: r.Text()}})
	default:
		return true // of no event
	}
	return false
}

// membersRead takes another list of members. Who is on it no more loses what is open (G08-14), and who is new has it as soon as it asks,
// having authenticated before or after.
func (s *Server) membersRead(in MembersRead, out *Effects) {
	if !s.cfg.Private.On || s.closing {
		return
	}
	s.members = in.Members
	out.add(Note{Fact: MembersChanged, Count: len(s.members)})
	for _, conn := range s.order {
		session := s.conns[conn]
		if r := s.members.Entry(session.Keys()); !r.Accepted() {
			s.shutOut(conn, session, r, out)
		}
	}
}

// shutOut ends everything that a connection has open or waits for.
func (s *Server) shutOut(conn ConnID, session *relay.Session, r policy.Ruling, out *Effects) {
	subs, sets := session.Opened()
	for _, x := range s.searches.of[conn] {
		switch {
		case x.dropped:
		case x.purpose == forCount:
			out.add(Send{conn, relay.Closed{Sub: x.sub, Text: r.Text()}})
		case x.purpose == forSet:
			sets = append(sets, x.sub)
		}
	}
	s.dropSearches(conn, session, func(*search) bool { return true })
	for _, sub := range subs {
		session.Close(sub)
		out.add(Send{conn, relay.Closed{Sub: sub, Text: r.Text()}})
	}
	for _, sub := range sets {
		session.CloseSet(sub)
		out.add(Send{conn, relay.NegError{Sub: sub, Text: r.Text()}})
	}
}
