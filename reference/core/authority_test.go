package core

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/repo"
)

// Whatever is announced and withdrawn, and whatever is asked in between: the sets that are kept are those that would be
// computed now, and whose set may have changed is known (INV-02).
func TestKeptSetsAreTheSets(t *testing.T) {
	for name, model := range map[string]repo.Model{"legacy": repo.Legacy, "reciprocal": repo.Reciprocal, "direct": repo.DirectOnly} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { keepsSets(t, model) })
		})
	}
}

const people = 6

func keepsSets(t *rapid.T, model repo.Model) {
	service, err := repo.ParseService("ws://grasp.test")
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Service: service, Model: model})
	if rapid.Bool().Draw(t, "limited") {
		s.authorities.max = rapid.IntRange(0, 2*people).Draw(t, "max")
	}
	person := rapid.IntRange(0, people-1)
	known := computed(s)
	for n := range rapid.IntRange(1, 40).Draw(t, "steps") {
		id := personal(person.Draw(t, "who"))
		switch _, announced := s.announced[id]; {
		case announced && rapid.Bool().Draw(t, "goes"):
			s.unannounce(id)
		default:
			a := repo.Announcement{ID: id, Event: &nostr.Event{ID: fmt.Sprint(n), CreatedAt: nostr.Timestamp(n)}}
			for _, m := range rapid.SliceOfNDistinct(person, 0, 3, rapid.ID[int]).Draw(t, "lists") {
				a.Maintainers = append(a.Maintainers, personal(m).Owner)
			}
			s.announce(accepted(a))
		}
		if rapid.Bool().Draw(t, "asks") {
			s.maintainers(personal(person.Draw(t, "of")))
		}
		now := computed(s)
		a := s.authorities.of["demo"]
		for who := range people {
			id := personal(who)
			if _, is := s.announced[id]; is && !slices.Equal(now[id], known[id]) && !a.changed[id.Owner] {
				t.Fatalf("step %d: the set of %s has become %v, was %v, and nobody knows", n, id.Owner, now[id], known[id])
			}
		}
		if rapid.Bool().Draw(t, "looks") {
			var out Effects
			s.lookAtChanged(0, "demo", &out)
			known = now
		}
		if rapid.Bool().Draw(t, "checks") {
			asRight(t, s, now)
		}
	}
	asRight(t, s, computed(s))
}

func accepted(a repo.Announcement) announced { return announced{Announcement: a} }

func personal(who int) repo.ID {
	return repo.ID{Owner: repo.PubKey(fmt.Sprint("person", who)), Identifier: "demo"}
}

// computed is the set of everybody, computed anew.
func computed(s *Server) map[repo.ID][]repo.PubKey {
	sets := map[repo.ID][]repo.PubKey{}
	for who := range people {
		id := personal(who)
		sets[id] = repo.MaintainerSet(s.cfg.Model, id.Owner, id.Identifier, func(key repo.PubKey) (repo.Announcement, bool) {
			a, ok := s.announced[repo.ID{Owner: key, Identifier: id.Identifier}]
			return a.Announcement, ok
		})
	}
	return sets
}

func asRight(t *rapid.T, s *Server, want map[repo.ID][]repo.PubKey) {
	kept := 0
	for who := range people {
		id := personal(who)
		if got := s.maintainers(id); !slices.Equal(got, want[id]) {
			t.Fatalf("the set of %s: got %v, want %v", id.Owner, got, want[id])
		}
		kept += len(want[id])
		var holding []repo.PubKey
		for other := range people {
			if slices.Contains(want[personal(other)], id.Owner) {
				holding = append(holding, personal(other).Owner)
			}
		}
		if got := s.holding(id.Owner, "demo"); !slices.Equal(got, holding) {
			t.Fatalf("who holds %s: got %v, want %v", id.Owner, got, holding)
		}
	}
	if got, limit := s.authorities.kept, s.authorities.max; got > limit || limit == AuthoritiesMax && got != kept {
		t.Fatalf("got %d keys kept, want %d, at most %d", got, kept, limit)
	}
}
