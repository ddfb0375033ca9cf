package core

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// full returns the ruling that keeps one more event out of purgatory, if a limit is reached (G01-PURG-23).
func (s *Server) full(ev *nostr.Event) (policy.Ruling, bool) {
	switch {
	case s.held.ByAuthor(ev.PubKey) >= s.cfg.HeldPerKeyMax:
		return rule("G01-PURG-23", "rate-limited", "too many events of this author wait for git data"), true
	case s.held.Len() >= s.cfg.HeldMax || len(s.judging) >= JudgingMax:
		return rule("G01-PURG-23", "rate-limited", "too many events wait for git data"), true
	}
	return s.heavy(ev, nil)
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
	case s.held.BytesBy(ev.PubKey)+more > s.cfg.HeldBytesPerKeyMax:
		return rule("G01-PURG-23", "rate-limited", "the events of this author that wait for git data are too large"), true
	case s.held.Bytes()+s.placing+more > s.cfg.HeldBytesMax:
		return rule("G01-PURG-23", "rate-limited", "the events that wait for git data are too large"), true
	}
	return policy.Ruling{}, false
}

// awaitRepository notes an announcement whose answer waits for its repository and which is not held yet.
func (s *Server) awaitRepository(j *judging) {
	s.judging[j.event.ID] = j
	s.placing += repo.Size(j.event)
}

// placed ends what awaitRepository began.
func (s *Server) placed(ev *nostr.Event) {
	delete(s.judging, ev.ID)
	s.placing -= repo.Size(ev)
}
