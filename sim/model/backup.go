package model

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
)

// A Backup is what the model knew when somebody made a copy of the disk of its server.
type Backup struct {
	entries map[string]*entry
	acked   map[string]*entry
	journal journal
	floors  map[address]*entry
	expired map[string]instant.Instant
}

// Saved returns what the model knows, of the moment at which the disk of its server is copied.
func (m *Model) Saved() Backup {
	b := Backup{
		entries: map[string]*entry{}, acked: map[string]*entry{}, journal: m.journal.clone(), floors: maps.Clone(m.floors),
		expired: maps.Clone(m.expired),
	}
	for _, id := range slices.Sorted(maps.Keys(m.entries)) {
		e := *m.entries[id]
		if b.entries[id] = &e; m.acked[id] == m.entries[id] {
			b.acked[id] = &e
		}
	}
	return b
}

// Restored says that the server has ended, and that what it starts on next is what its disk had when the backup was made:
// that is judged like the end of a life at that moment, and nothing is owed that came after it.
func (m *Model) Restored(b Backup) {
	m.entries, m.acked, m.journal = maps.Clone(b.entries), maps.Clone(b.acked), b.journal.clone()
	m.floors, m.expired = maps.Clone(b.floors), maps.Clone(b.expired)
	for _, name := range m.hunt.names {
		m.hunt.sites[name].ended = 0 // that a request has ended is known no more: the marks of the backup tell all that is
	}
}

func (j *journal) clone() journal {
	return journal{maps.Clone(j.now), slices.Clone(j.log), slices.Clone(j.floors), slices.Clone(j.requests), j.lived}
}
