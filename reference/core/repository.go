package core

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// A repository is the core's picture of one bare repository: the core is the only writer of refs, so the picture is
// exact, unless it says that it is not.
type repository struct {
	id      repo.ID
	phase   phase
	unknown bool       // an order failed and the refs could not be read since: the picture may be wrong
	debris  bool       // absent, but something of it may be there: it could not be made, or not be removed
	refs    []repo.Ref // sorted by name
	head    string
	data    bool  // there may be objects: it has had refs, or nobody has seen it empty
	task    *task // under way; nil if there is none
	queue   []*task
	pushes  int      // under way and queued
	expects int      // of which the packs are under way
	owed    bool     // an event has come that nobody has looked for, because a push would
	expired []string // events whose refs the queued sweep removes
	litter  litter
}

func (s *Server) repository(id repo.ID) *repository {
	r := s.repositories[id]
	if r == nil {
		r = &repository{id: id}
		s.repositories[id] = r
	}
	return r
}

// there reports whether there is a directory.
func (r *repository) there() bool { return r.phase != absent && r.phase != creating }

// queued returns the waiting task of a kind, nil if there is none.
func (r *repository) queued(kind taskKind) *task {
	at := slices.IndexFunc(r.queue, func(t *task) bool { return t.kind == kind })
	if at < 0 {
		return nil
	}
	return r.queue[at]
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

// take makes the picture what is on the disk, and returns the commands that lead there.
func (r *repository) take(refs gitstore.Refs) []gitproto.Command {
	var moved []gitproto.Command
	now := map[string]repo.OID{}
	for _, ref := range refs.Refs {
		now[ref.Name] = ref.OID
		if old := r.at(ref.Name); old != ref.OID {
			moved = append(moved, gitproto.Command{Ref: ref.Name, Old: old, New: ref.OID})
		}
	}
	for _, ref := range r.refs {
		if now[ref.Name] == "" {
			moved = append(moved, gitproto.Command{Ref: ref.Name, Old: ref.OID, New: repo.ZeroOID})
		}
	}
	r.refs, r.head = slices.Clone(refs.Refs), refs.Head
	r.data = r.data || len(r.refs) > 0
	return moved
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
	return push.Aligned(r.refs, state.Refs) && r.head == headFor(state, r.head)
}
