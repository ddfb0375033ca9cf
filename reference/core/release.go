package core

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

// settleDone releases what is ready, promotes the announcement if it has data now, answers and frees the repository.
func (s *Server) settleDone(now instant.Instant, set *settling, out *Effects) {
	r := set.repo
	s.huntLooked(set)
	var released []*purgatory.Entry
	for _, entry := range set.states {
		// While refs moved an entry may have been released by another repository, or have lost its authority.
		if s.held.Get(entry.Event.ID) == entry && slices.Contains(s.maintainers(r.id), entry.State.Author) {
			released = append(released, entry)
		}
	}
	promoted := s.promote(now, r, released, out)
	for i, entry := range released {
		overtaken := slices.ContainsFunc(released[i+1:], func(later *purgatory.Entry) bool {
			return later.State.Author == entry.State.Author
		})
		if !overtaken { // else it is dropped with the release of the later one (G01-PURG-18)
			s.releaseState(now, entry, out)
		}
	}
	if promoted {
		s.promoteVouched(now, r.id.Identifier, out)
	}
	for _, pr := range set.complete {
		if s.waits(r, pr) {
			s.releasePull(now, r, pr, out)
		}
	}
	for _, e := range set.pinned {
		s.held.Unpin(e)
	}
	for _, j := range set.waits {
		s.judged(now, j, out)
	}
	if promoted || len(released) > 0 || set.brings {
		s.settleOthers(now, set, released, out)
	}
	if promoted && len(s.pullsFor(r)) > 0 {
		s.settle(now, r, nil, out) // it has become a repository that pull requests may be for, after they were asked about
	}
	s.release(now, r, out)
}

// settleOthers looks at the other repositories that a released state governs, and at all of the identifier if a push
// has brought data that they may wait for: what there is may be enough for them (G01-XR-01, G01-PURG-22).
func (s *Server) settleOthers(now instant.Instant, set *settling, released []*purgatory.Entry, out *Effects) {
	r := set.repo
	for _, owner := range slices.Clone(s.owners[r.id.Identifier]) {
		id := repo.ID{Owner: owner, Identifier: r.id.Identifier}
		other := s.repositories[id]
		if other == nil || other == r || !s.hosted(id) {
			continue
		}
		keys := s.maintainers(id)
		governed := func(e *purgatory.Entry) bool { return slices.Contains(keys, e.State.Author) }
		if set.brings || slices.ContainsFunc(released, governed) {
			s.settle(now, other, nil, out)
		}
	}
}

// releaseState moves a state from purgatory to the store.
func (s *Server) releaseState(now instant.Instant, entry *purgatory.Entry, out *Effects) {
	arrives := s.judging[entry.Event.ID] != nil
	conns := s.concludeEntry(entry)
	key := repo.ID{Owner: entry.State.Author, Identifier: entry.State.Identifier}
	s.held.Drop(entry)
	text := ruleDeleted.Text()
	if !s.beneath(entry.Event) {
		text = s.saveHeld(entry.Event, out)
	}
	if text != "" {
		s.unreleased(entry, conns, text, out)
		return
	}
	s.states[key] = entry.State
	s.rose(placeOf(entry.Event), out)
	if arrives { // it arrives only now; one that was held has extended them when it came (REF-PURG-05)
		s.extendVouchers(now, entry.State, out)
	}
	s.reply(conns, entry.Event.ID, true, "", out)
	s.broadcast(entry.Event, out)
	s.dropOvertaken(key, entry.Event.ID, out)
}

// unreleased ends an entry that the store does not take; it is held no more.
func (s *Server) unreleased(entry *purgatory.Entry, conns []ConnID, text string, out *Effects) {
	out.add(Record{Op: OpDrop, ID: entry.Event.ID})
	n := note(EventReplaced, entry.Event)
	n.Reason = text
	out.add(n)
	s.reply(conns, entry.Event.ID, false, text, out)
}

// dropOvertaken drops held states of an author that are older than the one just stored, unless their answer is open.
func (s *Server) dropOvertaken(key repo.ID, stored string, out *Effects) {
	for _, entry := range slices.Clone(s.held.States(key.Identifier)) {
		if entry.State.Author != key.Owner || s.judging[entry.Event.ID] != nil || entry.Event.ID == stored {
			continue
		}
		if !repo.Newer(entry.Event, s.states[key].Event) {
			s.drop(entry, EventReplaced, out)
		}
	}
}

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
			s.promoteEntry(now, entry, out)
			return true
		}
	}
	return false
}

func (s *Server) promoteEntry(now instant.Instant, entry *purgatory.Entry, out *Effects) {
	if text := s.saveHeld(entry.Event, out); text != "" {
		return // the store keeps a newer one; this one expires
	}
	s.held.Drop(entry)
	s.rose(placeOf(entry.Event), out)
	s.announce(announced{Announcement: *entry.Announcement, stored: true, vouched: entry.Vouched})
	if !entry.Vouched {
		s.restored(now, entry.Announcement.ID, out)
	}
	s.broadcast(entry.Event, out)
}

// promoteVouched serves the held announcements that a served one vouches for now (G01-ANN-14).
func (s *Server) promoteVouched(now instant.Instant, identifier string, out *Effects) {
	for _, owner := range slices.Clone(s.owners[identifier]) {
		id := repo.ID{Owner: owner, Identifier: identifier}
		if entry := s.held.Announcement(id); entry != nil && entry.Vouched && s.vouchedByStored(*entry.Announcement) {
			s.promoteEntry(now, entry, out)
		}
	}
}
