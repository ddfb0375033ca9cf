package model

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// remembered is how long the model keeps what a crash may take back. A disk is never that slow, unless it is full: then nobody
// writes much.
const remembered = time.Minute

// refSlack is how much longer than it may a ref below refs/nostr stays at most: its server may have been busy.
const refSlack = 10 * time.Second

// A journal is what the server has had written down, and what was there before each of the last steps: what survives a crash
// is what was written down at some moment before it.
type journal struct {
	now      map[string]status
	log      []change
	floors   []floorChange
	requests []*entry
	lived    bool
}

// A status is what is written down of an event.
type status struct {
	phase    phase
	deadline instant.Instant
	soft     bool
}

type change struct {
	at   instant.Instant
	step int
	id   string
	old  status
}

type floorChange struct {
	at  instant.Instant
	a   address
	old *entry
}

func newJournal() journal { return journal{now: map[string]status{}} }

func (j *journal) note(now instant.Instant, step int, id string, e *entry) {
	is := status{phase: e.phase}
	if e.phase == held {
		is.deadline, is.soft = e.deadline, e.soft
	}
	j.log = append(j.log, change{now, step, id, j.now[id]})
	j.set(id, is)
	const room = 4096
	if len(j.log) > room {
		j.log = slices.DeleteFunc(j.log, func(c change) bool { return c.at < now-instant.Instant(remembered) })
	}
}

func (j *journal) set(id string, s status) {
	if j.now[id] = s; s.phase == nowhere {
		delete(j.now, id)
	}
}

// back finds the last moment at which the journal was what a start has found, and undoes what came after it. It returns the
// instant of the first step that was lost, and false if there was no such moment.
func (j *journal) back(found map[string]status) (lost instant.Instant, ok bool) {
	differ := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(j.now)) {
		if found[id] != j.now[id] {
			differ[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		if found[id] != j.now[id] {
			differ[id] = true
		}
	}
	lost = 1<<63 - 1
	for len(differ) > 0 {
		n := len(j.log)
		if n == 0 {
			return lost, false
		}
		for step := j.log[n-1].step; n > 0 && j.log[n-1].step == step; n-- {
			c := j.log[n-1]
			lost = c.at
			j.set(c.id, c.old)
			if delete(differ, c.id); found[c.id] != j.now[c.id] {
				differ[c.id] = true
			}
		}
		j.log = j.log[:n]
	}
	return lost, true
}

// started judges what survived, and begins a life with it.
func (m *Model) started(in core.Started) {
	m.step.first = true
	found := map[string]status{}
	for _, ev := range in.Stored {
		found[ev.ID] = status{phase: stored}
	}
	for _, h := range in.Held {
		found[h.Event.ID] = status{held, h.Deadline, h.Soft}
	}
	before := m.entries
	if m.journal.lived {
		m.survived(in, found)
	}
	m.journal.lived = true
	m.forget()
	m.recalled(in.Marks)
	m.hunt.restarted(in.Marks)
	for _, r := range in.Repositories {
		x := m.repository(r.ID)
		x.there, x.head, x.strange, x.unread = true, r.Refs.Head, true, r.Unknown
		x.refs = append(x.refs, r.Refs.Refs...) // their clocks go on as the server remembers them
		if r.Unknown {
			m.fails(m.room(r.ID.Identifier), x, true)
		}
		m.touch(r.ID.Identifier)
	}
	restore := func(ev *nostr.Event, p phase, h core.HeldEvent) {
		if old := before[ev.ID]; old != nil && !same(&old.ev, ev) {
			m.differ("REF-PURG-11", "altered", "event %s is not what was published after the start", ev.ID)
		}
		e, _ := m.read(ev)
		e.arrived, e.deadline, e.soft = h.Arrived, h.Deadline, h.Soft
		e.listed = e.listed || h.Soft // only what has a repository loses it
		if old := before[ev.ID]; old != nil && p == held && old.phase == held && old.arrived != h.Arrived {
			m.differ("REF-PURG-12", "other-arrival", "event %s has arrived at another time after the start", ev.ID)
		}
		m.enter(e, p)
		m.journal.set(ev.ID, found[ev.ID])
		if m.acked[ev.ID] != nil {
			m.acked[ev.ID] = e
		}
	}
	for _, ev := range in.Stored {
		restore(ev, stored, core.HeldEvent{})
	}
	for _, h := range in.Held {
		if a := m.room(firstD(h.Event)).announced(h.Event.PubKey); a != nil && h.Event.Kind == 30617 {
			e, _ := m.read(h.Event)
			e.phase = held
			m.entries[h.Event.ID] = e // something newer stands in its place: it goes
			m.step.dropDue = append(m.step.dropDue, e)
			continue
		}
		restore(h.Event, held, h)
	}
}

// survived judges what a start has found against the life before: it is what was written down at some moment, and everything
// whose OK true had left is among it (REF-PURG-15).
func (m *Model) survived(in core.Started, found map[string]status) {
	lost, ok := m.journal.back(found)
	if !ok {
		m.differ("REF-PURG-15", "no-such-moment", "%d stored and %d held events survived, which were not there together at any moment",
			len(in.Stored), len(in.Held))
		return
	}
	for _, id := range slices.Sorted(maps.Keys(m.acked)) {
		switch e := m.acked[id]; {
		case m.entries[id] != e || e.phase == nowhere:
			delete(m.acked, id)
		case found[id].phase == nowhere:
			m.differ("REF-PURG-15", "acknowledged-lost", "event %s was answered OK true and did not survive", id)
		}
	}
	m.journal.log, m.oks = nil, nil
	for i := len(m.journal.floors) - 1; i >= 0; i-- {
		if c := m.journal.floors[i]; c.at >= lost {
			if m.floors[c.a] = c.old; c.old == nil {
				delete(m.floors, c.a)
			}
		}
	}
	m.journal.floors = nil
	m.journal.requests = slices.DeleteFunc(m.journal.requests, func(e *entry) bool {
		return e.arrived >= lost && found[e.ev.ID].phase != stored
	})
	m.tombs = newTombs()
	for _, e := range m.journal.requests {
		switch {
		case e.ev.Kind == 62:
			m.tombs.vanished[e.ev.PubKey] = max(e.ev.CreatedAt, m.tombs.vanished[e.ev.PubKey])
		case found[e.ev.ID].phase == stored: // then all of it is read again, whatever is remembered
			e.asks = newTombs()
			e.asks.add(&e.ev)
			m.tombs.take(e.asks)
		default:
			m.tombs.take(e.asks)
		}
	}
	maps.DeleteFunc(m.expired, func(_ string, at instant.Instant) bool { return at >= lost })
}

// lateRefs judges that no pushed ref below refs/nostr has waited for an event of which nobody has heard for longer than it may.
func (m *Model) lateRefs() {
	for _, name := range m.names {
		r := m.rooms[name]
		for _, x := range r.repositories {
			if !x.there || !isPlace(x.id) && !r.hosted(string(x.id.Owner)) || m.ailing(r) || r.orders+r.pushing > 0 {
				continue
			}
			for _, b := range x.births {
				e := m.entries[strings.TrimPrefix(b.ref, "refs/nostr/")]
				if e == nil && m.now > after(b.orphaned, refLife+refSlack) && !x.strange {
					m.differ("G01-PR-07", "pull-stays", "%s of %s has waited for its event for %d ns", b.ref, x.id.Owner, m.now-b.orphaned)
					return
				}
			}
		}
	}
}

// owner stands for the author of a repository's announcement.
func (r *room) owner(id repo.ID) nostr.Event { return nostr.Event{PubKey: string(id.Owner)} }
