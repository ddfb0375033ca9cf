package core

import (
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
)

// A PeerID names one connection to another relay, or the attempt at one. A server never uses one twice, and after a restart
// begins anew.
type PeerID = replicate.PeerID

// A PeerFailure says why a connection to another relay ended or did not come.
type PeerFailure = replicate.Failure

// The failures, as package replicate describes them.
const (
	PeerEnded       = replicate.NoFailure
	PeerUnreachable = replicate.Unreachable
	PeerTimedOut    = replicate.TimedOut
	PeerNoName      = replicate.NoName
	PeerNoTrust     = replicate.NoTrust
	PeerNoRelay     = replicate.NoRelay
	PeerForbidden   = replicate.Forbidden
)

// DialPeer asks for a connection to a relay. It is answered by PeerOpened, and that some time by PeerClosed; or by PeerClosed
// alone.
type DialPeer struct {
	Peer PeerID
	URL  string // ws or wss, normalized; where its host leads is for the shell to judge
}

// SendPeer sends a message on a connection to a relay. On one that is gone it is no error.
type SendPeer struct {
	Peer PeerID
	Msg  relay.ClientMessage
}

// HangUp ends a connection to a relay, or the attempt at one. It is answered by PeerClosed, unless that is under way already.
type HangUp struct{ Peer PeerID }

// AnswerPeer has the server authenticate to a relay that has sent a challenge: with the key of the service, which the shell has
// (G08-10). The relay answers by a relay.OK. On a connection that is gone it is no error.
type AnswerPeer struct {
	Peer      PeerID
	URL       string // as in its DialPeer
	Challenge string
}

// PeerOpened says that a connection is there.
type PeerOpened struct{ Peer PeerID }

// PeerSaid is one decoded frame of a relay. Good says, of a relay.EventFor, that its id is the hash of the event and its
// signature fits; it is meaningless otherwise.
type PeerSaid struct {
	Peer PeerID
	Msg  relay.ServerMessage
	Good bool
}

// PeerClosed says that a connection is gone or has not come. There is exactly one for each DialPeer, and nothing follows it.
type PeerClosed struct {
	Peer    PeerID
	Failure PeerFailure
}

func (DialPeer) effect()   {}
func (SendPeer) effect()   {}
func (HangUp) effect()     {}
func (AnswerPeer) effect() {}
func (PeerOpened) input()  {}
func (PeerSaid) input()    {}
func (PeerClosed) input()  {}

// Facts about replication. URL is the relay.
const (
	PeerStatus     Fact = "peer_status"       // Count is a replicate.Status, Reason what it means, and why it is that
	PeerLeftOut    Fact = "peer_left_out"     // Reason says why it is not connected to
	PeerLimited    Fact = "peer_limited"      // Reason is what the relay said
	PeerPlain      Fact = "peer_plain"        // Reason says why no events are compared with it
	PeerOutOfReach Fact = "peer_out_of_reach" // Count events of one second filled its page
	PeerBatch      Fact = "peer_batch"        // Count items are confirmed; Reason says why what was asked for did not all come
	PeerAgain      Fact = "peer_again"        // Count events that were refused are judged again; no URL
	PeerGave       Fact = "peer_gave"         // an event that came from it is judged
)
