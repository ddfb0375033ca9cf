package core

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/repo"
)

// What a repository waits for, told to whoever watches a server. Nothing here changes anything.

var phaseNames = [...]string{
	"absent", "idle", "creating", "asking", "seeking", "copying", "swapping", "sweeping", "receiving", "removing", "reading",
	"tidying",
}

// PhaseNames lists the phases of a repository's machine.
func PhaseNames() []string { return slices.Clone(phaseNames[:]) }

// Phase is the phase of a repository.
func (s *Server) Phase(id repo.ID) string {
	if r := s.repositories[id]; r != nil {
		return phaseNames[r.phase]
	}
	return phaseNames[absent]
}

// Phases lists the phases that repositories are in, each once and sorted.
func (s *Server) Phases() []string {
	in := map[string]bool{}
	for _, id := range slices.SortedFunc(maps.Keys(s.repositories), repo.ID.Compare) {
		in[s.Phase(id)] = true
	}
	return slices.Sorted(maps.Keys(in))
}

// Asker is the repository that waits for the answer to a request.
func (s *Server) Asker(id RequestID) (repo.ID, bool) {
	q, open := s.open[id]
	return q.repo, open
}
