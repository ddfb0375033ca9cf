package core

import (
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

// judge holds an entry that is not answered yet and looks at the repositories that may have its data.
func (s *Server) judge(now instant.Instant, conns []ConnID, entry *purgatory.Entry, where []repo.ID, out *Effects) {
	s.held.Hold(entry)
	s.held.Pin(entry) // until it is answered
	j := &judging{event: entry.Event, conns: conns, entry: entry, left: 1}
	s.judging[entry.Event.ID] = j
	for _, id := range where {
		r := s.repository(id)
		if r.pushes > 0 {
			continue // the push ends with a look at all that is held; no answer waits for its upload
		}
		look := s.settle
		if s.announced[id].soft {
			look = s.revive
		}
		j.left++ // it may end at once
		if !look(now, r, j, out) {
			j.left--
		}
	}
	s.judged(now, j, out)
}

// judged notes that one more repository has been looked at. After the last one an event that is still held is answered
// as such.
func (s *Server) judged(now instant.Instant, j *judging, out *Effects) {
	j.left--
	if j.left > 0 || j.done {
		return
	}
	state := j.entry.State
	if state != nil && s.cfg.Manner.StatesAtOnce && !s.overtaken(state) {
		s.releaseState(now, j.entry, out)
		return
	}
	s.conclude(j)
	if state != nil && s.overtaken(state) {
		s.held.Drop(j.entry)
		s.refuseEvent(j.conns, j.event, rule("G01-PURG-18", "", textNewerStored), out)
		return
	}
	if j.entry.PullRequest != nil && s.cfg.Manner.PullRequestsAtOnce {
		s.pullRequestAtOnce(now, j, out)
		return
	}
	s.recordHeld(j.entry, out)
	out.add(note(EventHeld, j.event))
	if state != nil {
		s.extendVouchers(now, state, out)
	}
	s.reply(j.conns, j.event.ID, true, textHeld, out)
}

// concludeEntry ends the judging of an entry, if it is under way, and returns who waits for the answer.
func (s *Server) concludeEntry(entry *purgatory.Entry) []ConnID {
	j := s.judging[entry.Event.ID]
	if j == nil {
		return nil
	}
	s.conclude(j)
	return j.conns
}

// conclude ends the judging of an event; its answer follows.
func (s *Server) conclude(j *judging) {
	j.done = true
	delete(s.judging, j.event.ID)
	s.held.Unpin(j.entry)
}
