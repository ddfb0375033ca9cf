package core

import (
	"math"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

// expire ends what has run out, before anything else is decided.
func (s *Server) expire(now instant.Instant, out *Effects) {
	s.expireHeld(now, out)
	s.expirePlaceholders(now, out)
	s.retryOrders(now, out)
	s.purgeExpired(now, out)
	s.expireStored(now, out)
	s.carryOnVanishing(now, out)
	s.tidyDue(now, out)
}

// expireHeld ends every entry whose deadline has come, for from its deadline on an entry is absent from every decision
// (G01-PURG-11, REF-PURG-06). An announcement has a second phase (REF-PURG-01, REF-PURG-02), all else has one
// (REF-PURG-08).
func (s *Server) expireHeld(now instant.Instant, out *Effects) {
	for {
		entry := s.held.Due(now)
		if entry == nil {
			return
		}
		if entry.Announcement != nil && !entry.Vouched && !entry.Soft {
			s.soften(now, entry, out)
			continue
		}
		s.endHeld(now, entry, out)
	}
}

// outliveStates ends the held states of an identifier whose own expiration has come: they declare nothing any more, so no ref moves to what
// they say (N40-01). One that a push relies on stays until that has ended.
func (s *Server) outliveStates(now instant.Instant, identifier string, out *Effects) {
	states := s.held.States(identifier)
	for i := 0; i < len(states); {
		if entry := states[i]; entry.Pinned() || !s.outlived(now, entry.Event) {
			i++
			continue
		}
		s.drop(states[i], EventExpired, out)
		states = s.held.States(identifier)
	}
}

// endHeld takes an entry out whose data has not come.
func (s *Server) endHeld(now instant.Instant, entry *purgatory.Entry, out *Effects) {
	s.drop(entry, EventExpired, out)
	s.ranOut(entry.Event.ID, min(now, entry.Deadline), out)
	if a := entry.Announcement; a != nil {
		s.withdraw(now, a.ID, entry.Vouched, out)
	}
}

// withdraw follows a held announcement out: its repository goes, unless it is a retired one, which keeps its refs.
func (s *Server) withdraw(now instant.Instant, id repo.ID, vouched bool, out *Effects) {
	if r := s.repositories[id]; r != nil && !vouched {
		s.abandon(now, r, out)
	}
	s.announcementGone(now, id.Identifier, out)
}

// announcementGone follows an announcement of an identifier out: held states that nobody authorizes any more go
// (REF-PURG-22), and the other repositories are looked at again whose maintainer sets may have changed.
func (s *Server) announcementGone(now instant.Instant, identifier string, out *Effects) {
	states := s.held.States(identifier)
	for i := 0; i < len(states); {
		entry := states[i]
		if s.judging[entry.Event.ID] != nil || len(policy.Authorizing(view{s}, entry.State.Author, identifier)) > 0 {
			i++
			continue
		}
		s.drop(entry, EventExpired, out)
		states = s.held.States(identifier)
	}
	s.lookAtChanged(now, identifier, out)
}

// EventOutlived is the fact that a stored event has reached its own expiration and is served no more.
const EventOutlived Fact = "event_outlived"

// ruleOutlived refuses an event whose own expiration tag says that it is over (NIP-40).
var ruleOutlived = policy.Ruling{
	Decision: policy.Refuse, Prefix: "invalid", Reason: "the event has expired", Requirement: "N40-01",
}

// second is the time of day in seconds since the epoch.
func (s *Server) second(now instant.Instant) int64 { return now.Add(s.ahead).Unix() }

// outlived reports whether the expiration of an event has come. Nothing of the kind becomes served; a held event that
// it happens to only ends like one whose data never comes, a state once it would decide something.
func (s *Server) outlived(now instant.Instant, ev *nostr.Event) bool {
	at, expires := eventstore.Expiration(ev)
	return expires && at <= s.second(now)
}

// storedDeadline is the instant at which the next stored event expires by its own word.
func (s *Server) storedDeadline() (instant.Instant, bool) {
	second, expires := s.store.NextExpiry()
	at := instant.FromUnix(second)
	if s.ahead < 0 && at > math.MaxInt64+instant.Instant(s.ahead) {
		return math.MaxInt64, expires // centuries ahead, by a clock that was set back by decades
	}
	return at.Add(-s.ahead), expires
}

// expireStored drops stored events from the second of their expiration on, from every index and from the journal
// (N40-01). What follows is what follows from a deletion: the repository of an announcement is served no more and keeps
// its refs.
func (s *Server) expireStored(now instant.Instant, out *Effects) {
	for ev := s.store.Expired(s.second(now)); ev != nil; ev = s.store.Expired(s.second(now)) {
		s.unstore(now, ev, EventOutlived, out)
	}
}
