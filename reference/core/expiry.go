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
// (REF-PURG-08). What is over by its own word has none left (N40-01). What follows from the end of an announcement is decided when
// nothing is held any more that is over.
func (s *Server) expireHeld(now instant.Instant, out *Effects) {
	var announcements []*purgatory.Entry
	listed := map[*purgatory.Entry]bool{} // both phases of one may be over at once
	for entry := s.held.Due(now); entry != nil; entry = s.held.Due(now) {
		switch {
		case s.outlived(now, entry.Event):
			s.drop(entry, EventExpired, out)
		case entry.Announcement != nil && !entry.Vouched && !entry.Soft:
			s.soften(entry, out)
		default:
			s.runOut(now, entry, out)
		}
		if entry.Announcement != nil && !listed[entry] {
			listed[entry] = true
			announcements = append(announcements, entry)
		}
	}
	for _, entry := range announcements {
		id := entry.Announcement.ID
		if s.held.Get(entry.Event.ID) != entry {
			s.withdraw(now, id, entry.Vouched, out)
		} else if r := s.repositories[id]; r != nil {
			s.abandon(now, r, out)
		}
	}
	if len(announcements) > 0 {
		s.limitSoft(now, out)
	}
}

// await puts an entry into purgatory, where its own expiration, if it has one, is known (N40-01).
func (s *Server) await(entry *purgatory.Entry) {
	entry.Ends = s.ends(entry.Event)
	s.held.Hold(entry)
}

// ends is the instant at which an event is over by its own word; 0 if it never is.
func (s *Server) ends(ev *nostr.Event) instant.Instant {
	at, expires := eventstore.Expiration(ev)
	if !expires {
		return 0
	}
	return max(1, s.atSecond(at))
}

// clockOfHeld follows a time of day that was set: what is held is over by its own word at another instant.
func (s *Server) clockOfHeld() {
	for _, entry := range s.held.Matching(func(ev *nostr.Event) bool { return s.ends(ev) != 0 }) {
		s.held.SetEnds(entry, s.ends(entry.Event))
	}
}

// runOut takes an entry out whose data has not come.
func (s *Server) runOut(now instant.Instant, entry *purgatory.Entry, out *Effects) {
	s.drop(entry, EventExpired, out)
	s.ranOut(entry.Event.ID, min(now, entry.Deadline), out)
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

// outlived reports whether the expiration of an event has come. Nothing of the kind becomes served, and what is held goes like what
// its author deletes: it decides nothing any more.
func (s *Server) outlived(now instant.Instant, ev *nostr.Event) bool {
	at, expires := eventstore.Expiration(ev)
	return expires && at <= s.second(now)
}

// speaks reports whether an entry is held and not over by its own word. One that is over stays only as long as a push relies on it or its
// answer is open, and moves no ref meanwhile.
func (s *Server) speaks(entry *purgatory.Entry) bool {
	return s.held.Get(entry.Event.ID) == entry && !s.outlived(s.last, entry.Event)
}

// answeredTooLate refuses an event that is over by its own word now that all has been asked about it.
func (s *Server) answeredTooLate(now instant.Instant, j *judging, out *Effects) bool {
	if !s.outlived(now, j.event) {
		return false
	}
	s.held.Drop(j.entry)
	s.refuseEvent(j.conns, j.event, ruleOutlived, out)
	return true
}

// storedDeadline is the instant at which the next stored event expires by its own word.
func (s *Server) storedDeadline() (instant.Instant, bool) {
	second, expires := s.store.NextExpiry()
	return s.atSecond(second), expires
}

// atSecond is the instant at which a second of the time of day comes.
func (s *Server) atSecond(second int64) instant.Instant {
	at := instant.FromUnix(second)
	if s.ahead < 0 && at > math.MaxInt64+instant.Instant(s.ahead) {
		return math.MaxInt64 // centuries ahead, by a clock that was set back by decades
	}
	return at.Add(-s.ahead)
}

// expireStored drops stored events from the second of their expiration on, from every index and from the journal
// (N40-01). What follows is what follows from a deletion: the repository of an announcement is served no more and keeps
// its refs.
func (s *Server) expireStored(now instant.Instant, out *Effects) {
	for ev := s.store.Expired(s.second(now)); ev != nil; ev = s.store.Expired(s.second(now)) {
		s.unstore(now, ev, EventOutlived, out)
	}
}
