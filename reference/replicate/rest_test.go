package replicate_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
)

// A relay of which nothing is wanted for a moment is let alone for as long as if it were: who announces and deletes in turn cannot
// have it tried, or asked, again and again.
func TestRelaysComeBackAsTheyWent(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	w.relay(peer).down = true
	id, ev := repo.ID{Owner: owner, Identifier: "x"}, announcement("a", "x", peer)
	w.m.Start(w.now)
	for i := range 60 {
		w.m.Announced(w.now, id, ev, false)
		w.until(time.Duration(2*i+1) * time.Second)
		w.m.Gone(w.now, id)
		w.until(time.Duration(2*i+2) * time.Second)
	}
	if n := len(w.dials[peer]); n < 3 || n > 5 { // after 5, 10, 20, 40 and 80 seconds
		t.Errorf("got %d attempts within two minutes, want 3 to 5", n)
	}
	w.until(3 * time.Hour)
	if w.m.Knows(peer) {
		t.Error("a relay of which nothing is wanted is known for ever")
	}
}

// Relays that are let alone, and of which nothing is wanted, take no room from others.
func TestRelaysThatRestMakeRoom(t *testing.T) {
	w := newWorld(t, replicate.Config{RelaysMax: 2})
	w.m.Start(w.now)
	for i := range 10 {
		a, b := fmt.Sprintf("ws://a%d.test", i), fmt.Sprintf("ws://b%d.test", i)
		w.relay(a).down, w.relay(b).down = true, true
		id := repo.ID{Owner: owner, Identifier: fmt.Sprint("x", i)}
		w.m.Announced(w.now, id, announcement(fmt.Sprint("e", i), id.Identifier, a, b), false)
		for _, url := range []string{a, b} {
			if !w.m.Knows(url) {
				t.Fatalf("there is no room for %s", url)
			}
		}
		w.until(time.Duration(i+1) * time.Second)
		w.m.Gone(w.now, id)
		w.until(time.Duration(i+1) * time.Second)
	}
}

// What comes to be wanted again while a live subscription still asks for it is not asked for in a second one, which would have all of it
// come twice.
func TestWhatIsWantedAgainIsHeardOnce(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	f := w.relay(peer)
	w.m.Start(w.now)
	id, ev := repo.ID{Owner: owner, Identifier: "x"}, announcement("a", "x", peer)
	w.m.Announced(w.now, repo.ID{Owner: owner, Identifier: "y"}, announcement("b", "y", peer), false)
	for i := range 5 {
		w.m.Announced(w.now, id, ev, true)
		w.until(time.Duration(2*i+1) * time.Minute)
		w.m.Gone(w.now, id)
		w.until(time.Duration(2*i+2) * time.Minute)
	}
	subs := 0
	for _, msg := range f.said {
		req, is := msg.(relay.Req)
		live := is && req.Filters[0].Limit != nil && *req.Filters[0].Limit == 0
		if live && slices.ContainsFunc(req.Filters, func(f relay.Filter) bool {
			return slices.ContainsFunc(f.Tags, func(tag relay.TagFilter) bool { return slices.Contains(tag.Values, id.Coordinate()) })
		}) {
			subs++
		}
	}
	if subs != 1 {
		t.Errorf("got %d live subscriptions to what speaks of a repository, want one", subs)
	}
}
