package core

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Manner is what a server may do one way or the other, as the text leaves it open. The zero value is the way of this
// server; the others are there so that judges can be tried on a server that does what others do.
type Manner struct {
	// These events are served at once instead of being held until git data arrives (AMB-04).
	AnnouncementsAtOnce, StatesAtOnce, PullRequestsAtOnce bool
	// Each ref of a push is judged alone, where this server asks for the whole repository to be as the state says (AMB-02).
	EachRefAlone bool
	// A state moves no branch and no tag by itself: only a push does.
	PushesOnly bool
	// A state that is accepted takes away the branches and tags that it does not declare, before its objects are there.
	Prunes bool
}

// pullRequestAtOnce moves a pull request that was just judged to the store, though its commit is not here.
func (s *Server) pullRequestAtOnce(now instant.Instant, j *judging, out *Effects) {
	s.held.Drop(j.entry)
	if text := s.save(j.event, out); text != "" {
		s.unreleased(j.entry, j.conns, text, out)
		return
	}
	pr := j.entry.PullRequest
	s.pulls.add(pr)
	s.reply(j.conns, j.event.ID, true, "", out)
	s.broadcast(j.event, out)
	byID := func(a, b *repository) int { return a.id.Compare(b.id) }
	for _, r := range slices.SortedFunc(maps.Values(s.repositories), byID) {
		if s.waits(r, pr) {
			s.look(now, r, nil, out)
		}
	}
}

// mannered changes what a look at a repository found as the manner has it.
func (s *Server) mannered(l *look, keys []repo.PubKey) {
	if s.cfg.Manner.PushesOnly {
		l.commands = slices.DeleteFunc(l.commands, func(c gitproto.Command) bool { return push.Declarable(c.Ref) })
		if l.repo.at(l.head).IsZero() {
			l.head = ""
		}
	}
	latest, _ := s.latest(keys, l.repo.id.Identifier)
	if !s.cfg.Manner.Prunes || len(l.commands) > 0 || latest == nil {
		return
	}
	for _, ref := range l.repo.refs {
		if _, declared := latest.Lookup(ref.Name); push.Declarable(ref.Name) && !declared && ref.Name != l.repo.head {
			l.commands = append(l.commands, gitproto.Command{Ref: ref.Name, Old: ref.OID, New: repo.ZeroOID})
		}
	}
}
