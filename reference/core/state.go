package core

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

// stateArrived takes a state event into purgatory without saying so yet, looks whether its objects are in a repository
// of an owner who authorizes it, and answers when all of them have been asked (G01-PURG-02, G01-PURG-09).
func (s *Server) stateArrived(now instant.Instant, conns []ConnID, ev *nostr.Event, out *Effects) {
	state, reason := repo.ParseState(ev)
	if reason != "" {
		s.refuseEvent(conns, ev, rule("N34-ST-01", "invalid", reason), out)
		return
	}
	if r := policy.State(view{s}, state); !r.Accepted() {
		s.refuseEvent(conns, ev, r, out)
		return
	}
	if s.overtaken(&state) {
		s.refuseEvent(conns, ev, rule("G01-LAT-02", "", textNewerStored), out)
		return
	}
	if r, full := s.full(ev); full {
		s.refuseEvent(conns, ev, r, out)
		return
	}
	entry := &purgatory.Entry{Event: ev, State: &state, Arrived: now, Deadline: now.Add(s.cfg.PurgatoryLife)}
	var where []repo.ID
	for _, owner := range policy.Authorizing(view{s}, state.Author, state.Identifier) {
		where = append(where, repo.ID{Owner: owner, Identifier: state.Identifier})
	}
	s.judge(now, conns, entry, where, out)
}

// overtaken reports whether a newer state of the same author is stored.
func (s *Server) overtaken(state *repo.State) bool {
	kept := s.states[repo.ID{Owner: state.Author, Identifier: state.Identifier}]
	return kept != nil && !repo.Newer(state.Event, kept.Event)
}

// extendVouchers gives the held announcements that authorize a state a whole life: the first trigger of REF-PURG-04.
// Soft ones have been revived when the state came.
func (s *Server) extendVouchers(now instant.Instant, state *repo.State, out *Effects) {
	for _, owner := range policy.Authorizing(view{s}, state.Author, state.Identifier) {
		if entry := s.held.Announcement(repo.ID{Owner: owner, Identifier: state.Identifier}); entry != nil && !entry.Soft {
			s.extend(now, entry, out)
		}
	}
}

// latest returns the latest state of the keys, held or stored, by the one comparator (G01-LAT-01), and the purgatory
// entry that it comes from if it is held.
func (s *Server) latest(set []repo.PubKey, identifier string) (*repo.State, *purgatory.Entry) {
	best := s.latestStored(set, identifier)
	var from *purgatory.Entry
	for _, entry := range s.held.States(identifier) {
		if slices.Contains(set, entry.State.Author) && (best == nil || repo.Newer(entry.Event, best.Event)) {
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
