package main

import (
	"context"
	"slices"
	"sync"

	"github.com/fiatjaf/eventstore"
	"github.com/nbd-wtf/go-nostr"
)

// A store is where events are kept: in memory, the newest first, of one time the lowest id first.
type store struct {
	mu     sync.Mutex     // for as long as an act lasts, for the relay has several at once
	events []*nostr.Event // guarded by mu
}

func order(a, b *nostr.Event) int {
	if a.CreatedAt != b.CreatedAt {
		return int(b.CreatedAt - a.CreatedAt)
	}
	return slices.Compare([]byte(a.ID), []byte(b.ID))
}

// matching are the events that a filter selects, as many as it wants. Whoever calls it holds mu.
func (s *store) matching(f nostr.Filter) (all []*nostr.Event) {
	for _, ev := range s.events {
		if f.LimitZero || f.Limit > 0 && len(all) == f.Limit {
			break
		}
		if f.Matches(ev) {
			all = append(all, ev)
		}
	}
	return all
}

func (s *store) query(_ context.Context, f nostr.Filter) (chan *nostr.Event, error) {
	s.mu.Lock()
	found := s.matching(f)
	s.mu.Unlock()
	events := make(chan *nostr.Event, len(found)) // who asked may take the first one and go
	for _, ev := range found {
		events <- ev
	}
	close(events)
	return events, nil
}

func (s *store) count(_ context.Context, f nostr.Filter) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(len(s.matching(f))), nil
}

func (s *store) save(_ context.Context, ev *nostr.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(ev)
}

// add keeps an event. Whoever calls it holds mu.
func (s *store) add(ev *nostr.Event) error {
	at, there := slices.BinarySearchFunc(s.events, ev, order)
	if there {
		return eventstore.ErrDupEvent
	}
	s.events = slices.Insert(s.events, at, ev)
	return nil
}

// replace keeps an event in place of the earlier ones of its address; one that comes late is not kept.
func (s *store) replace(_ context.Context, ev *nostr.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.matching(nostr.Filter{Kinds: []int{ev.Kind}, Authors: []string{ev.PubKey}}) {
		if nostr.IsAddressableKind(ev.Kind) && other.Tags.GetD() != ev.Tags.GetD() { // no identifier is an empty one
			continue
		}
		if order(other, ev) <= 0 {
			return eventstore.ErrDupEvent
		}
		s.drop(other)
	}
	return s.add(ev)
}

func (s *store) remove(_ context.Context, ev *nostr.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(ev)
	return nil
}

// drop forgets an event. Whoever calls it holds mu.
func (s *store) drop(ev *nostr.Event) {
	if at, there := slices.BinarySearchFunc(s.events, ev, order); there {
		s.events = slices.Delete(s.events, at, at+1)
	}
}
