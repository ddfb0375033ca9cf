package core

import (
	"cmp"
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// RetiredPerKeyMax is how many repositories of one owner are kept without an announcement that is served. To withdraw
// or delete costs nothing and a repository takes room on the disk, so with one more the one retired first is removed.
const RetiredPerKeyMax = 32

// retirees are the repositories that are kept and served no more.
type retirees struct {
	byOwner map[repo.PubKey][]retiree // those retired first come first
}

type retiree struct {
	id repo.ID
	at instant.Instant
}

func (x *retirees) has(id repo.ID) bool {
	return slices.ContainsFunc(x.byOwner[id.Owner], func(r retiree) bool { return r.id == id })
}

// add enters a repository that is not there yet. It returns the one that has to go for it, if any.
func (x *retirees) add(id repo.ID, at instant.Instant) (out repo.ID, full bool) {
	x.byOwner[id.Owner] = append(x.byOwner[id.Owner], retiree{id, at})
	list := x.byOwner[id.Owner]
	slices.SortFunc(list, func(a, b retiree) int {
		return cmp.Or(cmp.Compare(a.at, b.at), a.id.Compare(b.id))
	})
	return list[0].id, len(list) > RetiredPerKeyMax
}

func (x *retirees) remove(id repo.ID) {
	list := slices.DeleteFunc(x.byOwner[id.Owner], func(r retiree) bool { return r.id == id })
	x.byOwner[id.Owner] = list
	if len(list) == 0 {
		delete(x.byOwner, id.Owner)
	}
}

// retire stops serving a repository and keeps it, refs and all: its announcement was served and is gone, and a newer one
// may bring it back (G01-DEL-06).
func (s *Server) retire(now instant.Instant, id repo.ID, out *Effects) {
	r := s.repositories[id]
	if r == nil || !r.there() || r.phase == removing || s.retired.has(id) {
		return
	}
	if first, full := s.keepRetired(now, id, out); full {
		s.unretire(first, out)
		s.abandon(now, s.repositories[first], out)
	}
}

// keepRetired enters a repository among the retired ones, and returns the one that has to go for it, if any.
func (s *Server) keepRetired(now instant.Instant, id repo.ID, out *Effects) (first repo.ID, full bool) {
	s.forgetPlaceholders(s.repositories[id], out) // all its refs are kept
	out.add(Record{Op: OpMark, Mark: Mark{Kind: MarkRetired, Repo: id, At: now}})
	out.add(Note{Fact: RepositoryRetired, Repo: id})
	delete(s.hunting.lacks, id)
	s.hunting.touch(id.Identifier)
	return s.retired.add(id, now)
}

func (s *Server) unretire(id repo.ID, out *Effects) {
	s.retired.remove(id)
	out.add(Record{Op: OpUnmark, Mark: Mark{Kind: MarkRetired, Repo: id}})
}

// restored serves a retired repository again: its announcement is stored.
func (s *Server) restored(now instant.Instant, id repo.ID, out *Effects) {
	if !s.retired.has(id) {
		return
	}
	s.unretire(id, out)
	if r := s.repositories[id]; r != nil {
		s.adopt(now, r, out)
		s.lookAtAll(now, id.Identifier, out) // what it has may be what others wait for
	}
}
