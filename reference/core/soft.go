package core

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

// soften begins the second phase of a held announcement whose first life is over: it loses its repository behind this, stays
// unserved and still counts for authority (REF-PURG-01). The new deadline counts from the old one, so that time during
// which nothing ran is no gain (REF-PURG-12).
func (s *Server) soften(entry *purgatory.Entry, out *Effects) {
	s.held.SetSoft(entry, true)
	s.held.SetDeadline(entry, entry.Deadline.Add(s.cfg.SoftLife))
	s.announce(announced{Announcement: *entry.Announcement, soft: true})
	s.recordHeld(entry, out)
	out.add(note(EventSoftened, entry.Event))
}

// limitSoft bounds the second phase, which lasts long and is nobody's merit: the announcements that have been in it for the
// longest time go first. It keeps nobody else out.
func (s *Server) limitSoft(now instant.Instant, out *Effects) {
	for s.held.Soft().Entries > s.cfg.HeldMax || s.held.Soft().Bytes > s.cfg.HeldBytesMax {
		entry := s.held.FirstSoft()
		if entry == nil {
			return // what is left is pinned
		}
		s.runOut(now, entry, out)
		s.withdraw(now, entry.Announcement.ID, entry.Vouched, out)
	}
}

// revive queues the repository of a soft announcement to be made anew, for a state that it authorizes; j waits for it.
// The first phase begins again when the repository is there, and ends exactly a life after the state came
// (REF-PURG-03). It returns false if too much waits for the repository.
func (s *Server) revive(now instant.Instant, r *repository, j *judging, out *Effects) bool {
	return s.enqueue(now, r, &task{kind: taskRevive, waits: []*judging{j}, deadline: j.entry.Arrived.Add(s.cfg.PurgatoryLife)}, out)
}

// reviveLate has a state wait for the announcements whose second phase began while its data was looked for, or that have come to
// authorize it meanwhile: who is revived, as who is extended, is decided with the answer. It returns false if there is none, or
// nothing is left of their first phase.
func (s *Server) reviveLate(now instant.Instant, j *judging, out *Effects) bool {
	if s.overtaken(j.entry.State) {
		return false
	}
	j.left++ // any of them may end at once
	for _, r := range s.unrevived(now, j) {
		switch {
		case r.pushes > 0:
			s.revive(now, r, j.apart(), out)
		default:
			j.left++
			if !s.revive(now, r, j, out) {
				j.left--
			}
		}
	}
	j.left--
	return j.left > 0
}

// reviveBehind is reviveLate for a state that is served with its answer: that waits for nobody.
func (s *Server) reviveBehind(now instant.Instant, j *judging, out *Effects) {
	for _, r := range s.unrevived(now, j) {
		s.revive(now, r, j.apart(), out)
	}
}

// unrevived lists, once for each state, the repositories of the announcements in their second phase that authorize it and are not
// revived for it yet: none if nothing is left of their first phase.
func (s *Server) unrevived(now instant.Instant, j *judging) []*repository {
	if j.entry.Arrived.Add(s.cfg.PurgatoryLife) <= now {
		return nil
	}
	var list []*repository
	for _, owner := range policy.Authorizing(view{s}, j.entry.State.Author, j.entry.State.Identifier) {
		id := repo.ID{Owner: owner, Identifier: j.entry.State.Identifier}
		if s.announced[id].soft && !slices.Contains(j.tried, id) {
			j.tried = append(j.tried, id)
			list = append(list, s.repository(id))
		}
	}
	return list
}

// soft returns the held announcement of a repository if it is in its second phase, else nil.
func (s *Server) soft(r *repository) *purgatory.Entry {
	if entry := s.held.Announcement(r.id); entry != nil && entry.Soft {
		return entry
	}
	return nil
}

// vouched reports whether a state for which an announcement is to be revived has not been refused or deleted meanwhile, and is
// authorized by it still: one whose answer is OK false leaves nothing behind (INV-03). A push may have taken all of the new first
// phase.
func (s *Server) vouched(now instant.Instant, r *repository) bool {
	return r.task.deadline > now && slices.ContainsFunc(r.task.waits, func(j *judging) bool {
		there := !j.done || s.held.Get(j.event.ID) != nil || s.store.Get(j.event.ID) != nil
		return there && slices.Contains(s.maintainers(r.id), j.entry.State.Author)
	})
}

func (s *Server) reviveBegins(now instant.Instant, r *repository, out *Effects) {
	if s.soft(r) == nil || s.closing || !s.vouched(now, r) {
		s.reviveEnds(now, r, out)
		return
	}
	s.create(now, r, out)
}

func (s *Server) reviveMade(now instant.Instant, r *repository, ok bool, out *Effects) {
	deadline := r.task.deadline
	if entry := s.soft(r); entry == nil || !s.vouched(now, r) {
		s.abandon(now, r, out) // unless another announcement stands for it
	} else if ok {
		s.wake(entry, deadline, out)
	}
	s.reviveEnds(now, r, out)
}

func (s *Server) reviveEnds(now instant.Instant, r *repository, out *Effects) {
	for _, j := range r.task.waits {
		// What the state and others wait for may be here, in one that was kept from an earlier announcement (G01-PURG-09), or
		// with a sibling (G01-PURG-22).
		if !s.hosted(r.id) || !s.look(now, r, j, out) {
			s.judged(now, j, out)
		}
	}
	s.finish(now, r, out)
}

func (s *Server) wake(entry *purgatory.Entry, deadline instant.Instant, out *Effects) {
	s.held.SetSoft(entry, false)
	s.held.SetDeadline(entry, deadline)
	s.announce(announced{Announcement: *entry.Announcement})
	s.recordHeld(entry, out)
	out.add(note(EventRevived, entry.Event))
}
