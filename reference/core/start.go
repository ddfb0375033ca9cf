package core

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

// start takes over what survived. What is stored and held comes back as it was; entries whose time ran out meanwhile
// expire; repositories without an announcement are removed; and every other one is looked at, so that a crash between
// moved refs and released events heals (REF-PURG-16).
func (s *Server) start(now instant.Instant, in Started, out *Effects) {
	s.started = true
	in = standStill(now, in, out)
	for _, ev := range in.Stored {
		s.store.Restore(ev) // whatever the limit is now: it was acknowledged
	}
	stored := s.store.Sorted()
	there := found(in)
	for _, ev := range stored {
		switch ev.Kind {
		case policy.KindAnnouncement:
			if a, reason := repo.ParseAnnouncement(ev); reason == "" {
				s.announce(announced{Announcement: a, stored: true, vouched: s.elsewhere(a, there)})
			}
		case policy.KindState:
			if state, reason := repo.ParseState(ev); reason == "" {
				s.states[repo.ID{Owner: state.Author, Identifier: state.Identifier}] = &state
			}
		case policy.KindDeletion:
			s.tombstones.add(ev, policy.ParseDeletion(ev))
		case policy.KindPullRequest, policy.KindPullRequestUpdate:
			if pr, reason := s.parsePullRequest(ev); reason == "" {
				s.pulls.add(&pr)
			}
		}
	}
	s.startPictures(now, in.Repositories)
	for _, h := range in.Held {
		if !s.restore(h, there) {
			out.add(Record{Op: OpDrop, ID: h.Event.ID})
		}
	}
	s.hunting.survived(in.Held)
	s.expired.restore(in.Marks)
	for _, m := range in.Marks {
		if !s.recall(now, m) {
			out.add(Record{Op: OpUnmark, Mark: m})
		}
	}
	s.vanishAfterStart(now, stored)
	s.expire(now, out)
	s.startRepositories(now, in, out)
	s.replicateStarts(now, in.Marks)
}

// startPictures takes over the repositories as they were found. Which objects they have nobody knows until they are asked: one
// without refs may have what a deletion has left, or what a hunt has brought. Those with refs are asked first.
func (s *Server) startPictures(now instant.Instant, found []RepositoryRefs) {
	for _, r := range found {
		known := &repository{id: r.ID, phase: idle, unknown: r.Unknown, refs: slices.Clone(r.Refs.Refs), head: r.Refs.Head, data: true}
		s.repositories[r.ID] = known
		s.places.made(r.ID)
		if known.unknown {
			s.retry(now, known)
		}
		if len(known.refs) == 0 {
			s.siblings.gained(r.ID)
		}
	}
	for _, r := range found {
		if known := s.repositories[r.ID]; len(known.refs) > 0 {
			// How it looks inside nobody knows: the first push will tell. What refs have left is not known either.
			known.litter = litter{packs: s.cfg.TidyPacks - 1, rests: now.Add(s.cfg.TidyGrace)}
			s.siblings.gained(r.ID)
		}
	}
}

// restore takes one held event back, unless something newer of its address is there.
func (s *Server) restore(h HeldEvent, there map[repo.ID]bool) bool {
	entry := &purgatory.Entry{Event: h.Event, Arrived: h.Arrived, Deadline: h.Deadline, Soft: h.Soft}
	if s.store.Get(h.Event.ID) != nil || s.held.Get(h.Event.ID) != nil {
		return false
	}
	switch h.Event.Kind {
	case policy.KindAnnouncement:
		a, reason := repo.ParseAnnouncement(h.Event)
		if _, known := s.announced[a.ID]; reason != "" || known {
			return false
		}
		entry.Announcement, entry.Vouched = &a, !entry.Soft && s.elsewhere(a, there) // only what was hosted has a second phase
		s.announce(announced{Announcement: a, vouched: entry.Vouched, soft: entry.Soft})
	case policy.KindState:
		state, reason := repo.ParseState(h.Event)
		if reason != "" {
			return false
		}
		entry.State = &state
	case policy.KindPullRequest, policy.KindPullRequestUpdate:
		pr, reason := s.parsePullRequest(h.Event)
		if reason != "" {
			return false
		}
		entry.PullRequest = &pr
	default:
		return false
	}
	s.await(entry)
	return true
}

// recall takes one mark back, and reports whether it still means anything.
func (s *Server) recall(now instant.Instant, m Mark) bool {
	switch m.Kind {
	case MarkPlaceholder:
		r := s.repositories[m.Repo]
		if r == nil {
			return false
		}
		oid := r.at(repo.PullRequestPrefix + m.Event)
		if oid.IsZero() || s.owned(r, m.Event, oid) || s.placeholders.Get(m.Event, m.Repo) != nil {
			return false
		}
		s.placeholders.Put(&purgatory.Placeholder{Event: m.Event, Repo: m.Repo, Arrived: m.At, Deadline: m.Until})
		return true
	case MarkRetired:
		if a := s.announced[m.Repo]; s.repositories[m.Repo] == nil || a.stored && !a.vouched {
			return false
		}
		s.retired.add(m.Repo, m.At) // as many as there were: who lowers the limit loses nothing by a start
		return true
	case MarkExpired:
		return true // restored with all others
	case MarkDeletedState:
		s.deletedVersions[slot{policy.KindState, m.Repo}] = &nostr.Event{ID: m.Event, CreatedAt: nostr.Timestamp(m.Created)}
		return true
	case MarkDeletedAnnouncement:
		s.deletedVersions[slot{policy.KindAnnouncement, m.Repo}] = &nostr.Event{ID: m.Event, CreatedAt: nostr.Timestamp(m.Created)}
		return true
	case MarkAsked:
		return s.hunting.recall(now, m)
	case MarkRefusedAnnouncement, MarkRefusedState, MarkJudgedBy:
		return false // replication takes them over at the end of the start, and they are true no more
	default:
		return s.tombstones.recall(m)
	}
}

// startRepositories removes repositories without an announcement, makes those that an announcement lacks, and looks at them
// all, for of all announcements the maintainer sets are new. Where an announcement may have been among what could not be
// read, the repository is kept as one whose announcement is gone.
func (s *Server) startRepositories(now instant.Instant, in Started, out *Effects) {
	for _, r := range in.Repositories {
		known := s.repositories[r.ID]
		switch {
		case known == nil:
		case s.retired.has(r.ID):
		case s.hosted(r.ID):
			s.adopt(now, known, out)
		case in.Incomplete && !r.ID.IsContribution():
			s.keepRetired(now, r.ID, out) // as many as there are
		case s.unscoped(known):
			s.keepRetired(now, r.ID, out)
		default:
			s.abandon(now, known, out)
		}
	}
	for _, identifier := range sortedOwners(s.owners) {
		for _, owner := range slices.Clone(s.owners[identifier]) {
			if id := (repo.ID{Owner: owner, Identifier: identifier}); s.hosted(id) {
				s.host(now, id, out)
			}
		}
		s.lookAtChanged(now, identifier, out)
	}
	for _, r := range in.Repositories {
		if known := s.repositories[r.ID]; r.ID.IsContribution() && known != nil && s.hosted(r.ID) {
			s.look(now, known, nil, out)
		}
	}
}

// MarkRan says that the server ran at At. It is made by an orderly end and taken back by the next start: deadlines are
// instants, so it is needed only to see that a clock went backwards in between (REF-PURG-12).
const MarkRan MarkKind = 9

// standStill makes a clock that went backwards while nothing ran count as no downtime: every life goes on where it stood,
// neither longer nor shorter, and what has happened is as long ago as it was (REF-PURG-12). After a crash the last
// instant known is the one of the last event that came, so that lives may be longer by what had passed since then.
func standStill(now instant.Instant, in Started, out *Effects) Started {
	ran := lastRan(in)
	if ran <= now {
		return in
	}
	back := now.Sub(ran)
	in.Held, in.Marks = slices.Clone(in.Held), slices.Clone(in.Marks)
	for i := range in.Held {
		h := &in.Held[i]
		h.Arrived, h.Deadline = h.Arrived.Add(back), h.Deadline.Add(back)
		out.add(Record{Op: OpHold, ID: h.Event.ID, Event: h.Event, Arrived: h.Arrived, Deadline: h.Deadline, Soft: h.Soft})
	}
	for i := range in.Marks {
		m := &in.Marks[i]
		if m.Kind == MarkRan {
			continue // taken back anyway
		}
		if m.At != 0 {
			m.At = m.At.Add(back)
		}
		if m.Until != 0 {
			m.Until = m.Until.Add(back)
		}
		out.add(Record{Op: OpMark, Mark: *m})
	}
	return in
}

// lastRan is the latest instant at which the server is known to have run.
func lastRan(in Started) instant.Instant {
	var ran instant.Instant
	for _, h := range in.Held {
		ran = max(ran, h.Arrived)
	}
	for _, m := range in.Marks {
		ran = max(ran, m.At)
	}
	return ran
}
