package core

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

var ruleDeleted = rule("N09-05", "blocked", "this event is deleted")

// deletionArrived takes a deletion request from anybody, serves it, and applies what it says of its author's own events,
// held and stored alike (N09-01 to N09-04). One that cannot be kept and remembered changes nothing (INV-13).
func (s *Server) deletionArrived(now instant.Instant, conns []ConnID, ev *nostr.Event, out *Effects) {
	d := policy.ParseDeletion(ev)
	if !s.tombstones.fits(ev, d, s.cfg.TombstonesMax) {
		if d = s.present(ev.PubKey, d); len(d.IDs)+len(d.Addresses) == 0 {
			s.refuseEvent(conns, ev, rule("N09-05", "rate-limited", "too many deletions are remembered"), out)
			return
		}
	}
	if text := s.save(ev, out); text != "" {
		s.refuseEvent(conns, ev, unsaved("N09-01", text), out)
		return
	}
	s.tombstones.add(ev, d)
	for _, id := range d.IDs {
		s.deleteID(now, ev.PubKey, id, out)
	}
	for _, a := range d.Addresses {
		s.deleteAddress(now, ev, a, out)
	}
	s.reply(conns, ev.ID, true, "", out)
	s.broadcast(ev, out)
}

// present returns what a request asks for of what its signer has here. That is carried out even when no more can be
// remembered: of what is here there is a limit already, and nobody may keep others from deleting.
func (s *Server) present(signer string, d policy.Deletion) policy.Deletion {
	d.IDs = slices.DeleteFunc(slices.Clone(d.IDs), func(id string) bool {
		ev, entry := s.store.Get(id), s.held.Get(id)
		return (ev == nil || ev.PubKey != signer) && (entry == nil || entry.Event.PubKey != signer)
	})
	d.Addresses = slices.DeleteFunc(slices.Clone(d.Addresses), func(a policy.Address) bool {
		id := repo.ID{Owner: repo.PubKey(signer), Identifier: a.Identifier}
		held := a.Kind == policy.KindAnnouncement && s.held.Announcement(id) != nil ||
			a.Kind == policy.KindState && slices.ContainsFunc(s.held.States(a.Identifier), func(e *purgatory.Entry) bool {
				return e.Event.PubKey == signer
			})
		return !held && s.store.Latest(a.Kind, signer, a.Identifier) == nil
	})
	return d
}

// deleteID deletes the event of an id if the signer wrote it.
func (s *Server) deleteID(now instant.Instant, signer, id string, out *Effects) {
	if ev := s.store.Get(id); ev != nil && ev.PubKey == signer {
		s.deleteStored(now, ev, out)
	}
	if entry := s.held.Get(id); entry != nil && entry.Event.PubKey == signer {
		s.deleteHeld(now, entry, out)
	}
}

// deleteAddress deletes the versions at an address of the signer up to the time of the request.
func (s *Server) deleteAddress(now instant.Instant, request *nostr.Event, a policy.Address, out *Effects) {
	if ev := s.store.Latest(a.Kind, request.PubKey, a.Identifier); ev != nil && ev.CreatedAt <= request.CreatedAt {
		s.deleteStored(now, ev, out)
	}
	id := repo.ID{Owner: repo.PubKey(request.PubKey), Identifier: a.Identifier}
	var entries []*purgatory.Entry
	switch a.Kind {
	case policy.KindAnnouncement:
		if entry := s.held.Announcement(id); entry != nil {
			entries = append(entries, entry)
		}
	case policy.KindState:
		entries = slices.Clone(s.held.States(a.Identifier))
	}
	for _, entry := range entries {
		if entry.Event.PubKey == request.PubKey && entry.Event.CreatedAt <= request.CreatedAt {
			s.deleteHeld(now, entry, out)
		}
	}
}

// deleteStored takes an event out of the store, with what follows from it: the repository of an announcement is served
// no more and keeps its refs (G01-DEL-06), a state leaves its refs as they are (G01-DEL-07), the ref of a pull request
// is collected when its time is over (G01-DEL-08).
func (s *Server) deleteStored(now instant.Instant, ev *nostr.Event, out *Effects) {
	if ev.Kind == policy.KindDeletion || ev.Kind == policy.KindVanish {
		return // deleting a deletion has no effect (N09-04)
	}
	s.unstore(now, ev, EventDeleted, out)
}

// unstore takes an event out of the store and the journal, with what follows from it.
func (s *Server) unstore(now instant.Instant, ev *nostr.Event, fact Fact, out *Effects) {
	s.store.Remove(ev.ID)
	out.add(Record{Op: OpUnstore, ID: ev.ID})
	out.add(note(fact, ev))
	identifier, _ := repo.Identifier(ev)
	id := repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: identifier}
	switch ev.Kind {
	case policy.KindAnnouncement:
		if a := s.announced[id]; a.stored && a.Event.ID == ev.ID {
			s.rememberDeleted(now, ev, out)
			s.unannounce(id) // first: a repository that finds no place among the retired ones is removed
			if !a.vouched {
				s.retire(now, id, out)
			}
			s.announcementGone(now, identifier, out)
		}
	case policy.KindState:
		if s.states[id] != nil {
			s.rememberDeleted(now, ev, out)
			delete(s.states, id)
		}
	case policy.KindPullRequest, policy.KindPullRequestUpdate:
		s.deletePull(now, s.pulls.byID[ev.ID], out)
	case policy.KindDeletion:
		s.keepTombstones(now, ev, out)
	}
}

func (s *Server) deletePull(now instant.Instant, pr *repo.PullRequest, out *Effects) {
	if pr == nil {
		return
	}
	s.pulls.remove(pr)
	for _, named := range pr.Repos {
		for _, owner := range s.owners[named.Identifier] { // it may have been for one that it is not for any more
			id := repo.ID{Owner: owner, Identifier: named.Identifier}
			if r := s.repositories[id]; r != nil && !s.retired.has(id) && !r.at(pr.Ref()).IsZero() {
				s.startClock(now, r, pr.Event.ID, s.cfg.PlaceholderLife, out)
			}
		}
	}
	for _, id := range pr.Places {
		if r := s.repositories[id]; r != nil && !r.at(pr.Ref()).IsZero() {
			s.startClock(now, r, pr.Event.ID, s.cfg.PlaceholderLife, out)
		}
	}
}

// deleteHeld takes an event out of purgatory; the repository of an announcement goes with it (G01-DEL-01 to G01-DEL-04).
func (s *Server) deleteHeld(now instant.Instant, entry *purgatory.Entry, out *Effects) {
	if j := s.judging[entry.Event.ID]; j != nil {
		s.conclude(j)
		s.refuseEvent(j.conns, entry.Event, ruleDeleted, out)
	}
	s.drop(entry, EventDeleted, out)
	if a := entry.Announcement; a != nil {
		s.withdraw(now, a.ID, entry.Vouched, out)
	}
}
