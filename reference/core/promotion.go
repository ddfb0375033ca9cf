package core

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

// promote serves a held announcement whose repository has a branch or tag that a stored or just released state of its
// maintainer set declares (REF-PURG-20).
func (s *Server) promote(now instant.Instant, r *repository, released []*purgatory.Entry, out *Effects) bool {
	entry := s.held.Announcement(r.id)
	if entry == nil || entry.Vouched {
		return false
	}
	declared := func(state *repo.State) bool {
		return state != nil && slices.ContainsFunc(r.refs, func(ref repo.Ref) bool {
			oid, ok := state.Lookup(ref.Name)
			return ok && oid == ref.OID
		})
	}
	for _, key := range s.maintainers(r.id) {
		is := declared(s.states[repo.ID{Owner: key, Identifier: r.id.Identifier}])
		for _, e := range released {
			is = is || e.State.Author == key && declared(e.State)
		}
		if is {
			return s.promoteEntry(now, entry, out)
		}
	}
	return false
}

// promoteEntry serves a held announcement, and reports whether it does: the store may keep a newer one, and this one may be over by its
// own word while something relies on it. Then it expires.
func (s *Server) promoteEntry(now instant.Instant, entry *purgatory.Entry, out *Effects) bool {
	if text := s.saveHeld(entry.Event, out); text != "" {
		return false
	}
	s.held.Drop(entry)
	s.forgetDeleted(slotOf(entry.Event), out)
	s.announce(announced{Announcement: *entry.Announcement, stored: true, vouched: entry.Vouched})
	if !entry.Vouched {
		s.restored(now, entry.Announcement.ID, out)
	}
	s.broadcast(entry.Event, out)
	return true
}

// promoteVouched serves the held announcements that a served one vouches for now (G01-ANN-14).
func (s *Server) promoteVouched(now instant.Instant, identifier string, out *Effects) {
	vouched := func(owner repo.PubKey) *purgatory.Entry {
		entry := s.held.Announcement(repo.ID{Owner: owner, Identifier: identifier})
		if entry == nil || !entry.Vouched || !s.vouchedByStored(*entry.Announcement) {
			return nil
		}
		return entry
	}
	owners := s.owners[identifier]
	if !slices.ContainsFunc(owners, func(owner repo.PubKey) bool { return vouched(owner) != nil }) {
		return
	}
	for _, owner := range slices.Clone(owners) {
		if entry := vouched(owner); entry != nil {
			s.promoteEntry(now, entry, out)
		}
	}
}
