package replicate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
)

// An announcement that does not count while a newer one is held is asked for again when that one has left, and then alone.
func TestShadowed(t *testing.T) {
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
	older := announcement("older", "x", peer)
	f := w.relay(peer, older)
	id := repo.ID{Owner: owner, Identifier: "x"}
	shadowed := true
	w.shadows = func() bool { return shadowed }
	w.m.Start(w.now)
	w.until(time.Hour)
	if w.have[older.ID] != nil || f.sent[older.ID] != 1 {
		t.Fatalf("sent %d times, want once", f.sent[older.ID])
	}
	shadowed = false
	w.m.Left(w.now, id)
	w.until(time.Hour + time.Minute)
	if w.have[older.ID] == nil || f.sent[older.ID] != 2 {
		t.Errorf("sent %d times, and taken %t; want it once more", f.sent[older.ID], w.have[older.ID] != nil)
	}
}

// Whoever announces a repository may authorize states that were here and had to go with an earlier announcement: they are asked
// for again, though somebody else's repository has the same identifier and they have never ceased to be wanted.
func TestStatesAreAskedForWithEachRepository(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	state := event("state", 30618, 5, []string{"d", "x"})
	f := w.relay(peer, state)
	w.m.Start(w.now)
	w.store(announcement("a", "x", peer))
	w.until(time.Hour)
	delete(w.have, state.ID)
	other := announcement("b", "x", peer)
	other.PubKey = strings.Repeat("cd", 32)
	w.store(other)
	w.until(time.Hour + time.Minute)
	w.complete(f.events)
}
