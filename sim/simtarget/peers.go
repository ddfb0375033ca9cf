package simtarget

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/relayhost"
)

// dialPatience is how long an attempt to connect waits for an answer, where the server does not give up before.
const dialPatience = 30 * time.Second

// peers are the connections of one life of the server to fake relays. As a timer of the engine they bring what a relay says
// at the instant at which it says it.
type peers struct {
	target *Target
	open   []*peer // by number
}

// A peer is one connection to a relay, or the attempt at one.
type peer struct {
	id    core.PeerID
	relay *fakeRelay // nil if nobody has the name
	conn  relayhost.ConnID
	heard func(now instant.Instant, in core.Input)
	queue []telling
}

// A telling is what the server is told, and when.
type telling struct {
	at instant.Instant
	in core.Input
}

var (
	_ sim.Peers = (*peers)(nil)
	_ sim.Timer = (*peers)(nil)
)

// peersOf are the connections of the next life of the server.
func (t *Target) peersOf() sim.Peers {
	if t.peers != nil {
		t.engine.RemoveTimer(t.peers)
	}
	t.peers = &peers{target: t}
	t.engine.AddTimer(kernel.NewKey(t.opts.Seed, "simtarget/peers").With(uint64(t.node.Life())).Uint64(), t.peers)
	return t.peers
}

// Dial implements sim.Peers.
func (p *peers) Dial(now instant.Instant, d core.DialPeer, tell func(now instant.Instant, in core.Input)) {
	c := &peer{id: d.Peer, heard: tell}
	p.open = append(p.open, c)
	authority, failure := p.target.relayAt(d.URL)
	if failure != core.PeerEnded {
		c.hears(now, core.PeerClosed{Peer: c.id, Failure: failure})
		return
	}
	c.relay = p.target.relays[authority]
	p.target.relayConns++
	c.conn = p.target.relayConns
	said, opening := c.relay.model.Open(now, c.conn, nil)
	switch opening {
	case relayhost.Taken:
		c.hears(now, core.PeerOpened{Peer: c.id})
	case relayhost.Refused:
		c.hears(now, core.PeerClosed{Peer: c.id, Failure: core.PeerUnreachable})
	case relayhost.Unanswered:
		c.hears(now.Add(dialPatience), core.PeerClosed{Peer: c.id, Failure: core.PeerTimedOut})
	}
	c.relay.carry(said)
}

// relayAt finds whom a URL leads to, or why to nobody. The relays of a target speak without TLS.
func (t *Target) relayAt(url string) (string, core.PeerFailure) {
	scheme, rest, _ := strings.Cut(url, "://")
	authority, _, _ := strings.Cut(strings.ToLower(rest), "/")
	authority = strings.TrimSuffix(authority, ":80")
	switch {
	case t.hosts[authority] != nil:
		return "", core.PeerNoRelay
	case t.relays[authority] == nil:
		return "", core.PeerNoName
	case scheme != "ws":
		return "", core.PeerNoTrust
	}
	return authority, core.PeerEnded
}

// hears has the server be told something on a connection. What follows its end is not told.
func (c *peer) hears(at instant.Instant, in core.Input) {
	if n := len(c.queue); n > 0 {
		if _, over := c.queue[n-1].in.(core.PeerClosed); over {
			return
		}
	}
	c.queue = append(c.queue, telling{at, in})
}

// Say implements sim.Peers.
func (p *peers) Say(now instant.Instant, m core.SendPeer) {
	if c := p.find(m.Peer); c != nil && c.relay != nil {
		c.relay.carry(c.relay.model.Message(now, c.conn, m.Msg, nil))
	}
}

// HangUp implements sim.Peers.
func (p *peers) HangUp(now instant.Instant, id core.PeerID) {
	c := p.find(id)
	if c == nil {
		return
	}
	if c.relay != nil {
		c.relay.model.Close(now, c.conn)
	}
	c.queue = nil
	c.hears(now, core.PeerClosed{Peer: id, Failure: core.PeerEnded})
}

// Drop implements sim.Peers.
func (p *peers) Drop(now instant.Instant) {
	for _, c := range p.open {
		if c.relay != nil {
			c.relay.model.Close(now, c.conn)
		}
	}
	p.open = nil
}

func (p *peers) find(id core.PeerID) *peer {
	if at := slices.IndexFunc(p.open, func(c *peer) bool { return c.id == id }); at >= 0 {
		return p.open[at]
	}
	return nil
}

// Deadline implements sim.Timer.
func (p *peers) Deadline() (first instant.Instant, ever bool) {
	take := func(at instant.Instant) {
		if !ever || at < first {
			first, ever = at, true
		}
	}
	for _, c := range p.open {
		if len(c.queue) > 0 {
			take(c.queue[0].at)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.target.relays)) {
		if at, due := p.target.relays[name].model.Deadline(); due {
			take(at)
		}
	}
	return first, ever
}

// Fire implements sim.Timer: the relays do what is due, and then one connection brings one message, for that may change all
// others.
func (p *peers) Fire(now instant.Instant) {
	for _, name := range slices.Sorted(maps.Keys(p.target.relays)) {
		r := p.target.relays[name]
		r.carry(r.model.Tick(now, nil))
	}
	for i, c := range p.open {
		if len(c.queue) == 0 || c.queue[0].at > now {
			continue
		}
		in := c.queue[0].in
		c.queue = c.queue[1:]
		if _, over := in.(core.PeerClosed); over {
			p.open = slices.Delete(p.open, i, i+1)
		}
		c.heard(now, in)
		return
	}
}

// carry gives to connections what a relay says on them. Whether an event is good is found out as of a client's.
func (r *fakeRelay) carry(all []relayhost.Said) {
	if r.target.peers == nil {
		return
	}
	for _, said := range all {
		at := slices.IndexFunc(r.target.peers.open, func(c *peer) bool { return c.relay == r && c.conn == said.Conn })
		if at < 0 {
			continue
		}
		c := r.target.peers.open[at]
		if said.Msg == nil {
			c.hears(said.At, core.PeerClosed{Peer: c.id, Failure: core.PeerUnreachable})
			continue
		}
		in := core.PeerSaid{Peer: c.id, Msg: said.Msg}
		if m, is := said.Msg.(relay.EventFor); is {
			in.Good = !said.Forged && r.target.verify(relay.Event{Event: m.Event, IDOK: m.Event.GetID() == m.Event.ID})
		}
		c.hears(said.At, in)
	}
}
