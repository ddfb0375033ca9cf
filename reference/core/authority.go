package core

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// AuthoritiesMax bounds the keys in the maintainer sets that are kept. What does not fit is computed for every question.
const AuthoritiesMax = 4_000_000

// authorities keeps the maintainer sets of what is announced, so that they are not computed for every question. announce
// and unannounce alone change what they are computed from.
type authorities struct {
	of   map[string]*authority // by identifier
	kept int                   // keys in all sets
	max  int                   // of them
}

// An authority is the maintainer sets of one identifier. A set depends on the announcements of the keys in it, and under
// the reciprocal model of others too.
type authority struct {
	sets    map[repo.PubKey][]repo.PubKey // by owner
	holding map[repo.PubKey][]repo.PubKey // by key: the owners whose kept set holds it, sorted
	open    map[repo.PubKey]bool          // owners without a kept set
	changed map[repo.PubKey]bool          // owners whose set may have changed since they were looked at
}

func newAuthorities() authorities {
	return authorities{of: map[string]*authority{}, max: AuthoritiesMax}
}

// drop forgets the set of an owner.
func (x *authorities) drop(a *authority, owner repo.PubKey) {
	set := a.sets[owner]
	delete(a.sets, owner)
	x.kept -= len(set)
	for _, key := range set {
		list := a.holding[key]
		if at, found := slices.BinarySearch(list, owner); found {
			list = slices.Delete(list, at, at+1)
		}
		if a.holding[key] = list; len(list) == 0 {
			delete(a.holding, key)
		}
	}
}

// changes follows the announcement at id, which has come, changed or gone: sets that rest on it may be others now. One that names
// the maintainers that the former one has named leaves all sets what they were.
func (s *Server) changes(id repo.ID, announced, renamed bool) {
	a := s.authorities.of[id.Identifier]
	if a == nil {
		a = &authority{
			sets: map[repo.PubKey][]repo.PubKey{}, holding: map[repo.PubKey][]repo.PubKey{},
			open: map[repo.PubKey]bool{}, changed: map[repo.PubKey]bool{},
		}
		s.authorities.of[id.Identifier] = a
	}
	affected := append(slices.Clone(a.holding[id.Owner]), id.Owner)
	if s.cfg.Model == repo.Reciprocal {
		affected = append(slices.Sorted(maps.Keys(a.sets)), id.Owner)
	}
	for _, owner := range affected {
		a.changed[owner] = true
		if renamed {
			s.authorities.drop(a, owner)
			a.open[owner] = true
		}
	}
	if !announced {
		delete(a.open, id.Owner)
	}
	maps.Copy(a.changed, a.open) // what their sets rest on is not known
	if len(a.sets) == 0 && len(a.open) == 0 && len(s.owners[id.Identifier]) == 0 {
		delete(s.authorities.of, id.Identifier)
	}
}

// maintainers returns the maintainer set of the repository at id (G01-MNT-01), for reading.
func (s *Server) maintainers(id repo.ID) []repo.PubKey {
	a := s.authorities.of[id.Identifier]
	if a == nil {
		return nil
	}
	if set, kept := a.sets[id.Owner]; kept {
		return set
	}
	return s.keepSet(a, id, s.lists(id.Identifier))
}

// lists are the lists of an identifier as they are now.
func (s *Server) lists(identifier string) *repo.Lists {
	return repo.NewLists(s.cfg.Model, identifier, func(key repo.PubKey) (repo.Announcement, bool) {
		known, ok := s.announced[repo.ID{Owner: key, Identifier: identifier}]
		return known.Announcement, ok
	})
}

// keepSet computes the set of an owner, and keeps it if there is room.
func (s *Server) keepSet(a *authority, id repo.ID, lists *repo.Lists) []repo.PubKey {
	set := lists.MaintainerSet(id.Owner)
	if !a.open[id.Owner] || s.authorities.kept+len(set) > s.authorities.max {
		return set
	}
	delete(a.open, id.Owner)
	a.sets[id.Owner] = set
	s.authorities.kept += len(set)
	for _, key := range set {
		list := a.holding[key]
		at, _ := slices.BinarySearch(list, id.Owner)
		a.holding[key] = slices.Insert(list, at, id.Owner)
	}
	return set
}

// holding returns the owners of an identifier whose maintainer set holds a key, sorted, for reading.
func (s *Server) holding(key repo.PubKey, identifier string) []repo.PubKey {
	a := s.authorities.of[identifier]
	if a == nil {
		return nil
	}
	if len(a.open) == 0 {
		return a.holding[key]
	}
	var more []repo.PubKey // of owners whose sets are not kept
	lists := s.lists(identifier)
	for _, owner := range slices.Sorted(maps.Keys(a.open)) {
		set := s.keepSet(a, repo.ID{Owner: owner, Identifier: identifier}, lists)
		if a.open[owner] && slices.Contains(set, key) {
			more = append(more, owner)
		}
	}
	if len(more) == 0 {
		return a.holding[key]
	}
	return slices.Sorted(slices.Values(slices.Concat(a.holding[key], more)))
}

// lookAtChanged looks at the repositories of an identifier whose maintainer sets may have changed, and serves whom a served
// announcement vouches for by that change (G01-ANN-14).
func (s *Server) lookAtChanged(now instant.Instant, identifier string, out *Effects) {
	a := s.authorities.of[identifier]
	if a == nil {
		return
	}
	owners := slices.Sorted(maps.Keys(a.changed))
	clear(a.changed)
	if len(a.open) > 0 {
		lists := s.lists(identifier)
		for _, owner := range owners { // before any look, which may change the lists
			if a.open[owner] { // so that the next change knows whether it is one of this set
				s.keepSet(a, repo.ID{Owner: owner, Identifier: identifier}, lists)
			}
		}
	}
	for _, owner := range owners {
		id := repo.ID{Owner: owner, Identifier: identifier}
		if r := s.repositories[id]; r != nil && s.hosted(id) {
			s.look(now, r, nil, out)
		}
	}
	s.promoteVouched(now, identifier, out)
}
