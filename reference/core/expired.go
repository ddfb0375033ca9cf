package core

import (
	"cmp"
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
)

// expiredIDs remembers the events whose time in purgatory ran out, for a while and up to a number: an event of a peer
// that is among them is not held again, one of a user is (REF-PURG-09, REF-PURG-10).
type expiredIDs struct {
	until map[string]instant.Instant
	order []expiredID // by time, then id
}

type expiredID struct {
	until instant.Instant
	id    string
}

func compareExpired(a, b expiredID) int {
	return cmp.Or(cmp.Compare(a.until, b.until), cmp.Compare(a.id, b.id))
}

func (x *expiredIDs) add(id string, until instant.Instant) {
	x.remove(id)
	x.until[id] = until
	at, _ := slices.BinarySearchFunc(x.order, expiredID{until, id}, compareExpired)
	x.order = slices.Insert(x.order, at, expiredID{until, id})
}

// restore takes many back, in whatever order they come: to find the place of each one by one would take minutes.
func (x *expiredIDs) restore(marks []Mark) {
	for _, m := range marks {
		if _, known := x.until[m.Event]; m.Kind == MarkExpired && !known {
			x.until[m.Event] = m.Until
			x.order = append(x.order, expiredID{m.Until, m.Event})
		}
	}
	slices.SortFunc(x.order, compareExpired)
}

func (x *expiredIDs) remove(id string) {
	until, known := x.until[id]
	if !known {
		return
	}
	delete(x.until, id)
	at, _ := slices.BinarySearchFunc(x.order, expiredID{until, id}, compareExpired)
	if at == 0 { // mostly: the oldest goes
		x.order[0] = expiredID{}
		x.order = x.order[1:]
		return
	}
	x.order = slices.Delete(x.order, at, at+1)
}

// Expired reports whether the time of an event in purgatory ran out within the last ExpiredLife.
func (s *Server) Expired(id string) bool {
	until, known := s.expired.until[id]
	return known && s.last < until
}

// ranOut remembers an event whose time in purgatory ran out at an instant, in place of the oldest if there is no room.
func (s *Server) ranOut(id string, at instant.Instant, out *Effects) {
	for len(s.expired.order) >= s.cfg.ExpiredMax && s.expired.until[id] == 0 {
		s.forgetExpired(out)
	}
	until := at.Add(s.cfg.ExpiredLife)
	s.expired.add(id, until)
	out.add(Record{Op: OpMark, Mark: Mark{Kind: MarkExpired, Event: id, At: at, Until: until}})
}

// forgetExpired forgets the oldest.
func (s *Server) forgetExpired(out *Effects) {
	id := s.expired.order[0].id
	s.expired.remove(id)
	out.add(Record{Op: OpUnmark, Mark: Mark{Kind: MarkExpired, Event: id}})
}

// purgeExpired forgets those whose time is over. It needs no deadline of its own: until then they count for nothing.
func (s *Server) purgeExpired(now instant.Instant, out *Effects) {
	for len(s.expired.order) > 0 && s.expired.order[0].until <= now {
		s.forgetExpired(out)
	}
}
