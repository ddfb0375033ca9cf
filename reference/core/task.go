package core

import (
	"slices"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// A phase is what a repository waits for.
type phase uint8

// The phases. Only the first two wait for nothing.
const (
	absent    phase = iota // there is no directory
	idle                   // there is one
	creating               // the answer to CreateRepository
	asking                 // what it lacks itself of what a look asks for
	seeking                // what the repositories lack that may help out
	copying                // the answer to CopyObjects
	swapping               // the answer to UpdateRefs, at the end of a look
	sweeping               // the answer to UpdateRefs, for refs whose clocks have run out
	receiving              // the end of an admitted push
	removing               // the answer to RemoveRepository
	reading                // the answer to ReadRefs
	tidying                // the answer to TidyRepository
)

// A taskKind says what a task is for.
type taskKind uint8

const (
	taskAnnounce taskKind = iota + 1 // make the repository, then hold the announcement
	taskHost                         // make the repository of an announcement that is accepted already
	taskRevive                       // make the repository of a soft announcement anew
	taskLook                         // look for what the git data releases
	taskPush                         // a push, and the look that follows it
	taskSweep                        // remove refs whose clocks have run out
	taskRemove                       // remove the repository, unless somebody needs it
	taskRead                         // read the refs again
	taskTidy                         // pack objects together and remove those that nobody needs
)

// A task is work on one repository, as data. Those of one repository run one after the other.
type task struct {
	kind         taskKind
	announcement repo.Announcement  // taskAnnounce
	waits        []*judging         // taskAnnounce, taskRevive, taskLook: events whose answer waits for the end of it
	deadline     instant.Instant    // taskRevive: where the first phase ends
	push         *pushing           // taskPush
	look         look               // taskLook, taskPush: once it has begun, and has a repository then
	gone         []string           // taskSweep: events whose refs are to be gone in the end
	commands     []gitproto.Command // taskSweep: what it takes
	tidy         *tidy              // taskTidy: once it has begun
}

// A request is a question or an order that the shell has not answered. What the answer means says the phase of the
// repository that has given it.
type request struct {
	repo   repo.ID
	source int // seeking: which of the sources was asked
}

var ruleBusy = policy.Ruling{
	Decision: policy.Refuse, Prefix: "rate-limited", Requirement: "G01-PUSH-25",
	Reason: "too much waits for this repository; try again",
}

// enqueue runs a task now, or when those before it have ended. It returns false if too many wait.
func (s *Server) enqueue(now instant.Instant, r *repository, t *task, out *Effects) bool {
	if len(r.queue) >= JobsMax {
		return false
	}
	s.insist(now, r, t, out)
	return true
}

// insist is enqueue for what must not be lost, of which there is one for each repository and kind.
func (s *Server) insist(now instant.Instant, r *repository, t *task, out *Effects) {
	s.yieldTidy(r, out)
	r.queue = append(r.queue, t)
	s.next(now, r, out)
}

// next begins queued tasks until one waits for the shell.
func (s *Server) next(now instant.Instant, r *repository, out *Effects) {
	for r.task == nil && len(r.queue) > 0 {
		r.task = r.queue[0]
		r.queue = slices.Delete(r.queue, 0, 1)
		s.begin(now, r, out)
	}
	if r.task == nil && r.phase == absent && !r.debris && s.repositories[r.id] == r {
		delete(s.repositories, r.id)
	}
}

// finish ends the task under way and begins the next one.
func (s *Server) finish(now instant.Instant, r *repository, out *Effects) {
	if r.task == nil || r.phase > idle {
		panic("core: invariant: a task ended that was not under way")
	}
	r.task = nil
	s.hunting.touch(r.id.Identifier)
	s.vacate(now, r, out)
	s.next(now, r, out)
}

// begin is the table of what each task does first.
func (s *Server) begin(now instant.Instant, r *repository, out *Effects) {
	switch r.task.kind {
	case taskAnnounce:
		s.announceBegins(now, r, out)
	case taskHost:
		s.create(now, r, out)
	case taskRevive:
		s.reviveBegins(now, r, out)
	case taskLook:
		s.lookBegins(now, r, look{repo: r, waits: r.task.waits}, out)
	case taskPush:
		s.pushBegins(now, r, out)
	case taskSweep:
		s.sweepBegins(now, r, out)
	case taskRemove:
		s.removeBegins(now, r, out)
	case taskRead:
		s.readBegins(now, r, out)
	case taskTidy:
		s.tidyBegins(now, r, out)
	default:
		panic("core: invariant: unknown task")
	}
}

// wait has a repository wait for an answer, and names the request.
func (s *Server) wait(r *repository, p phase) RequestID { return s.waitFor(r, p, 0) }

// waitFor is wait for one of several answers.
func (s *Server) waitFor(r *repository, p phase, source int) RequestID {
	r.phase = p
	s.requests++
	s.open[s.requests] = request{repo: r.id, source: source}
	return s.requests
}

// takeRequest returns the request that is answered and the repository that waits for it.
func (s *Server) takeRequest(id RequestID) (request, *repository) {
	q, open := s.open[id]
	if !open {
		panic("core: invariant: a request was answered that is not open")
	}
	delete(s.open, id)
	return q, s.repositories[q.repo]
}

// objectFacts is the table of what follows from an answer about objects.
func (s *Server) objectFacts(now instant.Instant, in ObjectFacts, out *Effects) {
	q, r := s.takeRequest(in.Request)
	missing := in.Missing
	if !slices.IsSorted(missing) {
		missing = slices.Sorted(slices.Values(missing))
	}
	switch r.phase {
	case asking:
		r.phase = idle
		s.lookAsked(now, r, missing, out)
	case seeking: // until the last of them has answered
		s.lookSought(now, r, q.source, missing, out)
	case copying:
		r.phase = idle
		s.lookCopied(now, r, missing, out)
	default:
		panic("core: invariant: an answer about objects that nobody waits for")
	}
}

// repositoryDone is the table of what follows from the answer to an order. After one that failed the picture is what the
// shell has found on the disk.
func (s *Server) repositoryDone(now instant.Instant, in RepositoryDone, out *Effects) {
	_, r := s.takeRequest(in.Request)
	was := r.phase
	r.phase = idle
	if !in.OK && (was != tidying || !r.task.tidy.canceled) {
		out.add(Note{Fact: RepositoryBroken, Repo: r.id, Reason: orderNames[was]})
	}
	switch was {
	case creating:
		s.created(now, r, in, out)
	case swapping:
		s.lookSwapped(now, r, in, out)
	case sweeping:
		s.swept(now, r, in, out)
	case removing:
		s.removed(now, r, in, out)
	case reading:
		s.refsRead(now, r, in.Disk, out)
	case tidying:
		s.tidyEnds(now, r, in, out)
	default:
		panic("core: invariant: an order was answered that was not given")
	}
}

// orderNames says what was ordered, in notes.
var orderNames = map[phase]string{
	creating: "create", swapping: "update refs", sweeping: "remove refs", removing: "remove", reading: "read refs",
	tidying: "tidy",
}
