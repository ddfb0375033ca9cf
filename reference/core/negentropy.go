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
	ReconcileTotalMax = 1_000_000 // events in all open sets of all connections, 40 bytes each
	ReconcileFrame    = 60_000    // bytes of one answer, each two characters of a frame (N77-05)
)

// negOpen begins a reconciliation of what is served at this instant; what comes or goes later is not part of it. Held
// events are not in the store, so they never show (N77-04). One of the same id has ended, whatever the answer (N77-03).
func (s *Server) negOpen(conn ConnID, session *relay.Session, m relay.NegOpen, out *Effects) {
	session.CloseSet(m.Sub)
	refuse := func(reason string) { out.add(Send{conn, relay.NegError{Sub: m.Sub, Text: "blocked: " + reason}}) }
	if reason := s.tooLarge(session, 0, m.Filter); reason != "" {
		out.add(Send{conn, relay.NegError{Sub: m.Sub, Text: "error: " + reason}})
		return
	}
	events := s.store.Select(m.Filter.Compile(), ReconcileMax+1)
	if len(events) > ReconcileMax {
		refuse("the filter selects more than " + strconv.Itoa(ReconcileMax) + " events")
		return
	}
	total := len(events)
	for _, other := range s.order {
		total += s.conns[other].SetItems()
	}
	if total > ReconcileTotalMax {
		refuse("too many events are being reconciled; try again later")
		return
	}
	set := setOf(events)
	if !session.OpenSet(m.Sub, set) {
		refuse("too many reconciliations on this connection")
		return
	}
	s.reconcile(conn, session, m.Sub, set, m.Message, out)
}

func (s *Server) negMessage(conn ConnID, session *relay.Session, m relay.NegMessage, out *Effects) {
	set := session.Set(m.Sub)
	if set == nil {
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
