package core

import (
	"encoding/hex"
	"errors"
	"strconv"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/negentropy"
	"github.com/graspkit/graspkit/reference/relay"
)

// Limits of reconciliations (NIP-77).
const (
	ReconcileMax      = 50_000    // events in the set of one
	ReconcileTotalMax = 1_000_000 // events in all open sets of all connections, 40 bytes each; what is used least gives way
	ReconcileFrame    = 60_000    // bytes of one answer, each two characters of a frame (N77-05)
)

// negOpen begins a reconciliation of what is served at this instant; what comes or goes later is not part of it. Held
// events are not in the store, so they never show (N77-04). One of the same id has ended, whatever the answer (N77-03).
func (s *Server) negOpen(conn ConnID, session *relay.Session, m relay.NegOpen, out *Effects) {
	s.endReconciliation(conn, session, m.Sub)
	if reason := s.tooLarge(session, 0, m.Filter); reason != "" {
		out.add(Send{conn, relay.NegError{Sub: m.Sub, Text: "error: " + reason}})
		return
	}
	s.find(session, &search{
		conn: conn, sub: m.Sub, purpose: forSet, filters: relay.Compile(m.Filter), message: m.Message,
	}, out)
}

// endReconciliation ends one that is open or about to be; one that is not is no error.
func (s *Server) endReconciliation(conn ConnID, session *relay.Session, sub string) {
	s.dropSearch(conn, session, sub, forSet)
	session.CloseSet(sub)
}

// beginReconciliation opens the set that was found, and answers the message that asked for it.
func (s *Server) beginReconciliation(session *relay.Session, x *search, f Found, out *Effects) {
	s.turn++
	switch {
	case f.set == nil:
		s.notFound(session, x, "blocked: the filter selects more than "+strconv.Itoa(ReconcileMax)+" events", out)
	case !session.OpenSet(x.sub, f.set, s.turn):
		s.notFound(session, x, "blocked: too many reconciliations on this connection", out)
	default:
		s.makeRoomForSets(out)
		s.reconcile(x.conn, session, x.sub, f.set, x.message, out)
	}
}

// makeRoomForSets ends what was used longest ago until all open sets together are no larger than they may be. So nobody keeps
// others from reconciling by leaving open what he does not go on with.
func (s *Server) makeRoomForSets(out *Effects) {
	total := 0
	for _, conn := range s.order {
		total += s.conns[conn].SetItems()
	}
	for total > ReconcileTotalMax {
		var idle ConnID
		var id string
		var least uint64
		for _, conn := range s.order {
			if sub, turn := s.conns[conn].IdleSet(); sub != "" && (id == "" || turn < least) {
				idle, id, least = conn, sub, turn
			}
		}
		session := s.conns[idle]
		before := session.SetItems()
		session.CloseSet(id)
		total -= before - session.SetItems()
		out.add(Send{idle, relay.NegError{Sub: id, Text: "closed: others reconcile, and this went on longest ago; begin it again"}})
	}
}

func (s *Server) negMessage(conn ConnID, session *relay.Session, m relay.NegMessage, out *Effects) {
	s.turn++
	set := session.UseSet(m.Sub, s.turn)
	if set == nil {
		s.endReconciliation(conn, session, m.Sub) // also one that has not begun: nothing follows a NEG-ERR
		out.add(Send{conn, relay.NegError{Sub: m.Sub, Text: "closed: no reconciliation of this id is open"}})
		return
	}
	s.reconcile(conn, session, m.Sub, set, m.Message, out)
}

// reconcile answers one message. A malformed one ends the reconciliation.
func (s *Server) reconcile(conn ConnID, session *relay.Session, sub string, set *negentropy.Set, message []byte, out *Effects) {
	answer, err := set.Reconcile(message, ReconcileFrame)
	var malformed *negentropy.MalformedError
	if errors.As(err, &malformed) {
		session.CloseSet(sub)
		out.add(Send{conn, relay.NegError{Sub: sub, Text: "invalid: " + malformed.Error()}})
		return
	}
	out.add(Send{conn, relay.NegAnswer{Sub: sub, Message: answer}})
}

// setOf makes the set of events as negentropy sorts and names them.
func setOf(events []*nostr.Event) *negentropy.Set {
	items := make([]negentropy.Item, len(events))
	for i, ev := range events {
		at := len(events) - 1 - i // newest first becomes almost sorted
		items[at].Time = uint64(ev.CreatedAt)
		if n, err := hex.Decode(items[at].ID[:], []byte(ev.ID)); err != nil || n != len(items[at].ID) {
			panic("core: invariant: stored event with the id " + ev.ID)
		}
	}
	return negentropy.NewSet(items)
}
