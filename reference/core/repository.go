package core

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// A repository is the core's picture of one bare repository: the core is the only writer of refs, so the picture is
// exact. Jobs for one repository run one after the other.
type repository struct {
	id      repo.ID
	created bool
	leaving bool       // its removal is ordered and not answered: it is no more than one that is not there
	refs    []repo.Ref // sorted by name
	head    string
	data    bool // it has had refs, so there are objects
	busy    bool
	queue   []job
	pushes  int      // running and queued
	settle  *job     // the queued job that looks for releases, so that a second request joins it
	expired []string // events whose refs the queued sweep removes
}

// A job is work on one repository. start runs when the repository is free; the job ends with release.
type job struct {
	start func(now instant.Instant, out *Effects)
	waits []*judging // state events whose answer waits for this job
}

var ruleBusy = policy.Ruling{
	Decision: policy.Refuse, Prefix: "rate-limited", Requirement: "G01-PUSH-25",
	Reason: "too much waits for this repository; try again",
}

func (s *Server) repository(id repo.ID) *repository {
	r := s.repositories[id]
	if r == nil {
		r = &repository{id: id}
		s.repositories[id] = r
	}
	return r
}

// enqueue runs a job now, or when the jobs before it have ended. It returns false if too many wait.
func (s *Server) enqueue(now instant.Instant, r *repository, j job, out *Effects) bool {
	if len(r.queue) >= JobsMax {
		return false
	}
	r.queue = append(r.queue, j)
	s.next(now, r, out)
	return true
}

// next starts queued jobs until one stays open.
func (s *Server) next(now instant.Instant, r *repository, out *Effects) {
	for !r.busy && len(r.queue) > 0 {
		j := r.queue[0]
		r.queue = slices.Delete(r.queue, 0, 1)
		r.busy = true
		j.start(now, out)
	}
	if !r.busy && !r.created && s.repositories[r.id] == r {
		delete(s.repositories, r.id)
	}
}

// release ends the running job and starts the next.
func (s *Server) release(now instant.Instant, r *repository, out *Effects) {
	if !r.busy {
		panic("core: invariant: repository released twice")
	}
	r.busy = false
	s.next(now, r, out)
}

// create makes the bare repository unless it is there, then calls then. The repository stays busy.
func (s *Server) create(now instant.Instant, r *repository, then func(instant.Instant, bool, *Effects), out *Effects) {
	if r.created {
		then(now, true, out)
		return
	}
	request := s.ask(func(now instant.Instant, a answer, out *Effects) {
		if a.ok {
			r.created, r.refs, r.head = true, nil, mainBranch
			out.add(Note{Fact: RepositoryCreated, Repo: r.id})
		} else {
			out.add(Note{Fact: RepositoryBroken, Repo: r.id, Reason: "create"})
		}
		then(now, a.ok, out)
	})
	out.add(CreateRepository{Request: request, Repo: r.id})
}

// host makes sure that a repository is there for an announcement that is served already. One that is being removed is
// made anew when it has gone.
func (s *Server) host(now instant.Instant, id repo.ID, out *Effects) {
	r := s.repository(id)
	if r.created {
		return
	}
	s.enqueue(now, r, job{start: func(now instant.Instant, out *Effects) { s.furnish(now, r, out) }}, out)
}

// furnish makes the repository of a served announcement, unless that has gone meanwhile, and ends the job.
func (s *Server) furnish(now instant.Instant, r *repository, out *Effects) {
	s.create(now, r, func(now instant.Instant, _ bool, out *Effects) {
		if r.created && !s.hosted(r.id) {
			s.abandon(now, r, out) // withdrawn or deleted while it was made: nothing has ever been in it
		}
		s.release(now, r, out)
		s.settleAll(now, r.id.Identifier, out)
	}, out)
}

// abandon removes the repository of an announcement that is gone, unless one is there again when its turn comes.
func (s *Server) abandon(now instant.Instant, r *repository, out *Effects) {
	remove := func(now instant.Instant, out *Effects) {
		if s.hosted(r.id) || s.retired.has(r.id) || !r.created {
			s.release(now, r, out)
			return
		}
		r.leaving = true
		request := s.ask(func(now instant.Instant, a answer, out *Effects) {
			r.leaving = false
			if a.ok {
				r.created, r.data, r.refs, r.head = false, false, nil, ""
				s.siblings.lost(r.id)
				s.forgetPlaceholders(r, out)
				out.add(Note{Fact: RepositoryRemoved, Repo: r.id})
				if s.hosted(r.id) { // announced again meanwhile
					s.furnish(now, r, out)
					return
				}
			} else {
				out.add(Note{Fact: RepositoryBroken, Repo: r.id, Reason: "remove"})
				s.retries = append(s.retries, retry{now.Add(SweepRetry), r.id}) // time never goes back, so this is the last
			}
			s.release(now, r, out)
		})
		out.add(RemoveRepository{Request: request, Repo: r.id})
	}
	// A removal must not be lost, so it does not count against the limit.
	r.queue = append(r.queue, job{start: remove})
	s.next(now, r, out)
}

// A retry is a removal that is tried again.
type retry struct {
	at instant.Instant
	id repo.ID
}

func (s *Server) retryRemovals(now instant.Instant, out *Effects) {
	for len(s.retries) > 0 && s.retries[0].at <= now {
		id := s.retries[0].id
		s.retries = slices.Delete(s.retries, 0, 1)
		if r := s.repositories[id]; r != nil {
			s.abandon(now, r, out)
		}
	}
}

// moved brings the picture up to date with refs that have moved, and returns how many did.
func (r *repository) moved(commands []gitproto.Command) int {
	n := 0
	for _, c := range commands {
		if c.Old == c.New {
			continue
		}
		n++
		r.data = r.data || !c.New.IsZero()
		at, found := slices.BinarySearchFunc(r.refs, c.Ref, func(x repo.Ref, name string) int {
			return strings.Compare(x.Name, name)
		})
		switch {
		case c.New.IsZero() && found:
			r.refs = slices.Delete(r.refs, at, at+1)
		case c.New.IsZero():
		case found:
			r.refs[at].OID = c.New
		default:
			r.refs = slices.Insert(r.refs, at, repo.Ref{Name: c.Ref, OID: c.New})
		}
	}
	return n
}

// at returns where a ref points to, repo.ZeroOID if it is not there.
func (r *repository) at(name string) repo.OID {
	at, found := slices.BinarySearchFunc(r.refs, name, func(x repo.Ref, name string) int { return strings.Compare(x.Name, name) })
	if !found {
		return repo.ZeroOID
	}
	return r.refs[at].OID
}

const (
	mainBranch   = "refs/heads/main"
	masterBranch = "refs/heads/master"
	branchPrefix = "refs/heads/"
)

// headFor returns where HEAD belongs once refs are what the state declares: at the branch that its HEAD tag names, if
// it declares that one; else where it is; else, if that branch is not there, at main, master or the first branch
// (G01-HEAD-01, G01-HEAD-03).
func headFor(state *repo.State, current string) string {
	if _, ok := state.Lookup(state.Head); ok && state.Head != "" {
		return state.Head
	}
	if _, ok := state.Lookup(current); ok {
		return current
	}
	for _, name := range []string{mainBranch, masterBranch} {
		if _, ok := state.Lookup(name); ok {
			return name
		}
	}
	for _, ref := range state.Refs {
		if strings.HasPrefix(ref.Name, branchPrefix) {
			return ref.Name
		}
	}
	return current
}

// aligned reports whether branches, tags and HEAD are what the state asks for.
func (r *repository) aligned(state *repo.State) bool {
	return len(push.Align(r.refs, state.Refs)) == 0 && r.head == headFor(state, r.head)
}
