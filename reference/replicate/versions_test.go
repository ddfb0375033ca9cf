package replicate_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
)

// A held announcement that has replaced an older one and runs out leaves room for that one, which relays may still have: they are
// asked for what there is of that repository, those that only the older one names and those of the configuration too.
func TestOlderAnnouncementIsAskedForAgain(t *testing.T) {
	const elsewhere, told = "ws://elsewhere.test", "ws://told.test"
	id, keeps := repo.ID{Owner: owner, Identifier: "x"}, repo.ID{Owner: owner, Identifier: "y"}
	for _, plain := range []bool{false, true} {
		w := newWorld(t, replicate.Config{Bootstrap: []string{told}})
		older, newer := announcement("older", "x", elsewhere), announcement("newer", "x", peer)
		w.have[older.ID] = older
		w.m.Announced(w.now, id, older, false)
		w.m.Announced(w.now, keeps, announcement("keeps", "y", elsewhere, peer), false) // for which these two stay connected to
		var at []*fake
		for _, url := range []string{told, elsewhere, peer} {
			f := w.relay(url, older)
			f.plain = plain
			at = append(at, f)
		}
		w.m.Start(w.now)
		w.until(time.Hour)
		delete(w.have, older.ID)
		w.m.Announced(w.now, id, newer, false)
		w.until(2 * time.Hour)
		w.refuses = func(*nostr.Event) (bool, bool) { return true, false } // so that there is nothing new to ask for
		w.m.Gone(w.now, id)
		w.m.Left(w.now, id)
		w.until(2*time.Hour + time.Minute)
		if !slices.Contains(w.taken, older.ID) {
			t.Errorf("plain %t: the older announcement did not come", plain)
		}
		for range 2 { // what has an answer is not asked again behind a gap
			for i, f := range at {
				if n := f.askedForVersions(); n == 0 || n > 3 {
					t.Errorf("plain %t: relay %d: got %d questions for announcements, want one to three pages", plain, i, n)
				}
				w.drop(f)
			}
			w.until(2*time.Hour + 3*time.Minute)
		}
		for _, url := range []string{told, elsewhere, peer} {
			if !w.m.Knows(url) {
				t.Errorf("plain %t: %s is left, which is wanted for another repository", plain, url)
			}
		}
	}
}

// askedForVersions counts the questions for announcements of one author.
func (f *fake) askedForVersions() (n int) {
	for _, msg := range f.said {
		var filters []relay.Filter
		switch msg := msg.(type) {
		case relay.Req:
			filters = msg.Filters
		case relay.NegOpen:
			filters = []relay.Filter{msg.Filter}
		}
		if slices.ContainsFunc(filters, func(f relay.Filter) bool { return len(f.Authors) > 0 && slices.Contains(f.Kinds, 30617) }) {
			n++
		}
	}
	return n
}

// A repository that goes twice is asked for twice, also where the first question has no answer yet.
func TestOlderAnnouncementIsAskedForEachTime(t *testing.T) {
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer}, NoNegentropy: true})
	f := w.relay(peer)
	w.m.Start(w.now)
	id := repo.ID{Owner: owner, Identifier: "x"}
	goes := func() {
		w.m.Announced(w.now, id, announcement("a", "x", peer), false)
		w.m.Gone(w.now, id)
	}
	w.until(time.Minute)
	open := ""
	f.answering = func(msg relay.ClientMessage) []relay.ServerMessage {
		if req, is := msg.(relay.Req); is && f.askedForVersions() > 0 && open == "" {
			open = req.Sub
			return []relay.ServerMessage{}
		}
		return nil
	}
	goes()
	w.until(time.Minute + 2*replicate.Window)
	if open == "" {
		t.Fatal("not asked")
	}
	goes()
	w.m.Said(w.now, f.peer, relay.EOSE{Sub: open}, true)
	w.until(2 * time.Minute)
	if n := f.askedForVersions(); n != 2 {
		t.Errorf("got %d questions, want two", n)
	}
	for n := range 50 { // many at once are one question
		id.Identifier = fmt.Sprint("x", n)
		goes()
	}
	w.until(3 * time.Minute)
	if n := f.askedForVersions(); n != 3 {
		t.Errorf("got %d questions, want one more", n)
	}
}

// A relay is not kept to be asked for an older announcement, when nothing else is wanted of it.
func TestNoRelayIsKeptForAnOlderAnnouncement(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	w.m.Start(w.now)
	for _, up := range []bool{false, true} {
		if up {
			w.relay(peer).mute = true
		}
		for _, identifier := range []string{"x", "y"} {
			w.m.Announced(w.now, repo.ID{Owner: owner, Identifier: identifier}, announcement(identifier, identifier, peer), false)
		}
		w.until(w.now.Sub(start) + time.Hour)
		for _, identifier := range []string{"x", "y"} { // it is wanted for y when it is to be asked for x
			w.m.Gone(w.now, repo.ID{Owner: owner, Identifier: identifier})
		}
		w.until(w.now.Sub(start) + 2*time.Hour)
		if w.m.Knows(peer) {
			t.Errorf("up %t: the relay is known for ever", up)
		}
	}
}
