package core

import (
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/purgatory"
)

// soften begins the second phase of a held announcement whose first life is over: it loses its repository, stays
// unserved and still counts for authority (REF-PURG-01). The new deadline counts from the old one, so that time during
// which nothing ran is no gain (REF-PURG-12).
func (s *Server) soften(now instant.Instant, entry *purgatory.Entry, out *Effects) {
	entry.Soft = true
	s.held.SetDeadline(entry, entry.Deadline.Add(s.cfg.SoftLife))
	id := entry.Announcement.ID
	s.announce(announced{Announcement: *entry.Announcement, soft: true})
	s.recordHeld(entry, out)
	out.add(note(EventSoftened, entry.Event))
	if r := s.repositories[id]; r != nil {
		s.abandon(now, r, out)
	}
}

// revive queues the repository of a soft announcement to be made anew, for a state that it authorizes; j waits for it.
// The first phase begins again when the repository is there, and ends exactly a life after the state came
// (REF-PURG-03). It returns false if too much waits for the repository.
func (s *Server) revive(now instant.Instant, r *repository, j *judging, out *Effects) bool {
	deadline := now.Add(s.cfg.PurgatoryLife)
	soft := func() *purgatory.Entry {
		if entry := s.held.Announcement(r.id); entry != nil && entry.Soft {
			return entry
		}
		return nil
	}
	return s.enqueue(now, r, job{start: func(now instant.Instant, out *Effects) {
		if soft() == nil || s.closing {
			s.judged(now, j, out)
			s.release(now, r, out)
			return
		}
		s.create(now, r, func(now instant.Instant, ok bool, out *Effects) {
			if entry := soft(); entry == nil {
				s.abandon(now, r, out) // unless another announcement stands for it
			} else if ok {
				if s.cfg.Planted == "revival-for-the-day" { // defect: revival-for-the-day
					deadline = entry.Deadline
				}
				s.wake(entry, deadline, out)
			}
			s.judged(now, j, out)
			s.release(now, r, out)
		}, out)
	}}, out)
}

func (s *Server) wake(entry *purgatory.Entry, deadline instant.Instant, out *Effects) {
	entry.Soft = false
	s.held.SetDeadline(entry, deadline)
	s.announce(announced{Announcement: *entry.Announcement})
	s.recordHeld(entry, out)
	out.add(note(EventRevived, entry.Event))
}
