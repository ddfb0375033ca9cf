package sim

import (
	"maps"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
)

// A Journal is what survives of a server's events: the records that were made durable, applied.
type Journal struct {
	stored map[string]*nostr.Event
	held   map[string]core.HeldEvent
	marks  map[string]core.Mark
}

// NewJournal returns an empty journal.
func NewJournal() *Journal {
	return &Journal{stored: map[string]*nostr.Event{}, held: map[string]core.HeldEvent{}, marks: map[string]core.Mark{}}
}

// Apply writes one record.
func (j *Journal) Apply(r core.Record) {
	switch r.Op {
	case core.OpStore:
		j.stored[r.ID] = r.Event
		delete(j.held, r.ID)
	case core.OpUnstore:
		delete(j.stored, r.ID)
	case core.OpHold:
		j.held[r.ID] = core.HeldEvent{Event: r.Event, Arrived: r.Arrived, Deadline: r.Deadline, Soft: r.Soft}
	case core.OpDrop:
		delete(j.held, r.ID)
	case core.OpMark:
		j.marks[r.Mark.Name()] = r.Mark
	case core.OpUnmark:
		delete(j.marks, r.Mark.Name())
	default:
		panic("sim: invariant: unknown journal operation")
	}
}

// Stored lists the stored events by id.
func (j *Journal) Stored() []*nostr.Event {
	list := make([]*nostr.Event, 0, len(j.stored))
	for _, id := range slices.Sorted(maps.Keys(j.stored)) {
		list = append(list, j.stored[id])
	}
	return list
}

// Held lists the held events by id.
func (j *Journal) Held() []core.HeldEvent {
	list := make([]core.HeldEvent, 0, len(j.held))
	for _, id := range slices.Sorted(maps.Keys(j.held)) {
		list = append(list, j.held[id])
	}
	return list
}

// Marks lists the marks by name.
func (j *Journal) Marks() []core.Mark {
	list := make([]core.Mark, 0, len(j.marks))
	for _, name := range slices.Sorted(maps.Keys(j.marks)) {
		list = append(list, j.marks[name])
	}
	return list
}
