package sim

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/sim/trace"
)

// firstCalled is the first number of a connection that another server has made: those of people stay below it, whatever
// happens in a run.
const firstCalled core.ConnID = 1 << 32

// peers are the relays that the next life of the server reaches.
func (s *server) peers() Peers {
	w := s.world
	s.lines = NewLines(w.engine, w.net, w.seed, s.Name, s.Life())
	s.lines.Locate = s.relayAt
	return logged{s.lines, s}
}

// relayAt is what the URL of a relay leads to: a server of the world, or nobody.
func (s *server) relayAt(text string) (Relay, core.PeerFailure) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, replicate.NoName
	case s.nameless(): // which says nothing about the name
		return nil, replicate.Unreachable
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), map[string]string{"ws": ":80", "wss": ":443"}[u.Scheme])
	for _, other := range s.world.servers {
		switch {
		case other.service.Host != host:
		case strings.TrimSuffix(u.EscapedPath(), "/") != other.service.Base:
			return nil, replicate.NoRelay
		default:
			return calledServer{other}, replicate.NoFailure
		}
	}
	if r := s.world.relayed(host); r != nil {
		if u.EscapedPath() != "" && u.EscapedPath() != "/" {
			return nil, replicate.NoRelay
		}
		return r, replicate.NoFailure
	}
	if s.world.locate(u) != nil {
		return nil, replicate.NoRelay
	}
	return nil, replicate.NoName
}

// calledServer is a server as the relay that others connect to.
type calledServer struct{ *server }

// Name implements Relay.
func (s calledServer) Name() string { return s.server.Name }

// Takes implements Relay.
func (s calledServer) Takes() (takes, answers bool) { return s.open, true }

// Opened implements Relay: for the server it is a client like any other.
func (s calledServer) Opened(now instant.Instant, l *Line) {
	l.Conn = firstCalled + s.calls
	s.calls++
	s.called[l.Conn] = l
	s.Step(now, core.ConnOpened{Conn: l.Conn, Challenge: fmt.Sprintf("%s/%s/%d", s.server.Name, l.Caller(), l.Conn)})
}

// Heard implements Relay.
func (s calledServer) Heard(now instant.Instant, l *Line, msg relay.ClientMessage) {
	s.Step(now, core.Message{Conn: l.Conn, Msg: msg, SigOK: true})
}

// Left implements Relay.
func (s calledServer) Left(now instant.Instant, l *Line) {
	delete(s.called, l.Conn)
	s.Step(now, core.ConnClosed{Conn: l.Conn})
}

// hangsUp ends the connections of other servers with the life of this one.
func (s *server) hangsUp(now instant.Instant) {
	for _, conn := range slices.Sorted(maps.Keys(s.called)) {
		s.called[conn].Crash(now)
	}
	clear(s.called)
}

// closings are the words for why a connection has gone or did not come.
var closings = map[core.PeerFailure]string{
	replicate.NoFailure: "ended", replicate.Unreachable: "unreachable", replicate.TimedOut: "timed out", replicate.NoName: "no such name",
	replicate.NoTrust: "not to be trusted", replicate.NoRelay: "no relay", replicate.Forbidden: "forbidden",
}

// logged are peers of which the trace tells.
type logged struct {
	Peers
	server *server
}

// Dial implements Peers.
func (p logged) Dial(now instant.Instant, d core.DialPeer, heard func(now instant.Instant, in core.Input)) {
	s := p.server
	s.world.record(trace.Record{At: now, Host: s.Name, Fact: "peer_dialed", Detail: d.URL})
	p.Peers.Dial(now, d, func(now instant.Instant, in core.Input) {
		switch in := in.(type) {
		case core.PeerOpened:
			s.world.record(trace.Record{At: now, Host: s.Name, Fact: "peer_opened", Detail: d.URL})
		case core.PeerClosed:
			s.world.record(trace.Record{At: now, Host: s.Name, Fact: "peer_closed", Detail: d.URL + ": " + closings[in.Failure]})
		}
		heard(now, in)
	})
}
