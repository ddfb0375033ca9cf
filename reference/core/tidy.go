package core

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// A repository is tidied when it has got many packs, since each of them slows down a clone, and when something has gone that
// may have left objects. That is work for which nobody waits: it begins when nothing else goes on in the repository, one
// repository at a time, and ends early for whatever comes.

// Limits of tidying.
const (
	// TidyRest is how long after what it is for it begins, and is tried again, unless TidyInterval is shorter: who pushes looks at
	// what came of it, or goes on.
	TidyRest = 10 * time.Second
	// TidyShare bounds which part of the time a repository is tidied: anybody can cause it, and it takes the longer the larger
	// the repository is.
	TidyShare = 20
	// TidyRetryMax is how long a repository is left alone that could not be tidied, at most.
	TidyRetryMax = 24 * time.Hour
	// LeftMax is how many objects are known of one repository that refs have left of late.
	LeftMax = 256
	// KeepMax is how many objects one order may name. A repository of which more are wanted waits.
	KeepMax = 100_000
)

// A litter is what a repository has that somebody should tidy.
type litter struct {
	packs  int             // that have come
	left   []departed      // objects that refs have left within the grace, oldest first
	since  instant.Instant // when something went that nobody has looked for since; 0 if nothing
	latest instant.Instant // the last of these
	due    instant.Instant // its turn; 0 for none
	rests  instant.Instant // until when the repository is left alone
	tries  int             // that have failed, in a row
}

// A departed object is one that a ref pointed to.
type departed struct {
	oid repo.OID
	at  instant.Instant
}

// tidies is what the repositories have in common.
type tidies struct {
	due  []retry // sorted by time, then id; one entry at most for each repository
	open bool    // one is being tidied
}

// brought notes that a repository has got a pack.
func (s *Server) brought(now instant.Instant, r *repository) {
	if r.litter.packs++; r.litter.packs >= s.cfg.TidyPacks {
		s.untidy(now.Add(s.tidyRest()), r)
	}
}

// littered notes that objects of a repository may be needed no more in a while.
func (s *Server) littered(now instant.Instant, r *repository) {
	if r.litter.since == 0 {
		r.litter.since = now
	}
	r.litter.latest = now
	s.untidy(r.litter.since.Add(s.cfg.TidyGrace), r)
}

// departs notes which objects refs have left. They stay for a while: who has seen the refs may ask for them, or build on them.
func (s *Server) departs(now instant.Instant, r *repository, moved []gitproto.Command) {
	x := &r.litter
	x.left = slices.DeleteFunc(x.left, func(d departed) bool { return d.at.Add(s.cfg.TidyGrace) <= now })
	deleted := false
	for _, c := range moved {
		if !c.Old.IsZero() && c.Old != c.New {
			x.left = append(x.left, departed{c.Old, now})
			deleted = deleted || c.New.IsZero()
		}
	}
	x.left = slices.Delete(x.left, 0, max(0, len(x.left)-LeftMax))
	if deleted {
		s.littered(now, r)
	}
}

// untidy has a repository tidied from an instant on, if that is not to be sooner.
func (s *Server) untidy(at instant.Instant, r *repository) {
	at = max(at, r.litter.rests)
	if r.litter.due != 0 {
		if r.litter.due <= at {
			return
		}
		s.tidies.leave(r)
	}
	r.litter.due = at
	place, _ := s.tidies.place(r)
	s.tidies.due = slices.Insert(s.tidies.due, place, retry{at, r.id})
}

// leave takes a repository out of its turn.
func (x *tidies) leave(r *repository) {
	if at, found := x.place(r); found {
		x.due = slices.Delete(x.due, at, at+1)
	}
	r.litter.due = 0
}

// forget ends what is known of a repository that is gone.
func (x *tidies) forget(r *repository) {
	x.leave(r)
	r.litter = litter{}
}

// place returns where the turn of a repository is or belongs.
func (x *tidies) place(r *repository) (int, bool) {
	return slices.BinarySearchFunc(x.due, retry{r.litter.due, r.id}, func(a, b retry) int {
		return cmp.Or(cmp.Compare(a.at, b.at), a.id.Compare(b.id))
	})
}

func (s *Server) tidyRest() time.Duration { return min(TidyRest, s.cfg.TidyInterval) }

// tidyDeadline is when the next one is due.
func (s *Server) tidyDeadline() (instant.Instant, bool) {
	if s.tidies.open || s.closing || len(s.tidies.due) == 0 {
		return 0, false
	}
	return s.tidies.due[0].at, true
}

// tidyDue begins with the first repository whose time has come and in which nothing else goes on.
func (s *Server) tidyDue(now instant.Instant, out *Effects) {
	for {
		at, set := s.tidyDeadline()
		if !set || at > now {
			return
		}
		r := s.repositories[s.tidies.due[0].id]
		s.tidies.due = slices.Delete(s.tidies.due, 0, 1)
		if r != nil {
			r.litter.due = 0
		}
		switch {
		case r == nil || !r.there() || !s.hosted(r.id): // what is kept for later is left as it is
		case r.task != nil || r.pushes > 0 || r.unknown:
			s.untidy(now.Add(s.tidyRest()), r)
		default:
			s.enqueue(now, r, &task{kind: taskTidy}, out)
		}
	}
}

// tidyBegins orders it, with what is wanted of the repository beside its refs.
func (s *Server) tidyBegins(now instant.Instant, r *repository, out *Effects) {
	keep := s.wantedIn(now, r)
	if len(keep) > KeepMax {
		s.finish(now, r, out)
		s.untidy(now.Add(TidyRetryMax), r)
		return
	}
	s.tidies.open = true
	r.task.tidy = &tidy{began: now, packs: r.litter.packs}
	r.task.tidy.request = s.wait(r, tidying)
	out.add(TidyRepository{Request: r.task.tidy.request, Repo: r.id, Keep: keep})
}

// A tidy is one that is under way.
type tidy struct {
	request  RequestID
	began    instant.Instant
	packs    int // that the repository had got by then
	canceled bool
}

// wantedIn lists the objects of a repository that are to stay although no ref may reach them, sorted: what a held event
// waits for, here or in a sibling that would get it from here; what a stored one asks for whose turn may come again; and what
// refs have left within the grace. What of it is not there is nobody's loss.
func (s *Server) wantedIn(now instant.Instant, r *repository) []repo.OID {
	var keep []repo.OID
	state := func(state *repo.State) {
		for _, ref := range state.Refs {
			keep = append(keep, ref.OID)
		}
	}
	for _, entry := range s.held.States(r.id.Identifier) {
		state(entry.State)
	}
	for _, entry := range s.held.PullRequests(r.id.Identifier) {
		keep = append(keep, entry.PullRequest.Commit)
	}
	for _, key := range s.maintainers(r.id) {
		if kept := s.states[repo.ID{Owner: key, Identifier: r.id.Identifier}]; kept != nil {
			state(kept)
		}
	}
	for _, pr := range s.pulls.byIdentifier[r.id.Identifier] {
		keep = append(keep, pr.Commit)
	}
	for _, d := range r.litter.left {
		if now < d.at.Add(s.cfg.TidyGrace) {
			keep = append(keep, d.oid)
		}
	}
	slices.Sort(keep)
	return slices.Compact(keep)
}

// yieldTidy ends the tidying of a repository early: something else is to be done there.
func (s *Server) yieldTidy(r *repository, out *Effects) {
	if r.phase == tidying && !r.task.tidy.canceled {
		r.task.tidy.canceled = true
		out.add(CancelTidy{Request: r.task.tidy.request})
	}
}

// tidiesEnd ends what is under way: the server ends.
func (s *Server) tidiesEnd(out *Effects) {
	for _, id := range slices.Sorted(maps.Keys(s.open)) {
		if r := s.repositories[s.open[id].repo]; r != nil {
			s.yieldTidy(r, out)
		}
	}
}

// tidyEnds takes over what came of it. One that was told to end may have come to its end even so. What has failed is tried again,
// less and less often.
func (s *Server) tidyEnds(now instant.Instant, r *repository, in RepositoryDone, out *Effects) {
	x, t := &r.litter, r.task.tidy
	s.tidies.open = false
	pause := now.Sub(t.began) * TidyShare
	x.rests = now.Add(max(s.cfg.TidyInterval, pause))
	switch {
	case in.OK:
		out.add(Note{Fact: RepositoryTidied, Repo: r.id, Count: t.packs})
		x.packs, x.tries = x.packs-t.packs, 0
		if x.latest.Add(s.cfg.TidyGrace) <= t.began {
			x.since = 0
		} else if x.since != 0 {
			x.since = x.latest
		}
	case t.canceled:
		x.rests = now.Add(max(s.tidyRest(), pause))
		s.onDisk(now, r, in.Disk, out)
	default:
		x.tries++
		x.rests = now.Add(min(TidyRetryMax, max(pause, OrderRetry<<min(x.tries, retriesShift))))
		s.onDisk(now, r, in.Disk, out)
	}
	if x.packs >= s.cfg.TidyPacks {
		s.untidy(now, r)
	}
	if x.since != 0 {
		s.untidy(x.since.Add(s.cfg.TidyGrace), r)
	}
	s.finish(now, r, out)
}

// retriesShift is how often the time between two tries doubles.
const retriesShift = 11
