package core

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
)

// MarkRan says that the server ran at At. It is made by an orderly end and taken back by the next start: deadlines are
// instants, so it is needed only to see that a clock went backwards in between (REF-PURG-12).
const MarkRan MarkKind = 9

// standStill makes a clock that went backwards while nothing ran count as no downtime: every life goes on where it stood,
// neither longer nor shorter, and what has happened is as long ago as it was (REF-PURG-12). After a crash the last
// instant known is the one of the last event that came, so that lives may be longer by what had passed since then.
func standStill(now instant.Instant, in Started, out *Effects) Started {
	ran := lastRan(in)
	if ran <= now {
		return in
	}
	back := now.Sub(ran)
	in.Held, in.Marks = slices.Clone(in.Held), slices.Clone(in.Marks)
	for i := range in.Held {
		h := &in.Held[i]
		h.Arrived, h.Deadline = h.Arrived.Add(back), h.Deadline.Add(back)
		out.add(Record{Op: OpHold, ID: h.Event.ID, Event: h.Event, Arrived: h.Arrived, Deadline: h.Deadline, Soft: h.Soft})
	}
	for i := range in.Marks {
		m := &in.Marks[i]
		if m.Kind == MarkRan {
			continue // taken back anyway
		}
		if m.At != 0 {
			m.At = m.At.Add(back)
		}
		if m.Until != 0 {
			m.Until = m.Until.Add(back)
		}
		out.add(Record{Op: OpMark, Mark: *m})
	}
	return in
}

// lastRan is the latest instant at which the server is known to have run.
func lastRan(in Started) instant.Instant {
	var ran instant.Instant
	for _, h := range in.Held {
		ran = max(ran, h.Arrived)
	}
	for _, m := range in.Marks {
		ran = max(ran, m.At)
	}
	return ran
}
