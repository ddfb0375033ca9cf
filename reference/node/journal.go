package node

import (
	"cmp"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
)

// A Journal keeps what a server must not forget: the stored and the held events, and marks. One goroutine uses it at a time.
type Journal interface {
	// Load returns everything that is kept, in an order that depends on the content alone: stored events by
	// created_at, then id; held ones by arrival, then id; marks by name. It names no repositories. What cannot be read
	// is left out and stays where it is: aside says of each what is wrong with it, and Incomplete is set.
	Load() (started core.Started, aside []error, err error)
	// Room says why nothing can be written at present, nil if it can. It costs little.
	Room() error
	// Write applies the records in order, all or none. They are durable when it returns nil. After ErrNoRoom the same may
	// be tried again; after any other error the journal must not be used any more.
	Write(records []core.Record) error
	// Close releases what the journal holds. It forgets nothing that Write has acknowledged.
	Close() error
}

// A MemoryJournal forgets everything with the process. Handing the same value to a second node after the first has
// ended is a restart.
type MemoryJournal struct{ kept *core.Survivors }

// NewMemoryJournal returns an empty journal.
func NewMemoryJournal() *MemoryJournal { return &MemoryJournal{core.NewSurvivors()} }

// Load returns what is kept.
func (j *MemoryJournal) Load() (started core.Started, aside []error, err error) {
	started = core.Started{Stored: j.kept.Stored(), Held: j.kept.Held(), Marks: j.kept.Marks()}
	sortSurvivors(started)
	return started, nil, nil
}

// Room always has some.
func (j *MemoryJournal) Room() error { return nil }

// Write applies the records.
func (j *MemoryJournal) Write(records []core.Record) error {
	for _, r := range records {
		j.kept.Apply(r)
	}
	return nil
}

// Close does nothing: the content stays for a second node.
func (j *MemoryJournal) Close() error { return nil }

func sortSurvivors(started core.Started) {
	slices.SortFunc(started.Stored, func(a, b *nostr.Event) int {
		return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	slices.SortFunc(started.Held, func(a, b core.HeldEvent) int {
		return cmp.Or(cmp.Compare(a.Arrived, b.Arrived), cmp.Compare(a.Event.ID, b.Event.ID))
	})
	slices.SortFunc(started.Marks, func(a, b core.Mark) int { return cmp.Compare(a.Name(), b.Name()) })
}
