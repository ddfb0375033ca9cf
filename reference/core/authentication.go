package core

import (
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// AuthenticationWindow is how far the created_at of an event that authenticates may be from the present (NIP-42).
const AuthenticationWindow = 10 * time.Minute

// The facts about authentications.
const (
	KeyAuthenticated      Fact = "key_authenticated"      // a client has shown that it has the secret of PubKey
	AuthenticationRefused Fact = "authentication_refused" // for Reason
)

// ruleAuthentication keeps events that authenticate a client out of everything that is stored or forwarded (N42-01).
var ruleAuthentication = rule("N42-01", "invalid", "an event of this kind belongs into an AUTH message")

// challenge tells a client what to authenticate with. It comes when something needs it and never before, for many clients
// show who they are to whoever asks.
func (s *Server) challenge(conn ConnID, out *Effects) {
	if text := s.conns[conn].Challenge; text != "" {
		out.add(Send{conn, relay.Challenge{Text: text}})
	}
}

// authenticate judges an AUTH message. The event in it is neither stored nor forwarded (N42-01).
func (s *Server) authenticate(now instant.Instant, conn ConnID, session *relay.Session, m relay.Auth, sigOK bool, out *Effects) {
	ev := m.Event
	window := AuthenticationWindow
	if s.cfg.Private.On {
		window = policy.PrivateWindow
	}
	r := policy.Authentication(s.cfg.Service, ev, policy.Attempt{
		Genuine: m.IDOK && sigOK, Challenge: session.Challenge, Second: s.second(now), Window: window,
	})
	switch {
	case !r.Accepted():
	case !session.Authenticate(ev.PubKey):
		r = rule("N42-01", "error", "too many keys have authenticated on this connection")
	case s.cfg.Private.On:
		r = s.members.Entry([]string{ev.PubKey})
	}
	n := note(KeyAuthenticated, ev)
	if !r.Accepted() {
		n.Fact, n.Requirement, n.Reason = AuthenticationRefused, r.Requirement, r.Text()
	}
	out.add(n)
	s.reply([]ConnID{conn}, ev.ID, r.Accepted(), r.Text(), out)
}

// mayPublish reports whether a client may publish an event: a protected one only its author may, who has authenticated
// (N70-01). What another relay has is published by nobody here.
func (s *Server) mayPublish(conn ConnID, ev *nostr.Event) bool {
	protected := slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 0 && t[0] == "-" })
	return !protected || conn != 0 && s.conns[conn].Authenticated(ev.PubKey)
}

// refuseProtected tells a client that has not authenticated at all to do so, and any other one that it is not the author.
func (s *Server) refuseProtected(conn ConnID, ev *nostr.Event, out *Effects) {
	const reason = "this event may only be published by its author"
	r := rule("N70-01", "restricted", reason)
	if conn == 0 {
		s.refuseEvent(nil, ev, r, out)
		return
	}
	if !s.conns[conn].Authenticated("") {
		r.Prefix = "auth-required"
		s.challenge(conn, out)
	}
	s.refuseEvent([]ConnID{conn}, ev, r, out)
}
