package core

import (
	"maps"
	"slices"

	"github.com/nbd-wtf/go-nostr"
)

// A Survivors is what a journal holds once records have been applied to it: what a server that starts again is told. It
// is the meaning of the records, kept in memory, for shells that need no disk.
type Survivors struct {
	stored map[string]*nostr.Event
	held   map[string]HeldEvent
	marks  map[string]Mark
}

// NewSurvivors returns those of an empty journal.
func NewSurvivors() *Survivors {
	return &Survivors{stored: map[string]*nostr.Event{}, held: map[string]HeldEvent{}, marks: map[string]Mark{}}
}

// Clone returns survivors of their own, with the same in them.
func (j *Survivors) Clone() *Survivors {
	return &Survivors{stored: maps.Clone(j.stored), held: maps.Clone(j.held), marks: maps.Clone(j.marks)}
}

// Apply writes one record.
func (j *Survivors) Apply(r Record) {
	switch r.Op {
	case OpStore:
		j.stored[r.ID] = r.Event
		delete(j.held, r.ID)
	case OpUnstore:
		delete(j.stored, r.ID)
	case OpHold:
		j.held[r.ID] = HeldEvent{Event: r.Event, Arrived: r.Arrived, Deadline: r.Deadline, Soft: r.Soft}
	case OpDrop:
		delete(j.held, r.ID)
	case OpMark:
		j.marks[r.Mark.Name()] = r.Mark
	case OpUnmark:
		delete(j.marks, r.Mark.Name())
	default:
		panic("core: invariant: unknown journal operation")
	}
}

// Stored lists the stored events by id.
func (j *Survivors) Stored() []*nostr.Event {
	list := make([]*nostr.Event, 0, len(j.stored))
	for _, id := range slices.Sorted(maps.Keys(j.stored)) {
		list = append(list, j.stored[id])
	}
	return list
}

// Held lists the held events by id.
func (j *Survivors) Held() []HeldEvent {
	list := make([]HeldEvent, 0, len(j.held))
	for _, id := range slices.Sorted(maps.Keys(j.held)) {
		list = append(list, j.held[id])
	}
	return list
}

// Marks lists the marks by name.
func (j *Survivors) Marks() []Mark {
	list := make([]Mark, 0, len(j.marks))
	for _, name := range slices.Sorted(maps.Keys(j.marks)) {
		list = append(list, j.marks[name])
	}
	return list
}
