package model

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"
)

// What an event takes, in bytes, by the account in which the limits of bytes are set.
const (
	eventBytes = 512
	tagBytes   = 24
	valueBytes = 16
)

// A load is so many events, and so many bytes of them.
type load struct{ entries, bytes int }

func (l *load) add(e *entry, n int) {
	l.entries += n
	l.bytes += n * e.size
}

func (l *load) count() int {
	if l == nil {
		return 0
	}
	return l.entries
}

// Limits are those of bytes, and of what is remembered; zero is one that nobody reaches.
type Limits struct {
	HeldBytes, HeldBytesPerKey, StoredBytes, Tombstones, Clocks int
}

func (l *load) weight() int {
	if l == nil {
		return 0
	}
	return l.bytes
}

func beyond(n, limit int) bool { return limit > 0 && n > limit }

// sizeOf is what an event takes: itself with its text, each tag, and each value with its text.
func sizeOf(ev *nostr.Event) int {
	n := eventBytes + len(ev.Content)
	for _, tag := range ev.Tags {
		n += tagBytes
		for _, value := range tag {
			n += valueBytes + len(value)
		}
	}
	return n
}

// guesses count what is arriving that may have been kept out, which nobody is told: what another server has said and there may
// have been no room for. Until the rooms that they are for are at rest nobody knows, so a limit that is reached with them alone may be
// one that is not reached.
type guesses struct {
	load                        // all of it
	announcing int              // announcements, which are not in their first phase yet
	of         map[string]*load // by author, without announcements
}

func (g *guesses) count(e *entry, n int) {
	g.add(e, n)
	if e.announcement {
		g.announcing += n
		return
	}
	if g.of[e.ev.PubKey] == nil {
		g.of[e.ev.PubKey] = &load{}
	}
	g.of[e.ev.PubKey].add(e, n)
}

// weighs reports whether an event may be, and whether it certainly is, too large for purgatory, in the place of another one if that is
// not nil (G01-PURG-23).
func (m *Model) weighs(e, old *entry) (may, certain bool) {
	more := e.size
	if old != nil {
		more -= old.size
	}
	if more <= 0 {
		return false, false
	}
	mine, all := m.activeOf[e.ev.PubKey].weight(), m.active.bytes+m.announcing.bytes
	over := func(mine, all int) bool {
		return beyond(mine+more, m.cfg.Limits.HeldBytesPerKey) || beyond(all+more, m.cfg.Limits.HeldBytes)
	}
	return over(mine, all), over(mine-m.guesses.of[e.ev.PubKey].weight(), all-m.guesses.bytes)
}

// tooHeavy reports whether the store may have, and whether it certainly has, no room for the bytes of an event, beside what has its room
// there already.
func (m *Model) tooHeavy(e *entry) (may, certain bool) {
	more := e.size
	if a, ok := e.address(); ok && m.latest[a] != nil {
		more -= m.latest[a].size
	}
	all := m.stored.bytes + m.active.bytes + m.soft.bytes + m.announcing.bytes + more
	return beyond(all, m.cfg.Limits.StoredBytes), beyond(all-m.guesses.bytes, m.cfg.Limits.StoredBytes)
}

// count keeps the numbers that limits are about.
func (m *Model) count(e *entry, n int) {
	key := e.ev.PubKey
	active := func() {
		m.active.add(e, n)
		if m.activeOf[key] == nil {
			m.activeOf[key] = &load{}
		}
		m.activeOf[key].add(e, n)
	}
	switch e.phase { //nolint:exhaustive // the others have no limit of their own
	case arriving:
		m.coming += n
		if e.unsure {
			m.guesses.count(e, n)
		}
		if e.announcement {
			m.announcing.add(e, n)
			if m.announcers = slices.DeleteFunc(m.announcers, func(x *entry) bool { return x == e }); n > 0 {
				m.announcers = append(m.announcers, e)
			}
		} else {
			active()
		}
	case held:
		m.held += n
		if e.soft {
			m.soft.add(e, n)
		} else {
			active()
		}
	case stored:
		m.stored.add(e, n)
	}
}

// softened judges the limit of the second phase: at the end of a step no more are in it than may be, but for those that pushes
// hold, and none went while one stays that has been in it for longer.
func (m *Model) softened() {
	if m.soft.entries <= m.cfg.Held && !beyond(m.soft.bytes, m.cfg.Limits.HeldBytes) && len(m.step.crowded) == 0 {
		return
	}
	over := m.soft.entries > m.cfg.Held || beyond(m.soft.bytes, m.cfg.Limits.HeldBytes)
	for _, name := range m.names {
		for _, a := range m.rooms[name].announcements {
			if a.phase != held || !a.soft || m.pinned(a) {
				continue
			}
			if over {
				m.differ("G01-PURG-23", "soft-beyond", "%d announcements are in their second phase, more than may be", m.soft.entries)
				return
			}
			for _, gone := range m.step.crowded {
				if a.deadline < gone.deadline {
					m.differ("G01-PURG-23", "soft-order", "announcement %s had to make room before %s", a.ev.ID, gone.ev.ID)
				}
			}
		}
	}
}
