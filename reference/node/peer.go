package node

import (
	"context"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// Peers are connections to other relays. Their methods return at once.
type Peers interface {
	// Dial makes a connection. What becomes of it is heard in order: core.PeerOpened if it succeeds, core.PeerSaid, whose Good
	// says that the id of an event fits, and at last core.PeerClosed in any case. While somebody hears, nothing more is read
	// from the relay; an error of hear ends the connection.
	Dial(e core.DialPeer, hear func(ctx context.Context, in core.Input) error)
	// Send sends a message; a connection that is gone is no error.
	Send(e core.SendPeer)
	// HangUp ends a connection or an attempt; one that is gone is no error.
	HangUp(e core.HangUp)
	// Answer authenticates on a connection; one that is gone is no error.
	Answer(e core.AnswerPeer)
}

// Relays tells how the node stands to other relays; false if it replicates from none. It waits for the inputs that came before.
func (n *Node) Relays(ctx context.Context) (core.RelaysReport, bool, error) {
	type answer struct {
		report core.RelaysReport
		is     bool
	}
	answers := make(chan answer, 1)
	err := n.do(ctx, func() {
		report, is := n.machine.Relays(n.present())
		answers <- answer{report, is}
	})
	if err != nil {
		return core.RelaysReport{}, false, err
	}
	a := <-answers
	return a.report, a.is, nil
}

// hear has the core told what a relay says, once the signature of an event is checked.
func (n *Node) hear(ctx context.Context, in core.Input) error {
	if said, is := in.(core.PeerSaid); is {
		if m, is := said.Msg.(relay.EventFor); is {
			said.Good = n.verified.check(relay.Event{Event: m.Event, IDOK: said.Good})
			in = said
		}
	}
	return n.put(ctx, item{input: in})
}

func (n *Node) dialPeer(e core.DialPeer) {
	if n.peers == nil {
		n.loop.own = append(n.loop.own, item{input: core.PeerClosed{Peer: e.Peer, Failure: core.PeerUnreachable}})
		return
	}
	n.peers.Dial(e, n.hear)
}

func (n *Node) sendPeer(e core.SendPeer) {
	if n.peers != nil {
		n.peers.Send(e)
	}
}

func (n *Node) answerPeer(e core.AnswerPeer) {
	if n.peers != nil {
		n.peers.Answer(e)
	}
}

func (n *Node) hangUpPeer(e core.HangUp) {
	if n.peers != nil {
		n.peers.HangUp(e)
	}
}
