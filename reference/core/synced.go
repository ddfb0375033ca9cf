package core

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// Synced is an event that was got from another server, its id and signature checked. It passes the same acceptance as a
// user's, is answered to nobody, and its data is hunted at once (REF-SYNC-22, REF-HUNT-02).
type Synced struct{ Event *nostr.Event }

func (Synced) input() {}

// syncedArrived takes an event of a peer. One that ran out here without its data is not held again (REF-PURG-09).
func (s *Server) syncedArrived(now instant.Instant, in Synced, out *Effects) {
	if s.closing {
		return
	}
	if s.Expired(in.Event.ID) {
		s.refuseEvent(nil, in.Event, rule("REF-PURG-09", "invalid", "previously expired from purgatory without git data"), out)
		return
	}
	s.hunting.arrives(in.Event.ID)
	s.eventArrived(now, 0, relay.Event{Event: in.Event, IDOK: true}, true, out)
}
