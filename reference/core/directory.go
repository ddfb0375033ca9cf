package core

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// OrderRetry is how long after a failed order what it was for is tried again.
const OrderRetry = time.Minute

// create makes the bare repository unless it is there. What follows is the matter of the task.
func (s *Server) create(now instant.Instant, r *repository, out *Effects) {
	switch {
	case r.there() && r.unknown:
		out.add(ReadRefs{Request: s.wait(r, reading), Repo: r.id})
	case r.there():
		s.made(now, r, true, out)
	default:
		out.add(CreateRepository{Request: s.wait(r, creating), Repo: r.id})
	}
}

func (s *Server) created(now instant.Instant, r *repository, in RepositoryDone, out *Effects) {
	if in.OK {
		r.debris, r.refs, r.head = false, nil, repo.HeadNew
		s.places.made(r.id)
		out.add(Note{Fact: RepositoryCreated, Repo: r.id})
	} else {
		r.phase, r.debris = absent, in.Disk == nil || in.Disk.There
		s.retry(now, r)
	}
	s.made(now, r, in.OK, out)
}

// made goes on with the task that needs the repository.
func (s *Server) made(now instant.Instant, r *repository, ok bool, out *Effects) {
	switch r.task.kind {
	case taskAnnounce:
		s.announceMade(now, r, ok, out)
	case taskRevive:
		s.reviveMade(now, r, ok, out)
	case taskHost, taskRemove:
		s.hostMade(now, r, out)
	case taskPush:
		s.placeMade(now, r, ok, out)
	default:
		panic("core: invariant: a repository was made that nobody needs")
	}
}

// host makes sure that a repository is there for an announcement that is served already. One that is being removed is
// made anew when it has gone.
func (s *Server) host(now instant.Instant, id repo.ID, out *Effects) {
	if r := s.repository(id); !r.there() {
		s.enqueue(now, r, &task{kind: taskHost}, out)
	}
}

// hostMade ends the making of the repository of a served announcement, unless that has gone meanwhile.
func (s *Server) hostMade(now instant.Instant, r *repository, out *Effects) {
	if r.there() && !s.hosted(r.id) {
		s.abandon(now, r, out) // withdrawn or deleted while it was made: nothing has ever been in it
	}
	s.look(now, r, nil, out)
	s.finish(now, r, out)
	s.lookAtChanged(now, r.id.Identifier, out)
}

// abandon removes the repository of an announcement that is gone, unless one is there again when its turn comes.
func (s *Server) abandon(now instant.Instant, r *repository, out *Effects) {
	s.insist(now, r, &task{kind: taskRemove}, out)
}

func (s *Server) removeBegins(now instant.Instant, r *repository, out *Effects) {
	if s.hosted(r.id) || s.retired.has(r.id) || !r.there() && !r.debris {
		s.finish(now, r, out)
		return
	}
	out.add(RemoveRepository{Request: s.wait(r, removing), Repo: r.id})
}

func (s *Server) removed(now instant.Instant, r *repository, in RepositoryDone, out *Effects) {
	if !in.OK {
		if r.debris {
			r.phase = absent
		} else {
			s.onDisk(now, r, in.Disk, out) // some of it may be gone
		}
		s.retry(now, r)
		s.finish(now, r, out)
		return
	}
	s.gone(r, out)
	if s.hosted(r.id) { // announced again meanwhile
		s.create(now, r, out)
		return
	}
	s.finish(now, r, out)
}

// gone takes over that a repository is not there any more.
func (s *Server) gone(r *repository, out *Effects) {
	r.phase, r.unknown, r.debris, r.data, r.refs, r.head = absent, false, false, false, nil, ""
	s.tidies.forget(r)
	s.siblings.lost(r.id)
	s.places.gone(r.id)
	if s.retired.has(r.id) { // it was kept for what it had
		s.unretire(r.id, out)
	}
	s.forgetPlaceholders(r, out)
	delete(s.hunting.lacks, r.id)
	out.add(Note{Fact: RepositoryRemoved, Repo: r.id})
}

// A retry is a repository for which an order has failed.
type retry struct {
	at instant.Instant
	id repo.ID
}

// retry looks after a repository again in a while. Time never goes back, so this is the last of them.
func (s *Server) retry(now instant.Instant, r *repository) {
	if !slices.ContainsFunc(s.retries, func(x retry) bool { return x.id == r.id }) {
		s.retries = append(s.retries, retry{now.Add(OrderRetry), r.id})
	}
}

// retryOrders looks after the repositories whose time has come: what is not needed is removed, what is not known is read,
// and what waits for refs is looked at.
func (s *Server) retryOrders(now instant.Instant, out *Effects) {
	for len(s.retries) > 0 && s.retries[0].at <= now {
		id := s.retries[0].id
		r := s.repositories[id]
		s.retries = slices.Delete(s.retries, 0, 1)
		switch {
		case r == nil: // nothing is there, and something has to be if it is served by now
			if s.hosted(id) {
				s.host(now, id, out)
			}
		case !s.hosted(r.id) && !s.retired.has(r.id):
			s.abandon(now, r, out)
		case r.unknown:
			s.insist(now, r, &task{kind: taskRead}, out)
		case !r.there():
			s.insist(now, r, &task{kind: taskHost}, out)
		default:
			s.look(now, r, nil, out)
		}
	}
}

// ruleUnknown refuses a push to a repository whose refs could not be read.
var ruleUnknown = policy.Ruling{
	Decision: policy.Refuse, Prefix: "error", Requirement: "G01-PUSH-28",
	Reason: "the repository cannot be read at present; try again later",
}

// onDisk takes over what the shell has found after something went wrong. Where even that was not possible nobody knows the
// refs: nothing is decided in the repository until they have been read.
func (s *Server) onDisk(now instant.Instant, r *repository, disk *OnDisk, out *Effects) {
	if r.unknown = disk == nil; r.unknown {
		s.retry(now, r)
		return
	}
	if !disk.There {
		s.gone(r, out)
		s.retry(now, r) // if it is needed it is made anew
		return
	}
	moved := r.take(disk.Refs)
	if len(moved) == 0 {
		return
	}
	out.add(Note{Fact: RefsMoved, Repo: r.id, Count: len(moved)})
	s.departs(now, r, moved)
	s.follow(now, r, moved, out)
}

// readBegins reads refs that are not known, unless they have been read since that was asked for.
func (s *Server) readBegins(now instant.Instant, r *repository, out *Effects) {
	if !r.unknown {
		s.finish(now, r, out)
		return
	}
	out.add(ReadRefs{Request: s.wait(r, reading), Repo: r.id})
}

func (s *Server) refsRead(now instant.Instant, r *repository, disk *OnDisk, out *Effects) {
	s.onDisk(now, r, disk, out)
	if !r.unknown && r.there() {
		s.look(now, r, nil, out)
	}
	switch {
	case r.task.kind == taskRead:
		s.finish(now, r, out)
	case r.unknown:
		s.made(now, r, false, out)
	default:
		s.create(now, r, out)
	}
}
