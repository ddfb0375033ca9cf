package core

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

// overtaken reports whether a newer state of the same author is stored.
func (s *Server) overtaken(state *repo.State) bool {
	kept := s.states[repo.ID{Owner: state.Author, Identifier: state.Identifier}]
	return kept != nil && !repo.Newer(state.Event, kept.Event)
}

// extendVouchers gives the held announcements that authorize a state a whole life: the first trigger of REF-PURG-04.
// Soft ones are revived (reviveLate, reviveBehind).
func (s *Server) extendVouchers(now instant.Instant, state *repo.State, out *Effects) {
	for _, owner := range policy.Authorizing(view{s}, state.Author, state.Identifier) {
		if entry := s.held.Announcement(repo.ID{Owner: owner, Identifier: state.Identifier}); entry != nil && !entry.Soft {
			s.extend(now, entry, out)
		}
	}
}

// latest returns the latest state of the keys, held or stored, by the one comparator (G01-LAT-01), and the purgatory
// entry that it comes from if it is held. One that is over by its own word while it is still judged does not count (N40-01).
func (s *Server) latest(set []repo.PubKey, identifier string) (*repo.State, *purgatory.Entry) {
	best := s.latestStored(set, identifier)
	var from *purgatory.Entry
	for _, entry := range s.held.States(identifier) {
		if s.judging[entry.Event.ID] != nil && !s.speaks(entry) || !slices.Contains(set, entry.State.Author) {
			continue
		}
		if best == nil || repo.Newer(entry.Event, best.Event) {
			best, from = entry.State, entry
		}
	}
	return best, from
}

func (s *Server) latestStored(set []repo.PubKey, identifier string) *repo.State {
	var best *repo.State
	for _, key := range set {
		state := s.states[repo.ID{Owner: key, Identifier: identifier}]
		if state != nil && (best == nil || repo.Newer(state.Event, best.Event)) {
			best = state
		}
	}
	return best
}

// holdsEmpty reports whether a state without refs is held that a repository may take as soon as it is served.
func (s *Server) holdsEmpty(r *repository) bool {
	keys := s.maintainers(r.id)
	return slices.ContainsFunc(s.held.States(r.id.Identifier), func(e *purgatory.Entry) bool {
		return len(e.State.Refs) == 0 && slices.Contains(keys, e.State.Author)
	})
}
