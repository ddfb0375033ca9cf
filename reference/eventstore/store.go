// Package eventstore is the index of the events that the server serves: it keeps the latest of what is replaceable,
// and answers filters in the order that NIP-01 asks for. It lives in memory with a stated bound; it judges no event,
// and what makes events durable is elsewhere.
package eventstore

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// A Store holds events under these invariants:
//
//  1. Every event is in each index that applies to it, exactly once.
//  2. No two events have the same id, nor the same address if they are replaceable or addressable.
//  3. None is ephemeral, and Save never makes them more than max, nor more than bytesMax bytes.
//
// Events are shared, not copied: neither the caller nor the store changes one after Save.
type Store struct {
	max      int
	bytesMax int // 0 is no limit
	bytes    int // by repo.Size
	events   map[string]*nostr.Event
	latest   map[address]*nostr.Event
	all      list
	authors  map[string]list
	kinds    map[int]list
	tags     map[tagValue]list
	expiring []expiring // sorted by time, then id
}

// New returns an empty store that holds at most eventsMax events. See [Store.LimitBytes] for its other limit.
func New(eventsMax int) *Store {
	return &Store{
		max:     eventsMax,
		events:  map[string]*nostr.Event{},
		latest:  map[address]*nostr.Event{},
		authors: map[string]list{},
		kinds:   map[int]list{},
		tags:    map[tagValue]list{},
	}
}

// An Outcome says what Save did with an event.
type Outcome uint8

// The outcomes of Save.
const (
	Stored     Outcome = iota + 1 // it is kept, or it is ephemeral and was passed on without being kept
	Duplicate                     // an event of this id is kept already
	Superseded                    // a newer event of the same address is kept (N01-REP-01)
	Full                          // the store holds its maximum, and what this event would replace makes no room
	Deleted                       // its author asked for its deletion (not yet returned)
)

// A Room is what is kept free for events that are sure to come.
type Room struct {
	Events int
	Bytes  int // by repo.Size
}

// HasRoom reports whether an event finds room beside what is kept. One that takes the place of another needs what it is
// larger by.
func (s *Store) HasRoom(ev *nostr.Event, kept Room) bool {
	var replaced []*nostr.Event
	if addr, replaceable := addressOf(ev); replaceable && s.latest[addr] != nil {
		replaced = append(replaced, s.latest[addr])
	}
	return !s.tooMuch(ev, replaced, kept)
}

func (s *Store) tooMuch(ev *nostr.Event, replaced []*nostr.Event, kept Room) bool {
	return len(replaced) == 0 && len(s.events)+kept.Events >= s.max || s.heavy(ev, replaced, kept.Bytes)
}

// Save keeps an event, and returns those that it replaced: at most one, the former latest of its address. It leaves the room
// that is kept for others.
func (s *Store) Save(ev *nostr.Event, kept Room) (Outcome, []*nostr.Event) {
	return s.save(ev, func(replaced []*nostr.Event) bool { return s.tooMuch(ev, replaced, kept) })
}

// Restore is Save for an event whose room was kept, or that was here before: it is never Full.
func (s *Store) Restore(ev *nostr.Event) (Outcome, []*nostr.Event) {
	return s.save(ev, func([]*nostr.Event) bool { return false })
}

func (s *Store) save(ev *nostr.Event, full func(replaced []*nostr.Event) bool) (Outcome, []*nostr.Event) {
	if s.events[ev.ID] != nil {
		return Duplicate, nil
	}
	if IsEphemeral(ev.Kind) {
		return Stored, nil
	}
	addr, replaceable := addressOf(ev)
	var replaced []*nostr.Event
	if replaceable {
		if old := s.latest[addr]; old != nil {
			if !repo.Newer(ev, old) {
				return Superseded, nil
			}
			replaced = []*nostr.Event{old}
		}
	}
	if full(replaced) {
		return Full, nil
	}
	for _, old := range replaced {
		s.Remove(old.ID)
	}
	s.events[ev.ID] = ev
	if replaceable {
		s.latest[addr] = ev
	}
	s.bytes += repo.Size(ev)
	s.all.insert(ev)
	s.schedule(ev)
	insert(s.authors, ev.PubKey, ev)
	insert(s.kinds, ev.Kind, ev)
	for _, tag := range ev.Tags {
		if key, ok := tagValueOf(tag); ok {
			insert(s.tags, key, ev)
		}
	}
	return Stored, replaced
}

// Remove drops an event and reports whether it was there.
func (s *Store) Remove(id string) bool {
	ev := s.events[id]
	if ev == nil {
		return false
	}
	delete(s.events, id)
	if addr, ok := addressOf(ev); ok {
		delete(s.latest, addr)
	}
	s.bytes -= repo.Size(ev)
	s.all.remove(ev)
	s.unschedule(ev)
	remove(s.authors, ev.PubKey, ev)
	remove(s.kinds, ev.Kind, ev)
	for _, tag := range ev.Tags {
		if key, ok := tagValueOf(tag); ok {
			remove(s.tags, key, ev)
		}
	}
	return true
}

// Get returns the event of an id, or nil.
func (s *Store) Get(id string) *nostr.Event { return s.events[id] }

// Latest returns the one event of a replaceable or addressable kind by an author, or nil. For a replaceable kind d
// counts for nothing.
func (s *Store) Latest(kind int, pubkey, d string) *nostr.Event {
	if !IsAddressable(kind) {
		d = ""
	}
	return s.latest[address{kind, pubkey, d}]
}

// Len returns the number of events.
func (s *Store) Len() int { return len(s.events) }

// Sorted returns all events, newest first (repo.Newer).
func (s *Store) Sorted() []*nostr.Event {
	events := make([]*nostr.Event, 0, s.all.n)
	p := s.all.from(nil)
	for ev := p.next(); ev != nil; ev = p.next() {
		events = append(events, ev)
	}
	return events
}
