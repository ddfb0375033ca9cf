package core

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

// One repository may take a part of what is left, so that few of them do not take all, and always a few.
const (
	placeholdersShare = 4
	placeholdersSure  = 10
)

// room returns the ruling that keeps a push out whose refs below refs/nostr/ are too many to wait for their events.
func (s *Server) room(r *repository, commands []gitproto.Command) (policy.Ruling, bool) {
	if r.id.IsContribution() {
		return s.roomForContributions(r, commands)
	}
	more := 0
	for _, c := range commands {
		if _, ok := repo.PullRequestOf(c.Ref); ok && c.Old.IsZero() {
			more++
		}
	}
	left := s.cfg.PlaceholdersMax - s.placeholders.Len() + s.contributedRefs()
	share := min(PlaceholdersPerRepoMax, max(placeholdersSure, left/placeholdersShare))
	if more > 0 && (more > left || s.placeholders.LenIn(r.id)+more > share) {
		return rule("G01-PR-09", "rate-limited", "too many pull request refs wait for their events"), false
	}
	return policy.Ruling{}, true
}

// follow keeps the clocks of refs below refs/nostr/ in step with commands that were executed. A ref that moves keeps its
// clock; one without an event gets one (REF-PURG-08).
func (s *Server) follow(now instant.Instant, r *repository, moved []gitproto.Command, out *Effects) {
	for _, c := range moved {
		event, ok := repo.PullRequestOf(c.Ref)
		switch {
		case !ok:
		case c.New.IsZero() || s.owned(r, event, c.New):
			s.forgetPlaceholder(r, event, out)
		default:
			s.startClock(now, r, event, s.cfg.PlaceholderLife, out)
		}
	}
}

// adopt gives a clock to every ref below refs/nostr/ that has neither a clock nor an event, unless it is about to be removed.
// A pull request keeps its ref in a repository whose owner does not recognize the maintainer any more that it names (G01-PR-08).
func (s *Server) adopt(now instant.Instant, r *repository, out *Effects) {
	for _, ref := range r.refs {
		if event, ok := repo.PullRequestOf(ref.Name); ok && !s.meant(r, event, ref.OID) && !r.sweeps(event) {
			s.startClock(now, r, event, s.cfg.PlaceholderLife, out)
		}
	}
}

// sweeps reports whether the ref of an event is being removed, or will be.
func (r *repository) sweeps(event string) bool {
	return slices.Contains(r.expired, event) || r.task != nil && slices.Contains(r.task.gone, event)
}

// startClock starts a clock, unless it runs. In a repository that is kept without an announcement none does: all its refs stay, and get
// theirs when it is served again (G01-DEL-06).
func (s *Server) startClock(now instant.Instant, r *repository, event string, life time.Duration, out *Effects) {
	if s.placeholders.Get(event, r.id) != nil || s.retired.has(r.id) && !s.hosted(r.id) {
		return
	}
	h := &purgatory.Placeholder{Event: event, Repo: r.id, Arrived: now, Deadline: now.Add(life)}
	s.placeholders.Put(h)
	out.add(Record{Op: OpMark, Mark: placeholderMark(h)})
	out.add(Note{Fact: RefPlaced, Event: event, Repo: r.id})
}

func placeholderMark(h *purgatory.Placeholder) Mark {
	return Mark{Kind: MarkPlaceholder, Event: h.Event, Repo: h.Repo, At: h.Arrived, Until: h.Deadline}
}

// forgetPlaceholder ends a clock: the ref is gone, or its event has come.
func (s *Server) forgetPlaceholder(r *repository, event string, out *Effects) {
	if h := s.placeholders.Get(event, r.id); h != nil {
		s.placeholders.Drop(h)
		out.add(Record{Op: OpUnmark, Mark: placeholderMark(h)})
	}
}

// expirePlaceholders takes every clock that has run out, so that it counts for nothing any more, and orders its ref
// removed. The journal forgets it when the ref is gone (G01-PR-07, REF-PURG-08).
func (s *Server) expirePlaceholders(now instant.Instant, out *Effects) {
	for h := s.placeholders.Due(now); h != nil; h = s.placeholders.Due(now) {
		s.placeholders.Drop(h)
		r := s.repository(h.Repo)
		r.expired = append(r.expired, h.Event)
		if len(r.expired) > 1 {
			continue // the queued sweep takes it along
		}
		s.insist(now, r, &task{kind: taskSweep}, out)
	}
}

// sweepBegins removes the refs of a repository whose clocks have run out, unless they have got a new clock or an event.
func (s *Server) sweepBegins(now instant.Instant, r *repository, out *Effects) {
	t, events := r.task, r.expired
	r.expired = nil
	slices.Sort(events)
	for _, event := range slices.Compact(events) {
		if s.placeholders.Get(event, r.id) != nil {
			continue
		}
		t.gone = append(t.gone, event)
		ref := repo.PullRequestPrefix + event
		if oid := r.at(ref); !oid.IsZero() && !s.owned(r, event, oid) {
			t.commands = append(t.commands, gitproto.Command{Old: oid, New: repo.ZeroOID, Ref: ref})
		}
	}
	switch {
	case r.unknown:
		s.sweepEnds(now, r, false, out)
	case len(t.commands) == 0:
		s.sweepEnds(now, r, true, out)
	default:
		out.add(UpdateRefs{Request: s.wait(r, sweeping), Repo: r.id, Commands: t.commands})
	}
}

func (s *Server) swept(now instant.Instant, r *repository, in RepositoryDone, out *Effects) {
	if in.OK {
		out.add(Note{Fact: RefsExpired, Repo: r.id, Count: r.moved(r.task.commands)})
		s.departs(now, r, r.task.commands)
	} else {
		s.onDisk(now, r, in.Disk, out)
	}
	s.sweepEnds(now, r, in.OK, out)
}

// sweepEnds forgets the clocks of refs that are gone. The others get a short one: they are tried again.
func (s *Server) sweepEnds(now instant.Instant, r *repository, ok bool, out *Effects) {
	for _, event := range r.task.gone {
		if ok {
			out.add(Record{Op: OpUnmark, Mark: Mark{Kind: MarkPlaceholder, Event: event, Repo: r.id}})
		} else {
			s.startClock(now, r, event, OrderRetry, out)
		}
	}
	s.finish(now, r, out)
}

// forgetPlaceholders ends all clocks of a repository that was removed.
func (s *Server) forgetPlaceholders(r *repository, out *Effects) {
	for _, h := range s.placeholders.In(r.id) {
		s.forgetPlaceholder(r, h.Event, out)
	}
}
