package purgatory_test

import (
	"testing"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

func TestPlaceholdersExpireInOrder(t *testing.T) {
	p := purgatory.NewPlaceholders()
	a, b := repo.ID{Owner: "a", Identifier: "x"}, repo.ID{Owner: "b", Identifier: "x"}
	for _, h := range []purgatory.Placeholder{
		{Event: "e2", Repo: a, Deadline: 20}, {Event: "e1", Repo: b, Deadline: 10}, {Event: "e1", Repo: a, Deadline: 10},
	} {
		p.Put(&h)
	}
	if got := p.Due(9); got != nil {
		t.Errorf("got %v due before its deadline", got)
	}
	if at, ok := p.Deadline(); !ok || at != 10 {
		t.Errorf("got deadline %d, %t, want 10", at, ok)
	}
	if got := p.In(a); len(got) != 2 || got[0].Event != "e1" || got[1].Event != "e2" || p.LenIn(b) != 1 {
		t.Errorf("got %v in a and %d in b", got, p.LenIn(b))
	}
	for i, want := range []struct {
		event string
		id    repo.ID
		at    instant.Instant
	}{{"e1", a, 10}, {"e1", b, 10}, {"e2", a, 20}} {
		got := p.Due(want.at)
		if got == nil || got.Event != want.event || got.Repo != want.id {
			t.Fatalf("%d: got %v, want %v", i, got, want)
		}
		p.Drop(got)
		if p.Get(want.event, want.id) != nil {
			t.Errorf("%d: still there", i)
		}
	}
	if _, ok := p.Deadline(); ok || p.Len() != 0 || p.LenIn(a) != 0 || len(p.In(a)) != 0 {
		t.Errorf("got %d left, want none", p.Len())
	}
}

func TestPlaceholdersArePutOnceAndDroppedOnce(t *testing.T) {
	p := purgatory.NewPlaceholders()
	h := &purgatory.Placeholder{Event: "e"}
	for name, twice := range map[string]func(*purgatory.Placeholder){"put": p.Put, "dropped": p.Drop} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a placeholder could be %s twice", name)
				}
			}()
			twice(h)
			twice(h)
		}()
		if p.Len() > 0 {
			p.Drop(h)
		}
	}
}

// Placeholders of places for contributions are counted apart and found by their event.
func TestPlaceholdersOfPlaces(t *testing.T) {
	p := purgatory.NewPlaceholders()
	a, b := repo.Contribution("a", "x"), repo.Contribution("b", "x")
	hs := []*purgatory.Placeholder{{Event: "e", Repo: b}, {Event: "e", Repo: a}, {Event: "f", Repo: a}, {Event: "e", Repo: repo.ID{Owner: "a", Identifier: "x"}}}
	for _, h := range hs {
		p.Put(h)
	}
	if all, his := p.Contributed("a"); all != 3 || his != 2 {
		t.Errorf("got %d in all and %d, want 3 and 2", all, his)
	}
	if got := p.Places("e"); len(got) != 2 || got[0] != a || got[1] != b {
		t.Errorf("got %v", got)
	}
	for _, h := range hs {
		p.Drop(h)
	}
	if all, his := p.Contributed("a"); all != 0 || his != 0 || p.Places("e") != nil || p.Places("f") != nil {
		t.Errorf("got %d and %d left, and %v", all, his, p.Places("e"))
	}
}
