package core

import (
	"github.com/nbd-wtf/go-nostr"

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

// fell remembers a state that was served and deleted: refs that it has brought into line are not taken back to what an
// older state of somebody else declares (G01-DEL-07). The memory ends with the author's next state.
func (s *Server) fell(now instant.Instant, state *repo.State, out *Effects) {
	key := repo.ID{Owner: state.Author, Identifier: state.Identifier}
	s.rose(key, out)
	s.fallen[key] = &nostr.Event{ID: state.Event.ID, CreatedAt: state.Event.CreatedAt}
	out.add(Record{Op: OpMark, Mark: Mark{
		Kind: MarkFallen, Event: state.Event.ID, Repo: key, Created: int64(state.Event.CreatedAt), At: now,
	}})
}

// rose forgets a deleted state of an author.
func (s *Server) rose(key repo.ID, out *Effects) {
	if old := s.fallen[key]; old != nil {
		delete(s.fallen, key)
		out.add(Record{Op: OpUnmark, Mark: Mark{Kind: MarkFallen, Event: old.ID, Repo: key}})
	}
}

// floor returns the newest deleted state of the keys, nil if there is none. No older one moves refs by itself.
func (s *Server) floor(set []repo.PubKey, identifier string) *nostr.Event {
	var floor *nostr.Event
	for _, key := range set {
		if ev := s.fallen[repo.ID{Owner: key, Identifier: identifier}]; ev != nil && (floor == nil || repo.Newer(ev, floor)) {
			floor = ev
		}
	}
	return floor
}
