package purgatory_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

func state(id, author, identifier string, at int64, deadline instant.Instant) *purgatory.Entry {
	ev := &nostr.Event{ID: id, PubKey: author, CreatedAt: nostr.Timestamp(at)}
	return &purgatory.Entry{
		Event: ev, Deadline: deadline,
		State: &repo.State{Event: ev, Author: repo.PubKey(author), Identifier: identifier},
	}
}

func TestStatesComeOldestFirst(t *testing.T) {
	p := purgatory.New()
	for _, e := range []*purgatory.Entry{state("b", "k", "d", 2, 9), state("c", "k", "d", 1, 9), state("a", "k", "d", 2, 9)} {
		p.Hold(e)
	}
	var got []string
	for _, e := range p.States("d") {
		got = append(got, e.Event.ID)
	}
	// Of two at the same second the lower id is the newer one, so it comes last (G01-LAT-01).
	if want := []string{"c", "b", "a"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestExtendNeverGoesBack(t *testing.T) {
	p := purgatory.New()
	e := state("a", "k", "d", 1, 100)
	p.Hold(e)
	if p.Extend(e, 50) || e.Deadline != 100 {
		t.Errorf("got deadline %d, want 100", e.Deadline)
	}
	if !p.Extend(e, 150) {
		t.Error("a later deadline was not taken")
	}
	if at, ok := p.Deadline(); !ok || at != 150 {
		t.Errorf("got deadline %d, want 150", at)
	}
}

// The purgatory against a list: what is due, in which order, with pins and extensions.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := purgatory.New()
		var held []*purgatory.Entry
		pins := map[*purgatory.Entry]int{}
		next := 0
		pick := func(t *rapid.T) *purgatory.Entry {
			if len(held) == 0 {
				t.Skip("nothing is held")
			}
			return rapid.SampledFrom(held).Draw(t, "entry")
		}
		t.Repeat(map[string]func(*rapid.T){
			"hold": func(t *rapid.T) {
				next++
				e := state(fmt.Sprintf("%04d", next), rapid.SampledFrom([]string{"k", "l"}).Draw(t, "author"), "d",
					rapid.Int64Range(0, 3).Draw(t, "created"), instant.Instant(rapid.Int64Range(0, 20).Draw(t, "deadline")))
				p.Hold(e)
				held = append(held, e)
			},
			"drop": func(t *rapid.T) {
				e := pick(t)
				p.Drop(e)
				held = slices.DeleteFunc(held, func(x *purgatory.Entry) bool { return x == e })
				for ; pins[e] > 0; pins[e]-- {
					p.Unpin(e)
				}
			},
			"extend": func(t *rapid.T) { p.Extend(pick(t), instant.Instant(rapid.Int64Range(0, 40).Draw(t, "at"))) },
			"pin":    func(t *rapid.T) { e := pick(t); p.Pin(e); pins[e]++ },
			"unpin": func(t *rapid.T) {
				e := pick(t)
				if pins[e] == 0 {
					t.Skip("not pinned")
				}
				p.Unpin(e)
				pins[e]--
			},
			"": func(t *rapid.T) {
				var first *purgatory.Entry
				for _, e := range held {
					if p.Get(e.Event.ID) != e {
						t.Fatalf("%s is lost", e.Event.ID)
					}
					if pins[e] == 0 && (first == nil || e.Deadline < first.Deadline ||
						e.Deadline == first.Deadline && e.Event.ID < first.Event.ID) {
						first = e
					}
				}
				if at, ok := p.Deadline(); ok != (first != nil) || ok && at != first.Deadline {
					t.Fatalf("got deadline %d %t, want that of %v", at, ok, first)
				}
				if got := p.Due(1 << 40); got != first {
					t.Fatalf("got %v due, want %v", got, first)
				}
				if first != nil && p.Due(first.Deadline-1) != nil {
					t.Fatal("due before its deadline")
				}
				if p.Len() != len(held) || len(p.States("d")) != len(held) || p.ActiveOf("k").Entries+p.ActiveOf("l").Entries != len(held) {
					t.Fatalf("got %d entries, want %d", p.Len(), len(held))
				}
			},
		})
	})
}
