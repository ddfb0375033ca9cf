package replicate_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
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
	delete(w.have, state.ID)
	newer := announcement("c", "x", peer)
	newer.CreatedAt, newer.Tags = 100, append(newer.Tags, nostr.Tag{"maintainers", strings.Repeat("ef", 32)})
	w.store(newer)
	w.until(time.Hour + 2*time.Minute)
	w.complete(f.events)
}

// What a relay has sent forged it may have truly: it is asked for everything behind the next gap, however short that is.
func TestForgedEventIsAskedForAgain(t *testing.T) {
	for _, plain := range []bool{false, true} {
		w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
		f := w.relay(peer, history(3)...)
		f.plain = plain
		f.forges = map[string]bool{idOf("issue1"): true}
		w.m.Start(w.now)
		w.until(time.Hour)
		if w.have[idOf("issue1")] != nil || w.have[idOf("issue2")] == nil {
			t.Fatal("want all but what was forged")
		}
		f.forges = nil
		w.drop(f)
		w.until(time.Hour + 2*time.Minute)
		w.complete(f.events)
		w.drop(f)
		before, _ := f.reqs()
		w.until(time.Hour + 4*time.Minute)
		if after, _ := f.reqs(); after-before > 15 {
			t.Errorf("plain %t: got %d questions behind the next gap, want those of a short one", plain, after-before)
		}
	}
}

// What was refused for a reason that passes is asked for again, later each time, and not let be for days (W-87).
func TestPassingRefusals(t *testing.T) {
	for _, times := range []int{1, 3, 8} {
		w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
		f := w.relay(peer, history(3)...)
		w.passing = map[string]int{idOf("issue1"): times}
		w.m.Start(w.now)
		w.until(8 * time.Hour)
		w.complete(f.events)
		if got := f.sent[idOf("issue1")]; got <= times || got > times+3 {
			t.Errorf("refused %d times: got it sent %d times, want it once for each refusal and once more", times, got)
		}
	}
}

// What a relay cuts from an answer, because it sends so many events at a time, is not taken for what it does not have.
func TestPassingRefusalsBeyondAnAnswer(t *testing.T) {
	for _, page := range []int{2, 3, 100} {
		w := newWorld(t, replicate.Config{Bootstrap: []string{peer}, NoNegentropy: true})
		f := w.relay(peer, announcement("announcement", "x", "ws://own.test", peer))
		f.page, w.passing = page, map[string]int{}
		for i := range 8 {
			issue := event("issue"+strconv.Itoa(i), 1621, 2000+int64(i), about("x"))
			f.events, w.passing[issue.ID] = append(f.events, issue), 2
		}
		w.m.Start(w.now)
		w.until(8 * time.Hour)
		w.complete(f.events)
	}
}

// How long that lasts is no reason to let it be: it is asked for each hour at the end.
func TestPassingRefusalsThatLast(t *testing.T) {
	for _, before := range []bool{false, true} { // it is refused before the end of the answer, or behind it
		w := newWorld(t, replicate.Config{Bootstrap: []string{peer}, NoNegentropy: true})
		f := w.relay(peer, history(3)...)
		sent := 0
		f.answering = func(msg relay.ClientMessage) []relay.ServerMessage {
			req, is := msg.(relay.Req)
			if !is || !slices.Contains(req.Filters[0].IDs, idOf("issue1")) {
				return nil
			}
			sent++
			at := slices.IndexFunc(f.events, func(ev *nostr.Event) bool { return ev.ID == idOf("issue1") })
			said := []relay.ServerMessage{relay.EventFor{Sub: req.Sub, Event: f.events[at]}, relay.EOSE{Sub: req.Sub}}
			if before {
				said = said[:1] // the end is taken for granted after a while
			}
			return said
		}
		w.passing = map[string]int{idOf("issue1"): 1_000}
		w.m.Start(w.now)
		w.until(4 * time.Hour)
		sent = 0
		w.until(10 * time.Hour)
		if sent < 5 || sent > 7 {
			t.Errorf("before %t: got it sent %d times in six hours, want it once an hour", before, sent)
		}
		w.passing = nil
		w.until(12 * time.Hour)
		w.complete(f.events)
	}
}

// Replies to an issue are asked for although it was known before its repository was (W-81).
func TestIssueBeforeItsRepository(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	f := w.relay(peer, event("reply", 1111, 9, nostr.Tag{"E", idOf("issue")}))
	w.m.Start(w.now)
	w.store(event("issue", 1621, 5, about("x")))
	w.until(time.Minute)
	w.store(announcement("a", "x", peer))
	w.until(2 * time.Minute)
	w.complete(f.events)
}

// Who sends an event before anything lets it in does not hide it by being gone, or by not having it, when something does: others are
// asked for it.
func TestRefusedEventIsSoughtElsewhere(t *testing.T) {
	const other = "wss://other.example"
	for name, vanishes := range map[string]func(w *world, f *fake){
		"gone":    func(w *world, f *fake) { f.down = true; w.drop(f) },
		"denies":  func(_ *world, f *fake) { f.events = nil },
		"is mute": func(_ *world, f *fake) { f.mute = true },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, replicate.Config{Bootstrap: []string{peer, other}})
			early := announcement("early", "x", peer)
			early.PubKey = strings.Repeat("cd", 32)
			f, g := w.relay(peer, early), w.relay(other)
			lacking := true
			w.refuses = func(*nostr.Event) (refused, waits bool) { return lacking, true }
			w.m.Start(w.now)
			w.until(time.Minute)
			w.publish(g, early)
			w.until(time.Hour)
			if f.sent[early.ID] != 1 || w.have[early.ID] != nil {
				t.Fatalf("sent %d times, want once, and refused", f.sent[early.ID])
			}
			lacking = false
			vanishes(w, f)
			w.store(announcement("first", "x"))
			w.until(2 * time.Hour)
			if w.have[early.ID] == nil {
				t.Error("what the other relay has is lacking")
			}
		})
	}
}
