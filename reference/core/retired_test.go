package core_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// Of the repositories whose served announcements one owner deletes the latest are kept, over a restart too.
func TestRetiredRepositoriesAreBounded(t *testing.T) {
	s := newShell(t)
	named := func(n int) repo.ID { return repo.ID{Owner: key("alice"), Identifier: fmt.Sprintf("demo%02d", n)} }
	for n := range core.RetiredPerKeyMax + 2 {
		id := named(n)
		s.announceLarge("alice", id.Identifier, 1, 0)
		s.send("alice", "state", 30618, 2, nostr.Tag{"d", id.Identifier}, nostr.Tag{"refs/heads/main", string(oid("a"))})
		s.bring(id, []repo.Ref{{Name: "refs/heads/main", OID: oid("a")}}, false)
		s.send("alice", "deletion", 5, 3, nostr.Tag{"a", "30617:" + string(id.Owner) + ":" + id.Identifier})
		s.now = s.now.Add(time.Second)
		if n == core.RetiredPerKeyMax-1 {
			s.boot()
		}
	}
	var kept []repo.ID
	for n := range core.RetiredPerKeyMax + 2 {
		if s.repos[named(n)] != nil {
			kept = append(kept, named(n))
		}
	}
	if want := core.RetiredPerKeyMax; len(kept) != want || !slices.Contains(kept, named(want+1)) || slices.Contains(kept, named(1)) {
		t.Errorf("got %d repositories kept, %v, want the last %d", len(kept), kept, want)
	}
	if len(s.marks) < core.RetiredPerKeyMax {
		t.Errorf("got %d marks, want one for each kept repository at least", len(s.marks))
	}
}

// One request to vanish retires all repositories of an owner at one instant: as many are kept as at any other time, and
// none stays that nothing speaks of (INV-18).
func TestVanishingRetiresNoMoreThanTheLimit(t *testing.T) {
	s := newShell(t)
	for n := range core.RetiredPerKeyMax + 8 {
		// Later ones have smaller names, so that each is the first of its instant.
		id := repo.ID{Owner: key("alice"), Identifier: fmt.Sprintf("demo%02d", 90-n)}
		s.announceLarge("alice", id.Identifier, 1, 0)
		s.send("alice", "state", 30618, 2, nostr.Tag{"d", id.Identifier}, nostr.Tag{"refs/heads/main", string(oid("a"))})
		s.bring(id, []repo.Ref{{Name: "refs/heads/main", OID: oid("a")}}, false)
	}
	s.send("alice", "vanish", 62, 3, nostr.Tag{"relay", "ALL_RELAYS"})
	retired := 0
	for _, m := range s.marks {
		if m.Kind == core.MarkRetired {
			retired++
		}
	}
	if retired != core.RetiredPerKeyMax || len(s.repos) != retired {
		t.Errorf("got %d repositories and %d marks, want %d of both", len(s.repos), retired, core.RetiredPerKeyMax)
	}
}
