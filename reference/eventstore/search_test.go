package eventstore_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/relay"
)

func query(s *eventstore.Store, filters ...relay.Filter) []*nostr.Event {
	events, _ := s.Search(relay.Compile(filters...)).Events(eventstore.AnyCost)
	return events
}

func selected(s *eventstore.Store, f relay.Filter, most int) []*nostr.Event {
	events, _ := s.SearchAll(relay.Compile(f), most).Events(eventstore.AnyCost)
	return events
}

func count(s *eventstore.Store, filters ...relay.Filter) int {
	n, _ := s.Search(relay.Compile(filters...)).Count(eventstore.AnyCost)
	return n
}

// A frozen search finds what was there, whatever becomes of the store, and the store is as if nobody had asked. The lists are
// long enough here to be split, to lose chunks and to get them back.
func TestFrozenSearches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := eventstore.New(10_000)
		next, there := 0, []*nostr.Event{}
		save := func(at int) {
			ev := &nostr.Event{ID: fmt.Sprintf("%06d", next), PubKey: "a", Kind: 1, CreatedAt: nostr.Timestamp(at)}
			next++
			s.Save(ev, eventstore.Room{})
			there = append(there, ev)
		}
		change := func() {
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0: // as they come
				for range rapid.IntRange(1, 1500).Draw(t, "many") {
					save(next)
				}
			case 1: // all at one old place
				at := rapid.IntRange(0, next).Draw(t, "at")
				for range rapid.IntRange(1, 1500).Draw(t, "many") {
					save(at)
				}
			default:
				from := rapid.IntRange(0, len(there)).Draw(t, "from")
				to := min(len(there), from+rapid.IntRange(0, 1500).Draw(t, "many"))
				for _, ev := range there[from:to] {
					if !s.Remove(ev.ID) {
						t.Fatalf("event %s was not there", ev.ID)
					}
				}
				there = append(there[:from:from], there[to:]...)
			}
		}
		filters := relay.Compile(relay.Filter{Kinds: []int{1}, Authors: []string{"a", "b"}})
		type kept struct {
			search eventstore.Search
			want   []*nostr.Event
		}
		var frozen []kept
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			change()
			frozen = append(frozen, kept{s.SearchAll(filters, math.MaxInt).Frozen(), s.Sorted()})
		}
		for i, k := range frozen {
			if got, ok := k.search.Events(eventstore.AnyCost); !ok || !cmp.Equal(ids(got), ids(k.want)) {
				t.Fatalf("search %d of %d: got %d events, want the %d that were there", i+1, len(frozen), len(got), len(k.want))
			}
		}
		if got, want := len(s.Sorted()), len(there); got != want || s.Len() != want {
			t.Fatalf("got %d events, want %d", got, want)
		}
	})
}

// What a search costs is bounded by what it is given, and what it finds does not depend on it.
func TestSearchesCost(t *testing.T) {
	s := eventstore.New(10_000)
	for i := range 1000 {
		s.Save(&nostr.Event{
			ID: fmt.Sprintf("%06d", i), PubKey: fmt.Sprint("key", i%10), Kind: 1, CreatedAt: nostr.Timestamp(i),
			Tags: nostr.Tags{{"t", "x"}, {"r", "y"}, {"p", "z"}, {"u", "v"}},
		}, eventstore.Room{})
	}
	ten, until := 10, int64(505)
	for name, c := range map[string]struct {
		filter relay.Filter
		cost   int // and the lists
	}{
		"what it finds": {relay.Filter{Kinds: []int{1}, Limit: &ten}, 11},
		"each tag": {relay.Filter{
			Authors: []string{"key3"}, Tags: []relay.TagFilter{{Letter: 't', Values: []string{"x"}}}, Until: &until,
		}, 1 + 51*5},
		"a list that is empty": {relay.Filter{
			Kinds: []int{1}, Tags: []relay.TagFilter{{Letter: 't', Values: []string{"x"}}, {Letter: 'p', Values: []string{"x"}}},
		}, 0},
	} {
		search := s.Search(relay.Compile(c.filter))
		want, _ := search.Events(eventstore.AnyCost)
		if got, ok := search.Events(c.cost); !ok || !cmp.Equal(ids(got), ids(want)) {
			t.Errorf("%s: got %d events, %t, for a cost of %d, want %d", name, len(got), ok, c.cost, len(want))
		}
		if _, ok := search.Events(c.cost - 1); ok {
			t.Errorf("%s: done for a cost of %d", name, c.cost-1)
		}
		if _, ok := search.Count(c.cost - 1); ok {
			t.Errorf("%s: counted for a cost of %d", name, c.cost-1)
		}
	}
}
