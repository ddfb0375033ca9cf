package core

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

const reasonFull = "the event store is full"

// full returns the ruling that keeps one more event out of purgatory, if a limit is reached (G01-PURG-23). Announcements in
// their second phase do not count: they stay for a day, and would keep everybody out for so long.
func (s *Server) full(ev *nostr.Event) (policy.Ruling, bool) {
	switch {
	case s.held.ActiveOf(ev.PubKey).Entries >= s.cfg.HeldPerKeyMax:
		return rule("G01-PURG-23", "rate-limited", "too many events of this author wait for git data"), true
	case s.held.Active().Entries >= s.cfg.HeldMax || len(s.judging) >= JudgingMax:
		return rule("G01-PURG-23", "rate-limited", "too many events wait for git data"), true
	case !s.store.HasRoom(ev, s.kept()):
		return rule("REF-PURG-15", "error", reasonFull), true
	}
	return s.heavy(ev, nil)
}

// kept is the room in the store of what waits in purgatory or for its answer: each of them has its own from the day on which it
// is taken in, so that a release always finds it (INV-10, REF-PURG-15).
func (s *Server) kept() eventstore.Room {
	all := s.held.All()
	return eventstore.Room{Events: all.Entries + len(s.judging), Bytes: all.Bytes + s.awaiting}
}

// heavy returns the ruling that keeps an event out of purgatory which is too large for what is left of a limit, once it
// has taken the place of another one; nil stands for none.
func (s *Server) heavy(ev, old *nostr.Event) (policy.Ruling, bool) {
	more := repo.Size(ev)
	if old != nil {
		more -= repo.Size(old)
	}
	switch {
	case more <= 0:
	case s.held.ActiveOf(ev.PubKey).Bytes+more > s.cfg.HeldBytesPerKeyMax:
		return rule("G01-PURG-23", "rate-limited", "the events of this author that wait for git data are too large"), true
	case s.held.Active().Bytes+s.awaiting+more > s.cfg.HeldBytesMax:
		return rule("G01-PURG-23", "rate-limited", "the events that wait for git data are too large"), true
	}
	return policy.Ruling{}, false
}

// awaitRepository notes an announcement whose answer waits for its repository and which is not held yet.
func (s *Server) awaitRepository(j *judging) {
	s.judging[j.event.ID] = j
	s.awaiting += repo.Size(j.event)
}

// stopAwaiting ends what awaitRepository began.
func (s *Server) stopAwaiting(ev *nostr.Event) {
	delete(s.judging, ev.ID)
	s.awaiting -= repo.Size(ev)
}

// tooLarge returns why a connection may not ask with filters that large, or "". Those of a subscription stay in memory,
// so they are counted for each connection and for all; freed are the bytes that it gives back in exchange. Whoever has
// few filters is not kept out by those who have many.
func (s *Server) tooLarge(session *relay.Session, freed int, filters ...relay.Filter) string {
	more := relay.FilterBytes(filters) - freed
	own := session.Bytes() + more
	switch {
	case own > s.cfg.FilterBytesMax:
		return "the filters of this connection are too large; close a subscription or ask for less"
	case more > 0 && own > FilterBytesSure && s.audience.Bytes()+more > s.cfg.FilterBytesTotalMax:
		return "the filters of all connections take too much memory; ask for less or try again later"
	}
	return ""
}
