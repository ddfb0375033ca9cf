package core

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

func (s *Server) announcementArrived(now instant.Instant, conns []ConnID, ev *nostr.Event, out *Effects) {
	a, reason := repo.ParseAnnouncement(ev)
	if reason != "" {
		s.refuseEvent(conns, ev, rule("G01-ANN-09", "invalid", reason), out)
		return
	}
	ruling, hosted := policy.Announcement(view{s}, s.cfg.terms(), a)
	if !ruling.Accepted() {
		s.refuseEvent(conns, ev, ruling, out)
		return
	}
	old, known := s.announced[a.ID]
	switch {
	case known && !repo.Newer(ev, old.Event):
		s.olderAnnouncement(conns, ev, old, out)
	case known && old.stored:
		s.replaceStored(now, conns, a, hosted, out)
	case known && !hosted:
		s.replaceHeld(now, conns, a, true, out)
	case known && !old.vouched && !old.soft:
		s.replaceHeld(now, conns, a, false, out)
	default:
		s.newAnnouncement(now, conns, a, hosted, out)
	}
}

// olderAnnouncement keeps what is there: an older announcement neither replaces nor evicts (G01-ANN-17, G01-PURG-24).
func (s *Server) olderAnnouncement(conns []ConnID, ev *nostr.Event, old announced, out *Effects) {
	if old.stored {
		s.refuseEvent(conns, ev, rule("G01-ANN-17", "", textNewerStored), out)
		return
	}
	s.replicateShadowed(ev)
	s.duplicate(conns, ev, textHeldAlready, out)
}

// replaceStored takes a newer version of a served announcement: served at once (G01-ANN-16). One that was vouched for
// and now lists this service stays served while its repository is still empty: the exception that INV-01 lists. One that
// no longer lists this service is served, and its repository is kept and served no more (G01-ANN-18).
func (s *Server) replaceStored(now instant.Instant, conns []ConnID, a repo.Announcement, hosted bool, out *Effects) {
	if text := s.save(a.Event, out); text != "" {
		s.refuseEvent(conns, a.Event, unsaved("N01-REP-01", text), out)
		return
	}
	s.forgetDeleted(slotOf(a.Event), out)
	withdrawn := !hosted && s.hosted(a.ID)
	s.announce(announced{Announcement: a, stored: true, vouched: !hosted})
	switch {
	case hosted:
		s.restored(now, a.ID, out)
	case withdrawn:
		s.retire(now, a.ID, out)
	}
	s.reply(conns, a.Event.ID, true, "", out)
	s.broadcast(a.Event, out)
	if hosted {
		s.host(now, a.ID, out)
	}
	if withdrawn {
		s.announcementGone(now, a.ID.Identifier, out)
		return
	}
	s.lookAtChanged(now, a.ID.Identifier, out)
}

// replaceHeld takes a newer version of a held announcement: it waits in place of the older one, with a life of its own.
// If it lists this service no longer it waits for somebody who vouches for it, and the repository goes (G01-ANN-18).
func (s *Server) replaceHeld(now instant.Instant, conns []ConnID, a repo.Announcement, vouched bool, out *Effects) {
	entry := s.held.Announcement(a.ID)
	limit, over := s.heavy(a.Event, entry.Event)
	if entry.Soft { // it has counted for nobody, and the newer one will
		limit, over = s.full(a.Event)
	}
	if over {
		s.refuseEvent(conns, a.Event, limit, out)
		return
	}
	s.drop(entry, EventReplaced, out)
	s.holdAnnouncement(now, a, vouched, out)
	s.succeed(entry)
	s.reply(conns, a.Event.ID, true, textHeld, out)
	if withdrawn := vouched && !entry.Vouched; withdrawn {
		s.withdraw(now, a.ID, false, out)
		return
	}
	s.lookAtChanged(now, a.ID.Identifier, out)
}

// newAnnouncement takes the first announcement of an ID: it is held once its bare repository is there (G01-PURG-06).
func (s *Server) newAnnouncement(now instant.Instant, conns []ConnID, a repo.Announcement, hosted bool, out *Effects) {
	if r, full := s.full(a.Event); full {
		s.refuseEvent(conns, a.Event, r, out)
		return
	}
	if !hosted {
		s.vouchedArrived(now, conns, a, out)
		return
	}
	j := &judging{event: a.Event, conns: conns}
	s.awaitRepository(j)
	r := s.repository(a.ID)
	if !s.enqueue(now, r, &task{kind: taskAnnounce, announcement: a, waits: []*judging{j}}, out) {
		s.stopAwaiting(a.Event)
		s.refuseEvent(conns, a.Event, ruleBusy, out)
	}
}

func (s *Server) announceBegins(now instant.Instant, r *repository, out *Effects) {
	a, j := r.task.announcement, r.task.waits[0]
	if known, ok := s.announced[a.ID]; ok && !repo.Newer(a.Event, known.Event) || s.closing {
		s.stopAwaiting(a.Event)
		s.duplicate(j.conns, a.Event, textHeldAlready, out)
		s.finish(now, r, out)
		return
	}
	s.create(now, r, out)
}

// announceMade holds an announcement whose repository has been made, or refuses it if that went wrong.
func (s *Server) announceMade(now instant.Instant, r *repository, ok bool, out *Effects) {
	a, j := r.task.announcement, r.task.waits[0]
	s.stopAwaiting(a.Event)
	defer s.finish(now, r, out)
	if !ok {
		s.refuseEvent(j.conns, a.Event, rule("G01-PURG-06", "error", "the repository could not be made"), out)
		return
	}
	if s.tombstones.covers(a.Event) || s.olderThanDeleted(a.Event) {
		s.refuseEvent(j.conns, a.Event, ruleDeleted, out)
		s.abandon(now, r, out)
		return
	}
	// The same owner may have announced again while the repository was being made.
	if known, ok := s.announced[a.ID]; ok && !repo.Newer(a.Event, known.Event) {
		s.duplicate(j.conns, a.Event, textHeldAlready, out)
		s.abandon(now, r, out)
		return
	}
	if s.announced[a.ID].stored {
		s.replaceStored(now, j.conns, a, true, out)
		return
	}
	// And others of the same author may have come meanwhile.
	entry := s.held.Announcement(a.ID)
	if limit, full := s.full(a.Event); full && (entry == nil || entry.Soft) {
		s.refuseEvent(j.conns, a.Event, limit, out)
		s.abandon(now, r, out)
		return
	}
	if entry != nil {
		s.drop(entry, EventReplaced, out)
	}
	if s.cfg.Manner.AnnouncementsAtOnce {
		s.replaceStored(now, j.conns, a, true, out)
		return
	}
	s.holdAnnouncement(now, a, false, out)
	if entry != nil {
		s.succeed(entry)
	}
	s.reply(j.conns, a.Event.ID, true, textHeld, out)
	s.lookAtChanged(now, a.ID.Identifier, out)
}

// vouchedArrived takes an announcement that only a maintainer set vouches for. It is served with the announcement that
// vouches, so it waits while that one is held.
func (s *Server) vouchedArrived(now instant.Instant, conns []ConnID, a repo.Announcement, out *Effects) {
	if !s.vouchedByStored(a) {
		s.holdAnnouncement(now, a, true, out)
		s.reply(conns, a.Event.ID, true, textHeld, out)
		s.lookAtChanged(now, a.ID.Identifier, out)
		return
	}
	s.replaceStored(now, conns, a, false, out)
}

func (s *Server) vouchedByStored(a repo.Announcement) bool {
	id := a.ID
	for _, owner := range s.owners[id.Identifier] {
		voucher := repo.ID{Owner: owner, Identifier: id.Identifier}
		if owner != id.Owner && s.announced[voucher].stored && s.hosted(voucher) && s.vouches(voucher, a) {
			return true
		}
	}
	return false
}

func (s *Server) holdAnnouncement(now instant.Instant, a repo.Announcement, vouched bool, out *Effects) {
	s.announce(announced{Announcement: a, vouched: vouched})
	s.hold(&purgatory.Entry{
		Event: a.Event, Announcement: &a, Vouched: vouched,
		Arrived: now, Deadline: now.Add(s.cfg.PurgatoryLife),
	}, out)
}

// hold puts an entry into purgatory and the journal.
func (s *Server) hold(entry *purgatory.Entry, out *Effects) {
	s.await(entry)
	s.recordHeld(entry, out)
	s.accountHeld(entry.Event, out)
}

// accountHeld follows an event that has been answered as held.
func (s *Server) accountHeld(ev *nostr.Event, out *Effects) {
	s.huntFresh(ev)
	s.hunting.answered(ev.ID)
	s.replicating.holds(ev)
	s.replicating.answered(ev.ID)
	out.add(note(EventHeld, ev))
}

func (s *Server) recordHeld(entry *purgatory.Entry, out *Effects) {
	out.add(Record{
		Op: OpHold, ID: entry.Event.ID, Event: entry.Event,
		Arrived: entry.Arrived, Deadline: entry.Deadline, Soft: entry.Soft,
	})
}

// drop takes an entry out of purgatory and the journal. An announcement leaves the index of announcements too, so the
// caller puts its successor in afterwards.
func (s *Server) drop(entry *purgatory.Entry, fact Fact, out *Effects) {
	s.held.Drop(entry)
	if entry.Announcement != nil {
		s.unannounce(entry.Announcement.ID)
	}
	out.add(Record{Op: OpDrop, ID: entry.Event.ID})
	out.add(note(fact, entry.Event))
}

// extend gives an entry a whole life from now on and writes it down (REF-PURG-04).
func (s *Server) extend(now instant.Instant, entry *purgatory.Entry, out *Effects) {
	if s.held.Extend(entry, now.Add(s.cfg.PurgatoryLife)) && s.judging[entry.Event.ID] == nil {
		s.recordHeld(entry, out)
	}
}

// announce enters an announcement in the place of the one that it replaces, if any.
func (s *Server) announce(a announced) {
	old, known := s.announced[a.ID]
	s.announced[a.ID] = a
	s.hunting.touch(a.ID.Identifier)
	owners := s.owners[a.ID.Identifier]
	if at, found := slices.BinarySearch(owners, a.ID.Owner); !found {
		s.owners[a.ID.Identifier] = slices.Insert(owners, at, a.ID.Owner)
	}
	if !known || old.Event.ID != a.Event.ID {
		s.changes(a.ID, true, !known || !slices.Equal(old.Maintainers, a.Maintainers))
	}
}

func (s *Server) unannounce(id repo.ID) {
	delete(s.announced, id)
	s.hunting.touch(id.Identifier)
	owners := s.owners[id.Identifier]
	if at, found := slices.BinarySearch(owners, id.Owner); found {
		owners = slices.Delete(owners, at, at+1)
	}
	if s.owners[id.Identifier] = owners; len(owners) == 0 {
		delete(s.owners, id.Identifier)
	}
	s.changes(id, false, true)
}
