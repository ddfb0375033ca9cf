package core

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// EventOutlived is the fact that a stored event has reached its own expiration and is served no more.
const EventOutlived Fact = "event_outlived"

// ruleOutlived refuses an event whose own expiration tag says that it is over (NIP-40).
var ruleOutlived = policy.Ruling{
	Decision: policy.Refuse, Prefix: "invalid", Reason: "the event has expired", Requirement: "N40-01",
}

// outlived reports whether the expiration of an event has come. Nothing of the kind becomes served; a held event that
// it happens to only ends like one whose data never comes.
func outlived(now instant.Instant, ev *nostr.Event) bool {
	at, expires := eventstore.Expiration(ev)
	return expires && at <= now.Unix()
}

// storedDeadline is the instant at which the next stored event expires by its own word.
func (s *Server) storedDeadline() (instant.Instant, bool) {
	second, expires := s.store.NextExpiry()
	return instant.FromUnix(second), expires
}

// expireStored drops stored events from the second of their expiration on, from every index and from the journal
// (N40-01). With an announcement goes what it brought here, as when a held one expires.
func (s *Server) expireStored(now instant.Instant, out *Effects) {
	for ev := s.store.Expired(now.Unix()); ev != nil; ev = s.store.Expired(now.Unix()) {
		s.store.Remove(ev.ID)
		out.add(Record{Op: OpUnstore, ID: ev.ID})
		out.add(note(EventOutlived, ev))
		identifier, _ := repo.Identifier(ev)
		id := repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: identifier}
		switch ev.Kind {
		case policy.KindAnnouncement:
			if a := s.announced[id]; a.stored && a.Event.ID == ev.ID {
				s.unannounce(id)
				s.withdraw(now, id, a.vouched, out)
			}
		case policy.KindState:
			if state := s.states[id]; state != nil && state.Event.ID == ev.ID {
				delete(s.states, id)
			}
		}
	}
}
