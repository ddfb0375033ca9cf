package core

import (
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// retire stops serving a repository and keeps it, refs and all: its announcement was served and is gone, and a newer one
// may bring it back (G01-DEL-06).
func (s *Server) retire(now instant.Instant, id repo.ID, out *Effects) {
	r := s.repositories[id]
	if r == nil || !r.created || s.retired[id] {
		return
	}
	s.retired[id] = true
	out.add(Record{Op: OpMark, Mark: Mark{Kind: MarkRetired, Repo: id, At: now}})
	out.add(Note{Fact: RepositoryRetired, Repo: id})
	s.forgetPlaceholders(r, out) // all its refs are kept
}

// restored serves a retired repository again: its announcement is stored.
func (s *Server) restored(now instant.Instant, id repo.ID, out *Effects) {
	if !s.retired[id] {
		return
	}
	delete(s.retired, id)
	out.add(Record{Op: OpUnmark, Mark: Mark{Kind: MarkRetired, Repo: id}})
	if r := s.repositories[id]; r != nil {
		s.adopt(now, r, out)
	}
}
