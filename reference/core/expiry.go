package core

import (
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// expire ends what has run out, before anything else is decided.
func (s *Server) expire(now instant.Instant, out *Effects) {
	s.expireHeld(now, out)
	s.expirePlaceholders(now, out)
}

// expireHeld drops every entry whose deadline has come, for from its deadline on an entry is
// absent from every decision (G01-PURG-11, REF-PURG-06).
func (s *Server) expireHeld(now instant.Instant, out *Effects) {
	for {
		entry := s.held.Due(now)
		if entry == nil {
			return
		}
		s.drop(entry, EventExpired, out)
		if a := entry.Announcement; a != nil {
			s.withdraw(now, a.ID, entry.Vouched, out)
		}
	}
}

// withdraw follows an announcement out: its repository goes, and held states that nobody authorizes any more. A state
// of another owner's set stays (REF-PURG-22).
func (s *Server) withdraw(now instant.Instant, id repo.ID, vouched bool, out *Effects) {
	if r := s.repositories[id]; r != nil && !vouched {
		s.abandon(now, r, out)
	}
	states := s.held.States(id.Identifier)
	for i := 0; i < len(states); {
		entry := states[i]
		if s.judging[entry.Event.ID] != nil || len(policy.Authorizing(view{s}, entry.State.Author, id.Identifier)) > 0 {
			i++
			continue
		}
		s.drop(entry, EventExpired, out)
		states = s.held.States(id.Identifier)
	}
	s.settleAll(now, id.Identifier, out) // maintainer sets have changed
}
