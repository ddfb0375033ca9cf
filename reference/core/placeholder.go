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

// SweepRetry is how long after a failed attempt the removal of a ref or a repository is tried again.
const SweepRetry = time.Minute

// room returns the ruling that keeps a push out whose refs below refs/nostr/ are too many to wait for their events.
func (s *Server) room(r *repository, commands []gitproto.Command) (policy.Ruling, bool) {
	more := 0
	for _, c := range commands {
		if _, ok := repo.PullRequestOf(c.Ref); ok && c.Old.IsZero() {
			more++
		}
	}
	if more > 0 && (s.placeholders.Len()+more > s.cfg.PlaceholdersMax || s.placeholders.LenIn(r.id)+more > PlaceholdersPerRepoMax) {
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
			s.place(now, r, event, s.cfg.PlaceholderLife, out)
		}
	}
}

// adopt gives a clock to every ref below refs/nostr/ that has neither a clock nor an event. A pull request keeps its ref
// in a repository whose owner does not recognize the maintainer any more that it names (G01-PR-08).
func (s *Server) adopt(now instant.Instant, r *repository, out *Effects) {
	for _, ref := range r.refs {
		if event, ok := repo.PullRequestOf(ref.Name); ok && !s.meant(r, event, ref.OID) {
			s.place(now, r, event, s.cfg.PlaceholderLife, out)
		}
	}
}

// place starts a clock, unless it runs.
func (s *Server) place(now instant.Instant, r *repository, event string, life time.Duration, out *Effects) {
	if s.placeholders.Get(event, r.id) != nil {
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
		// A removal must not be lost, so it does not count against the limit.
		r.queue = append(r.queue, job{start: func(now instant.Instant, out *Effects) { s.sweep(now, r, out) }})
		s.next(now, r, out)
	}
}

// sweep removes the refs of a repository whose clocks have run out, unless they have got a new clock or an event.
func (s *Server) sweep(now instant.Instant, r *repository, out *Effects) {
	events := r.expired
	r.expired = nil
	slices.Sort(events)
	var commands []gitproto.Command
	var gone []string
	for _, event := range slices.Compact(events) {
		if s.placeholders.Get(event, r.id) != nil {
			continue
		}
		gone = append(gone, event)
		ref := repo.PullRequestPrefix + event
		if oid := r.at(ref); !oid.IsZero() && !s.owned(r, event, oid) {
			commands = append(commands, gitproto.Command{Old: oid, New: repo.ZeroOID, Ref: ref})
		}
	}
	done := func(now instant.Instant, ok bool, out *Effects) {
		for _, event := range gone {
			if ok {
				out.add(Record{Op: OpUnmark, Mark: Mark{Kind: MarkPlaceholder, Event: event, Repo: r.id}})
			} else {
				s.place(now, r, event, SweepRetry, out)
			}
		}
		s.release(now, r, out)
	}
	if len(commands) == 0 {
		done(now, true, out)
		return
	}
	request := s.ask(func(now instant.Instant, a answer, out *Effects) {
		if a.ok {
			out.add(Note{Fact: RefsExpired, Repo: r.id, Count: r.moved(commands)})
		} else {
			out.add(Note{Fact: RepositoryBroken, Repo: r.id, Reason: "remove refs"})
		}
		done(now, a.ok, out)
	})
	out.add(UpdateRefs{Request: request, Repo: r.id, Commands: commands})
}

// forgetPlaceholders ends all clocks of a repository that was removed.
func (s *Server) forgetPlaceholders(r *repository, out *Effects) {
	for _, h := range s.placeholders.In(r.id) {
		s.forgetPlaceholder(r, h.Event, out)
	}
}
