package core_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// vanishers is a server that takes so many events of an author at a time out, and has these two write some.
func vanishers(t testing.TB, atOnce, each int) *shell {
	t.Helper()
	s := newShell(t)
	s.limit = func(cfg *core.Config) { cfg.VanishAtOnce = atOnce }
	s.boot()
	for n := range each {
		for _, who := range []string{"alice", "bob"} {
			s.stored[fmt.Sprint(who, n)] = noteBy(who, n)
		}
	}
	for name, ev := range s.stored {
		delete(s.stored, name)
		s.stored[ev.ID] = ev
	}
	s.boot()
	return s
}

// noteBy is the n-th thing that somebody wrote, two to a second.
func noteBy(who string, n int) *nostr.Event {
	ev := &nostr.Event{PubKey: string(key(who)), Kind: 1621, CreatedAt: nostr.Timestamp(start.Unix() - 1000 + int64(n/2)), Content: fmt.Sprint(n)}
	ev.ID = ev.GetID()
	return ev
}

// remaining is how many events of an author are stored that are no request to vanish.
func (s *shell) remaining(who string) (n int) {
	for _, ev := range s.stored {
		if ev.PubKey == string(key(who)) && ev.Kind != 62 {
			n++
		}
	}
	return n
}

var toAll = nostr.Tag{"relay", "ALL_RELAYS"}

// What an author wrote who vanishes goes in portions, and the answer comes with the last one, to everybody who asked.
func TestVanishingGoesInPortions(t *testing.T) {
	s := vanishers(t, 4, 10)
	request := s.send("alice", "request", 62, 0, toAll)
	s.want(`live request`)
	if got := s.remaining("alice"); got != 6 {
		t.Fatalf("got %d events left after the request, want 6", got)
	}
	s.log.Reset()
	s.step(core.Message{Conn: 2, Msg: relay.Event{Event: request, IDOK: true}, SigOK: true})
	s.step(core.TimerFired{}) // too early
	if at, set := s.server.Deadline(); !set || at != s.now.Add(core.VanishPause) {
		t.Errorf("got a deadline at %v, want the next portion in %v", at, core.VanishPause)
	}
	s.pass(core.VanishPause)
	if got := s.remaining("alice"); got != 2 || strings.Contains(s.log.String(), "ok ") {
		t.Fatalf("got %d events left and %q, want 2 and no answer", got, s.log.String())
	}
	s.pass(core.VanishPause)
	if got := s.remaining("alice"); got != 0 || strings.Count(s.log.String(), `ok request true ""`) != 2 {
		t.Errorf("got %d events left and %q, want none and two answers", got, s.log.String())
	}
	if s.remaining("bob") != 10 || s.stored[request.ID] == nil {
		t.Errorf("got %d events of somebody else, and the request %v; want 10, and it stored", s.remaining("bob"), s.stored[request.ID])
	}
	if at, set := s.server.Deadline(); set {
		t.Errorf("got a deadline at %v, want none", at)
	}
}

// A server that ends in the middle of a vanishing goes on with it after its start, whichever portion was the last.
func TestVanishingOutlivesCrashes(t *testing.T) {
	for portions := range 4 {
		s := vanishers(t, 3, 10)
		request := s.send("alice", "request", 62, 0, toAll)
		for range portions {
			s.pass(core.VanishPause)
		}
		before := s.remaining("alice")
		if want := max(0, 7-3*portions); before != want {
			t.Fatalf("got %d events left after %d portions, want %d", before, portions, want)
		}
		s.boot()
		for range 4 {
			s.pass(core.VanishPause)
		}
		if s.remaining("alice") != 0 || s.remaining("bob") != 10 || s.stored[request.ID] == nil {
			t.Errorf("after %d portions and a start: got %d and %d events left, and the request %v; want 0, 10, and it stored",
				portions, s.remaining("alice"), s.remaining("bob"), s.stored[request.ID])
		}
		s.log.Reset()
		s.step(core.Message{Conn: 1, Msg: relay.Event{Event: noteBy("alice", 1), IDOK: true}, SigOK: true})
		s.want(`false "blocked: this event is deleted"`)
		s.boot()
		if at, set := s.server.Deadline(); set {
			t.Errorf("got a deadline at %v after a start with nothing left, want none", at)
		}
	}
}

// Those who vanish take turns, and whoever asks once more while it lasts is answered for both requests; what is younger stays.
func TestVanishingTakesTurns(t *testing.T) {
	s := vanishers(t, 2, 7)
	s.send("alice", "first", 62, 0, toAll)
	s.send("bob", "other", 62, 0, toAll)
	s.send("alice", "young", 10317, 1)
	second := s.send("alice", "second", 62, 2, toAll)
	s.send("alice", "youngest", 10317, 3)
	s.log.Reset()
	var turns []string
	for range 10 {
		alice, bob := s.remaining("alice"), s.remaining("bob")
		if s.pass(core.VanishPause); s.remaining("alice") < alice && s.remaining("bob") < bob {
			t.Error("two authors lost events in one step")
		}
		switch {
		case s.remaining("alice") < alice:
			turns = append(turns, "alice")
		case s.remaining("bob") < bob:
			turns = append(turns, "bob")
		}
	}
	if want := []string{"alice", "bob", "alice", "bob", "alice", "bob"}; !slices.Equal(turns, want) {
		t.Errorf("got turns of %v, want %v", turns, want)
	}
	s.want(`ok first true ""`, `ok second true ""`, `ok other true ""`)
	if s.remaining("alice") != 1 || s.stored[second.ID] == nil {
		t.Errorf("got %d events left, and the last request %v; want the one that is younger, and it stored", s.remaining("alice"), s.stored[second.ID])
	}
}
