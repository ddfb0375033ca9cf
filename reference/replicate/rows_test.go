package replicate_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
)

// What is newly wanted is gathered for five seconds; then a relay is asked for all of it together (REF-SYNC-03).
func TestNewWantsAreGathered(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	f := w.relay(peer)
	w.m.Start(w.now)
	w.store(announcement("a", "x", peer))
	w.until(time.Minute)
	before := len(f.said)
	for i := range 40 {
		w.until(time.Minute + time.Duration(i)*100*time.Millisecond)
		w.store(event(fmt.Sprintf("issue%d", i), 1621, 5, about("x")))
	}
	held := announcement("b", "y", peer)
	w.m.Announced(w.now, repo.ID{Owner: owner, Identifier: "y"}, held, false)
	w.until(time.Minute + 4900*time.Millisecond)
	if n := len(f.said) - before; n != 0 {
		t.Errorf("got %d messages within the five seconds, want none", n)
	}
	w.until(time.Minute + 6*time.Second)
	live := 0
	for _, msg := range f.said[before:] {
		if req, is := msg.(relay.Req); is && req.Filters[0].Limit != nil && *req.Filters[0].Limit == 0 {
			live++
			if n := len(req.Filters); n != 4 { // states by d, then e, E and q of 40 issues
				t.Errorf("got a live subscription with %d filters, want 4", n)
			}
		}
	}
	if live != 1 {
		t.Errorf("got %d live subscriptions, want one", live)
	}
}

// Announcements, then what names repositories, then what names root events; 100 values each. Of a held announcement only the states
// are wanted, until it is served (REF-SYNC-04, D-8).
func TestLayers(t *testing.T) {
	w := newWorld(t, replicate.Config{NoNegentropy: true})
	f := w.relay(peer)
	w.m.Start(w.now)
	for i := range 150 {
		w.store(announcement(fmt.Sprintf("a%d", i), fmt.Sprintf("x%d", i), peer))
	}
	id := repo.ID{Owner: owner, Identifier: "held"}
	held := announcement("held", "held", peer)
	w.m.Announced(w.now, id, held, false)
	w.until(time.Minute)
	asks := func() map[string]int {
		values := map[string]int{}
		for _, msg := range f.said {
			req, is := msg.(relay.Req)
			if !is || req.Filters[0].Until != nil || *req.Filters[0].Limit == 0 || req.Filters[0].IDs != nil {
				continue
			}
			for _, filter := range req.Filters {
				what := fmt.Sprint(filter.Kinds)
				for _, tag := range filter.Tags {
					what += string(tag.Letter)
					values[what] += len(tag.Values)
					if len(tag.Values) > 100 {
						t.Errorf("got a filter with %d values, want 100 at most", len(tag.Values))
					}
				}
				if len(filter.Tags) == 0 {
					values[what] += max(1, len(filter.Authors))
				}
			}
		}
		return values
	}
	want := map[string]int{"[30617 10317]": 1, "[30618]d": 151, "[]a": 150, "[]A": 150, "[]q": 150, "[5 62]": 1}
	if diff := cmp.Diff(want, asks()); diff != "" {
		t.Errorf("values asked for (-want +got):\n%s", diff)
	}
	f.down = true // it is served while the relay is away (W-80)
	w.drop(f)
	w.m.Announced(w.now, id, held, true)
	w.until(2 * time.Minute)
	f.down, f.said = false, nil
	w.until(10 * time.Minute)
	if got := asks(); got["[]a"] != 151 {
		t.Errorf("got %v, want the repository asked for that is served now", got)
	}
}

// After a short outage only what came since is asked for, of a relay that gives pages; after a long one everything is
// (REF-SYNC-06, REF-SYNC-07). A gap ends when it is closed and not before: a relay that comes and goes is asked for all of it (W-72).
func TestWhatAGapAsksFor(t *testing.T) {
	for _, test := range []struct {
		outages []time.Duration
		since   time.Duration // after the start; 0 for everything
	}{
		{[]time.Duration{30 * time.Second}, 3 * time.Hour},
		{[]time.Duration{4 * time.Minute, 4 * time.Minute, 4 * time.Minute}, 3 * time.Hour},
		{[]time.Duration{16 * time.Minute}, 0},
		{[]time.Duration{6 * time.Minute, 6 * time.Minute, 6 * time.Minute}, 0},
	} {
		t.Run(fmt.Sprint(test.outages), func(t *testing.T) {
			w := newWorld(t, replicate.Config{Margin: time.Second, BackoffMax: time.Second, BackoffBase: time.Second})
			f := w.relay(peer)
			f.plain = true
			w.m.Start(w.now)
			w.store(announcement("a", "x", peer))
			now := 3 * time.Hour
			w.until(now)
			for i, outage := range test.outages {
				f.down = true
				w.drop(f)
				now += outage
				w.until(now - time.Second)
				f.down, f.said = false, nil
				f.mute = i+1 < len(test.outages) // it goes before anything is answered
				now += 2 * time.Second
				w.until(now)
			}
			asked := 0
			for _, msg := range f.said {
				req, is := msg.(relay.Req)
				if !is || *req.Filters[0].Limit == 0 {
					continue
				}
				asked++
				since := req.Filters[0].Since
				switch want := start.Add(test.since - time.Second); {
				case test.since == 0 && since != nil:
					t.Errorf("asked since %v, want everything", time.Unix(*since, 0).UTC())
				case test.since != 0 && (since == nil || *since != int64(want)/int64(time.Second)):
					t.Errorf("asked since %v, want the begin of the gap", since)
				}
			}
			if asked < 5 {
				t.Errorf("got %d requests for the past, want one for each layer", asked)
			}
		})
	}
}

// Once in 23 to 25 hours everything is compared again (REF-SYNC-08).
func TestDaily(t *testing.T) {
	w := newWorld(t, replicate.Config{Seed: 3})
	f := w.relay(peer, history(2)...)
	w.m.Start(w.now)
	w.store(f.events[0])
	w.until(22 * time.Hour)
	hidden := event("hidden", 1621, 5, about("x"))
	f.events = append(f.events, hidden) // nobody was told
	w.until(23 * time.Hour)
	if w.have[hidden.ID] != nil {
		t.Error("it came before the pass: the test shows nothing")
	}
	w.until(25*time.Hour + time.Minute)
	w.complete(f.events)
	for _, told := range w.told {
		if told.Fact == replicate.RelayStatus && (told.Status == replicate.Disconnected || told.Status == replicate.Disconnecting) {
			t.Errorf("got %v, want the relay kept through the pass (W-71)", told)
		}
	}
}

// A relay that fails is tried after 5 s, then after twice as long each time up to an hour; after a day once a day; and what was
// counted against it is forgotten when it has been there for five minutes (REF-SYNC-14, REF-SYNC-15, REF-SYNC-16).
func TestBackoff(t *testing.T) {
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
	f := w.relay(peer)
	f.down = true
	w.m.Start(w.now)
	w.until(10 * 24 * time.Hour)
	var gaps []time.Duration
	dials := w.dials[peer]
	for i := range dials[1:] {
		gaps = append(gaps, dials[i+1]-dials[i])
	}
	want := []time.Duration{5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600}
	for i := range want {
		want[i] *= time.Second
	}
	if diff := cmp.Diff(want, gaps[:len(want)]); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
	if last := gaps[len(gaps)-1]; last != 24*time.Hour || len(gaps) > 12+23+10 {
		t.Errorf("got %d attempts, the last after %v; want one a day at last", len(dials), last)
	}
}

// Whoever has come back and goes again within five minutes goes on where he was (W-85).
func TestRelapse(t *testing.T) {
	for _, test := range []struct{ stays, next time.Duration }{{4 * time.Minute, 80 * time.Second}, {6 * time.Minute, 5 * time.Second}} {
		w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
		f := w.relay(peer)
		f.down = true
		w.m.Start(w.now)
		w.until(70 * time.Second) // tried at 0, 5, 15 and 35 s
		f.down = false
		w.until(75 * time.Second)
		if f.peer == 0 {
			t.Fatal("got no connection, want one after 75 s")
		}
		w.until(75*time.Second + test.stays)
		w.drop(f)
		w.dials[peer] = nil
		w.until(75*time.Second + test.stays + time.Hour)
		if got := w.dials[peer][0] - 75*time.Second - test.stays; got != test.next {
			t.Errorf("connected for %v: tried again after %v, want %v", test.stays, got, test.next)
		}
	}
}

// An attempt that comes to no end is given up, and none holds up the others (REF-SYNC-13, REF-SYNC-21, W-84).
func TestAttemptsWithoutEnd(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	w.m.Start(w.now)
	var fakes []*fake
	for i := range 150 {
		url := fmt.Sprintf("ws://%d.test", i)
		f := w.relay(url)
		f.hangs = i%2 == 0
		fakes = append(fakes, f)
		w.store(announcement(fmt.Sprintf("a%d", i), fmt.Sprintf("x%d", i), url))
	}
	w.until(time.Minute)
	for i, f := range fakes {
		if !f.hangs && f.peer == 0 {
			t.Errorf("relay %d is not connected to, though it answers", i)
		}
		if n := len(w.dials[fmt.Sprintf("ws://%d.test", i)]); f.hangs && n != 3 { // 0, 15+5, 20+15+10
			t.Errorf("relay %d was tried %d times in a minute, want 3", i, n)
		}
	}
	for _, f := range fakes { // all of them come back at once (W-69)
		if f.peer != 0 {
			w.drop(f)
		}
		f.hangs = false
	}
	w.until(5 * time.Minute)
	for i, f := range fakes {
		if f.peer == 0 {
			t.Errorf("relay %d is not connected to", i)
		}
	}
}

// A relay of which nothing is wanted any more is left; one that the operator has named is not (REF-SYNC-18).
func TestLeaving(t *testing.T) {
	const named = "ws://named.test"
	w := newWorld(t, replicate.Config{Bootstrap: []string{named}})
	f, kept := w.relay(peer), w.relay(named)
	w.m.Start(w.now)
	a := announcement("a", "x", peer, named)
	w.store(a)
	w.until(time.Hour)
	if f.peer == 0 || kept.peer == 0 {
		t.Fatal("got no connection")
	}
	w.m.Gone(w.now, repo.ID{Owner: owner, Identifier: "x"})
	w.until(time.Hour + time.Minute)
	if f.peer != 0 || kept.peer == 0 || w.m.Knows(peer) {
		t.Errorf("got connections %d and %d, want the named one alone", f.peer, kept.peer)
	}
	w.store(a)
	w.until(2 * time.Hour)
	if f.peer == 0 {
		t.Error("got no connection, want a new one when it is wanted again")
	}
}

// One relay has one connection, however its URL is spelled, and the own one has none (REF-SYNC-19).
func TestSpellings(t *testing.T) {
	w := newWorld(t, replicate.Config{Bootstrap: []string{"WS://Peer.Test:80/"}})
	w.relay(peer)
	w.m.Start(w.now)
	w.store(announcement("a", "x", peer, "ws://PEER.test.", "ws://own.test", "wss://OWN.test:443/", "ws://127.0.0.1:7"))
	w.store(event("list", 10317, 5, nostr.Tag{"g", "ws://listed.test/"}))
	w.until(time.Hour)
	var urls []string
	for url := range w.dials {
		urls = append(urls, url)
	}
	slices.Sort(urls)
	if diff := cmp.Diff([]string{"ws://listed.test", peer}, urls); diff != "" {
		t.Errorf("relays that were dialed (-want +got):\n%s", diff)
	}
}

// A relay with more to say of one second than its page holds is left behind that second, and what is older comes (REF-SYNC-11, W-75).
func TestSecondsThatArePagesLong(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	f := w.relay(peer, announcement("a", "x", peer))
	f.plain, f.page = true, 10
	for i := range 25 {
		f.events = append(f.events, event(fmt.Sprintf("same%d", i), 1, 5000, about("x")))
	}
	older := event("older", 1, 4000, about("x"))
	f.events = append(f.events, older)
	w.m.Start(w.now)
	w.store(f.events[0])
	w.until(10 * time.Minute)
	w.complete([]*nostr.Event{older})
	noted := slices.ContainsFunc(w.told, func(t replicate.Told) bool { return t.Fact == replicate.RelayOutOfReach })
	if past, _ := f.reqs(); past > 30 || !noted {
		t.Errorf("got %d requests, and noted %t that something is out of reach", past, noted)
	}
}

// What is on its way on a subscription that is ended counts, for a while: subscriptions are made anew in the middle of things.
func TestWhatComesBehindTheEnd(t *testing.T) {
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer}, LiveMax: 1})
	f := w.relay(peer)
	w.m.Start(w.now)
	var first, ended string
	for i := 0; i < 20 && ended == ""; i++ {
		w.store(announcement(fmt.Sprintf("a%d", i), fmt.Sprintf("x%d", i), peer))
		w.until(time.Duration(i+1) * 10 * time.Second)
		for _, msg := range f.said {
			switch msg := msg.(type) {
			case relay.Req:
				if first == "" && *msg.Filters[0].Limit == 0 {
					first = msg.Sub
				}
			case relay.Close:
				if msg.Sub == first {
					ended = first
				}
			}
		}
	}
	if ended == "" {
		t.Fatal("no live subscription was made anew")
	}
	for i, after := range []time.Duration{time.Second, 2 * replicate.Answer} {
		name := fmt.Sprint("behind", i)
		ev := announcement(name, name, "wss://elsewhere.example")
		w.until(w.now.Sub(start) + after)
		w.m.Said(w.now, f.peer, relay.EventFor{Sub: ended, Event: ev}, true)
		w.settle()
		if got, want := slices.Contains(w.taken, ev.ID), after < replicate.Answer; got != want {
			t.Errorf("%v behind the end: got it taken %t, want %t", after, got, want)
		}
	}
}
