package core

import (
	"strconv"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// The marks of tombstones, which outlive the requests that made them.
const (
	// MarkDeletedID remembers that Repo.Owner has asked for the deletion of Event. The request is served no more.
	MarkDeletedID MarkKind = 6
	// MarkDeletedAddress remembers that Repo.Owner has asked for the deletion of all versions up to Created of the kind
	// that Event tells, of the identifier of Repo. The request is served no more.
	MarkDeletedAddress MarkKind = 7
	// MarkVanished remembers that Repo.Owner has vanished: all events of this author up to Created are gone (N62-01).
	MarkVanished MarkKind = 8
	// MarkDeletedLongAddress is what MarkDeletedAddress is, of an identifier that is too long to be kept: Repo has the
	// SHA-256 of it in its place.
	MarkDeletedLongAddress MarkKind = 11
)

// vanishArrived takes a request to vanish that speaks to this relay: everything of its author up to its time goes, held
// and stored alike, other requests too, and does not come back (N62-01). What follows for git data is what follows from
// the deletion of each event. What is held is bounded for each author and goes in this step; of what is stored more than a
// step may take goes in portions, and the answer waits for the last one. Any other request of the kind is an event like all
// others.
func (s *Server) vanishArrived(now instant.Instant, conns []ConnID, ev *nostr.Event, out *Effects) {
	if !policy.Vanishes(s.cfg.Service, ev) {
		s.relatedArrived(conns, ev, out)
		return
	}
	if _, known := s.tombstones.vanished[ev.PubKey]; !known && s.tombstones.len() >= s.cfg.TombstonesMax && !s.has(ev.PubKey) {
		s.refuseEvent(conns, ev, rule("N62-01", "rate-limited", "too many deletions are remembered"), out)
		return
	}
	if text := s.save(ev, out); text != "" {
		s.refuseEvent(conns, ev, unsaved("N62-01", text), out)
		return
	}
	s.tombstones.vanished[ev.PubKey] = ev.CreatedAt // an older request has been refused as deleted
	out.add(Record{Op: OpMark, Mark: Mark{
		Kind: MarkVanished, Repo: repo.ID{Owner: repo.PubKey(ev.PubKey)}, Created: int64(ev.CreatedAt), At: now,
	}})
	for _, entry := range s.held.By(ev.PubKey) { // first, so that the loss of what is stored releases none of it
		if entry.Event.CreatedAt <= ev.CreatedAt && s.held.Get(entry.Event.ID) == entry {
			s.deleteHeld(now, entry, out)
		}
	}
	if s.vanishOn(now, ev.PubKey, out) {
		s.reply(conns, ev.ID, true, "", out)
	} else {
		s.vanishings.await(now, ev, conns)
	}
	s.broadcast(ev, out)
}

// has reports whether anything of an author is here.
func (s *Server) has(author string) bool {
	if s.held.All().Entries > 0 && len(s.held.By(author)) > 0 {
		return true
	}
	one, _ := s.store.SearchAll(relay.Compile(relay.Filter{Authors: []string{author}}), 1).Events(eventstore.AnyCost)
	return len(one) > 0
}

// keepTombstones writes down what is remembered of a deletion request that is served no more: what it deleted stays deleted
// (REF-PURG-23). Of one that came when too much was remembered that is what was here, and no more after a restart either.
func (s *Server) keepTombstones(now instant.Instant, request *nostr.Event, out *Effects) {
	d, owner := policy.ParseDeletion(request), repo.PubKey(request.PubKey)
	for _, id := range d.IDs {
		if s.tombstones.ids[signedID{request.PubKey, id}] {
			out.add(Record{Op: OpMark, Mark: Mark{Kind: MarkDeletedID, Event: id, Repo: repo.ID{Owner: owner}, At: now}})
		}
	}
	for _, a := range d.Addresses {
		at, kind := addressOf(request.PubKey, a), MarkDeletedAddress
		until, remembered := s.tombstones.addresses[at]
		if !remembered {
			continue
		}
		if at.digest {
			kind = MarkDeletedLongAddress
		}
		// Of two marks of one address the later is kept, so each tells the latest request.
		out.add(Record{Op: OpMark, Mark: Mark{
			Kind: kind, Event: strconv.Itoa(at.kind), Repo: repo.ID{Owner: owner, Identifier: at.name},
			Created: int64(until), At: now,
		}})
	}
}

// recall takes back one mark of a tombstone, and reports whether it is one.
func (t *tombstones) recall(m Mark) bool {
	signer := string(m.Repo.Owner)
	switch m.Kind {
	case MarkDeletedID:
		t.addID(signer, m.Event)
	case MarkDeletedAddress, MarkDeletedLongAddress:
		kind, err := strconv.Atoi(m.Event)
		if err != nil {
			return false
		}
		at := addressOf(signer, policy.Address{Kind: kind, Identifier: m.Repo.Identifier}) // long in a mark of old
		at.digest = at.digest || m.Kind == MarkDeletedLongAddress
		t.addAddress(at, nostr.Timestamp(m.Created))
	case MarkVanished:
		t.vanished[signer] = nostr.Timestamp(m.Created)
	default:
		return false
	}
	return true
}
