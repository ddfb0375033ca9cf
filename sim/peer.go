package sim

import (
	"maps"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/network"
	"github.com/graspkit/graspkit/sim/trace"
)

// Peers are the relays out there, as a host's connections reach them. A method must not step the host.
type Peers interface {
	// Dial begins a connection. Heard gets what the server is told of it, by tasks and never from within Dial: exactly one
	// core.PeerClosed, and nothing behind that.
	Dial(now instant.Instant, d core.DialPeer, heard func(now instant.Instant, in core.Input))
	// Say sends a message. On a connection that is not there it is lost.
	Say(now instant.Instant, m core.SendPeer)
	// HangUp ends a connection or an attempt; one that has ended is no error.
	HangUp(now instant.Instant, id core.PeerID)
	// Drop says that the host has crashed: it is told nothing more.
	Drop(now instant.Instant)
}

// A Signer makes the event by which a server authenticates to a relay (NIP-42).
type Signer func(now instant.Instant, to core.AnswerPeer) *nostr.Event

// A Relay is the far end of connections.
type Relay interface {
	// Name is that of its node in the network.
	Name() string
	// Takes reports whether it takes connections at present, and if not, whether who calls is told.
	Takes() (takes, answers bool)
	// Opened says that a connection is there for it, which ends with Left.
	Opened(now instant.Instant, l *Line)
	// Heard is told what comes on it.
	Heard(now instant.Instant, l *Line, msg relay.ClientMessage)
	// Left says that a connection is there no more, unless it has ended that itself. It comes once.
	Left(now instant.Instant, l *Line)
}

// What connections take their time for.
const (
	dialPatience = 30 * time.Second       // until an attempt is given up
	nameDelay    = 50 * time.Millisecond  // until it is known that nobody has a name
	ailingMost   = network.StreamPatience // until somebody notices that the other end is gone and says nothing
)

// Lines are the connections of one life of a server to relays: each is two streams of the network.
type Lines struct {
	// Locate is what a URL leads to: nil, and why, if nobody takes a call there.
	Locate func(url string) (Relay, core.PeerFailure)

	name   string
	engine *Engine
	net    *network.Network
	key    kernel.Key
	drawn  tally
	open   map[core.PeerID]*Line // of which the near end is there
	digest *trace.Digester       // from the first message on
}

// NewLines returns the connections of a life. The name is that of the server's node; with the life it tells what is drawn.
func NewLines(e *Engine, n *network.Network, seed uint64, name string, life int) *Lines {
	return &Lines{
		name: name, engine: e, net: n, key: kernel.NewKey(seed, "sim/line").WithText(name).With(uint64(life)), drawn: tally{},
		open: map[core.PeerID]*Line{},
	}
}

// then is a task without a name of its own.
type then func(now instant.Instant)

// Run implements Task.
func (t then) Run(now instant.Instant) { t(now) }

// Dial implements Peers.
func (p *Lines) Dial(now instant.Instant, d core.DialPeer, heard func(now instant.Instant, in core.Input)) {
	far, failure := p.Locate(d.URL)
	l := &Line{
		lines: p, id: d.Peer, far: far, heard: heard,
		key: p.key.With(uint64(p.drawn.next(lineContent.WithText(d.URL)))),
	}
	p.open[d.Peer] = l
	if far == nil {
		l.later(now.Add(nameDelay), func(now instant.Instant) { l.lost(now, failure) })
		return
	}
	l.there, l.back = network.NewStream(p.net.Way(p.name, far.Name())), network.NewStream(p.net.Way(far.Name(), p.name))
	l.later(now.Add(dialPatience), func(now instant.Instant) {
		if !l.answered {
			l.hangUp(now, replicate.TimedOut)
		}
	})
	if at, arrives := l.there.Send(now, lineContent.WithText("call"), requestSize); arrives {
		l.later(at, l.rings)
	}
}

// Say implements Peers.
func (p *Lines) Say(now instant.Instant, m core.SendPeer) {
	l := p.open[m.Peer]
	if l == nil || !l.answered {
		return
	}
	if p.digest == nil {
		p.digest = trace.NewDigester()
	}
	at, arrives := l.there.Send(now, otherContent.With(p.digest.Of(m.Msg)), clientSize(m.Msg))
	if !arrives {
		l.withers(at, l.soon(now, "far cut"))
		return
	}
	l.later(at, func(now instant.Instant) {
		if l.up {
			l.far.Heard(now, l, m.Msg)
		}
	})
}

// HangUp implements Peers.
func (p *Lines) HangUp(now instant.Instant, id core.PeerID) {
	if l := p.open[id]; l != nil {
		l.hangUp(now, replicate.NoFailure)
	}
}

// Drop implements Peers. The other ends hear of it, or find out.
func (p *Lines) Drop(now instant.Instant) {
	for _, id := range slices.Sorted(maps.Keys(p.open)) {
		l := p.open[id]
		l.gone = true
		delete(p.open, id)
		if l.far == nil {
			continue
		}
		if l.key.WithText("silent").Chance(silentCrashes) {
			l.later(l.soon(now, "near crash"), l.leaves)
			continue
		}
		l.tellsFar(now)
	}
}

// Wither has all connections notice that are cut: those on which nothing is said notice as well, by what keeps them alive.
func (p *Lines) Wither(now instant.Instant) {
	for _, id := range slices.Sorted(maps.Keys(p.open)) {
		l := p.open[id]
		if l.far != nil && l.answered && (p.net.Way(p.name, l.far.Name()).Cut(now) || p.net.Way(l.far.Name(), p.name).Cut(now)) {
			l.withers(l.soon(now, "near cut"), l.soon(now, "far cut"))
		}
	}
}

// dialPeer begins a connection. Without peers nobody answers.
func (h *Host) dialPeer(now instant.Instant, d core.DialPeer) {
	heard := func(now instant.Instant, in core.Input) { h.Step(now, in) }
	if h.Peers == nil {
		h.engine.At(now, lineContent.WithText(d.URL).Uint64(), then(func(now instant.Instant) {
			heard(now, core.PeerClosed{Peer: d.Peer, Failure: replicate.Unreachable})
		}))
		return
	}
	h.Peers.Dial(now, d, heard)
}
