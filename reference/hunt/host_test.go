package hunt_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// Work that waits starts at the very instant at which the window frees (REF-HUNT-10, W-01).
func TestWakesWhenTheWindowFrees(t *testing.T) {
	w := newWorld(t, hunt.Config{Rate: 2})
	w.add(want("a", oids("a"), url("h", "a"), url("h", "a2")), 0)
	w.endFirst(notFound)
	w.endFirst(notFound)
	w.pass(time.Second)
	w.add(want("b", oids("b"), url("h", "b")), 0)
	w.expect("0s a https://h/a.git", "0s a https://h/a2.git")
	w.pass(59 * time.Second)
	w.expect("1m0s b https://h/b.git", "1m0s a https://h/a.git") // a has queued again at 20 s
}

// What a life before has asked a host counts, all of it as of the last request (REF-HUNT-09).
func TestRequestsOfALifeBefore(t *testing.T) {
	w := newWorld(t, hunt.Config{Rate: 3})
	before := origin.Add(-10 * time.Second)
	w.h.Asked(origin, "h", 2, before)
	w.starts["h"] = []instant.Instant{before, before}
	w.h.Asked(origin, "full", 9, before) // the limit was higher then
	w.starts["full"] = []instant.Instant{before, before, before}
	w.add(want("a", oids("x"), url("h", "a"), url("full", "a")), 0)
	w.endFirst(notFound)
	w.add(want("b", oids("x"), url("h", "b"), url("full", "b")), 0)
	w.expect("0s a https://h/a.git")
	w.pass(50 * time.Second)
	w.expect("50s a https://full/a.git", "50s b https://full/b.git", "50s b https://h/b.git", "50s a https://h/a.git")
}

// A slot that frees goes on with the same identifier, or with the next if that one has nothing to ask (REF-HUNT-10, W-02).
func TestQueueGoesOnWhenASlotFrees(t *testing.T) {
	w := newWorld(t, hunt.Config{Concurrent: 1})
	w.add(want("busy", oids("x"), url("h", "busy")), 0)
	w.add(want("two", oids("a"), url("h", "u1"), url("h", "u2")), 0)
	w.add(want("gone", oids("b"), url("h", "gone")), 0)
	w.add(want("last", oids("c"), url("h", "last")), 0)
	w.remove("gone")
	for range 4 {
		w.endFirst(notFound)
	}
	w.expect("0s busy https://h/busy.git", "0s two https://h/u1.git", "0s last https://h/last.git", "0s two https://h/u2.git")
}

// All capacity is used when it frees (REF-HUNT-10, W-03).
func TestAllFreeCapacityIsUsed(t *testing.T) {
	w := newWorld(t, hunt.Config{Rate: 6})
	for i := range 6 {
		w.add(want(fmt.Sprint("first", i), oids("a"), url("h", fmt.Sprint(i))), 0)
		w.endFirst(got)
	}
	for i := range 50 {
		w.add(want(fmt.Sprint("then", i), oids("a"), url("h", fmt.Sprint("t", i))), 0)
	}
	w.log = nil
	w.pass(time.Minute)
	if flying, waiting := w.h.Load("h"); flying != 5 || waiting != 45 {
		t.Errorf("got %d in flight and %d waiting, want 5 and 45", flying, waiting)
	}
}

// A hundred identifiers that fall due at once, and one whose objects the host refuses one by one, never exceed the limits,
// which the world counts for itself (REF-HUNT-08, REF-HUNT-09, W-04).
func TestLimitsHoldForEveryRequest(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprint("o", i))
	}
	w.add(want("refused", oids(names...), url("h", "refused")), 0)
	for i := range 100 {
		w.add(want(fmt.Sprint(i), oids("a"), url("h", fmt.Sprint(i))), 0)
	}
	for range 30 * 60 {
		for len(w.order) > 0 {
			f := w.open[w.order[0]]
			if f.Identifier == "refused" {
				w.end(f.ID, hunt.Result{Failure: hunt.NotOurs, Missing: f.OIDs[:1]})
			} else {
				w.end(f.ID, notFound)
			}
		}
		w.pass(time.Second)
	}
	if n := len(w.starts["h"]); n < 29*30 {
		t.Errorf("got %d requests in half an hour, want the limit used", n)
	}
}

// A host that refuses what it was not asked for is not asked again at once (REF-HUNT-16, W-05).
func TestRefusalsWithoutProgressEnd(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	w.add(want("x", oids("a", "b", "c"), url("h", "x")), 0)
	w.endFirst(refusing("b"))
	w.expect("0s x https://h/x.git", "0s x https://h/x.git")
	if f := w.fetches[1]; len(f.OIDs) != 2 || f.OIDs[0] == oid("b") || f.OIDs[1] == oid("b") {
		t.Fatalf("got %v asked for, want a and c", f.OIDs)
	}
	w.endFirst(refusing("b", "never"))
	w.expect()
	w.pass(20 * time.Second)
	if len(w.log) != 1 || len(w.fetches[2].OIDs) != 3 {
		t.Errorf("got %q, want one attempt for everything", w.log)
	}
	w.endFirst(hunt.Result{Failure: hunt.NotOurs})
	w.endAll(t)
}

// What a host refuses without having been asked for it is asked when it comes to be needed.
func TestRefusalsCountForWhatWasAsked(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	w.add(want("x", oids("a", "b", "c"), url("h", "x")), 0)
	w.endFirst(refusing("b", "z"))
	w.update(want("x", oids("a", "b", "c", "z"), url("h", "x")))
	w.endFirst(refusing("a"))
	if f := w.fetches[2]; !slices.Equal(f.OIDs, oids("c", "z")) {
		t.Errorf("got %v asked for, want c and z", f.OIDs)
	}
}

// Who waits for a host and needs nothing from it any more makes room for the next (W-02).
func TestQueueSkipsWhoNeedsNothing(t *testing.T) {
	w := newWorld(t, hunt.Config{Concurrent: 1, FetchLife: time.Hour})
	w.add(want("first", oids("a"), url("h", "first")), 0)
	x := want("x", oids("a"), url("h", "x"), url("free", "x"))
	x.Needs = append(x.Needs, hunt.Need{Target: repo.ID{Owner: "other"}, OIDs: oids("b"), URLs: []string{url("void", "x")}})
	w.add(x, 0)
	w.end(2, notFound)
	w.end(3, notFound) // x waits for h
	w.add(want("last", oids("a"), url("h", "last")), 0)
	w.pass(20 * time.Second)
	w.end(4, got) // from the free one
	w.log = nil
	w.end(1, notFound)
	w.expect("20s last https://h/last.git")
}

func (w *world) endAll(t *testing.T) {
	t.Helper()
	for len(w.order) > 0 {
		w.endFirst(notFound)
	}
}

// Requests that stall are canceled, their slots come back once, and the identifier is tried again (REF-HUNT-24, W-06).
func TestStalledRequestsEnd(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	for i := range 5 {
		w.add(want(fmt.Sprint(i), oids("a"), url("h", fmt.Sprint(i))), 0)
	}
	w.add(want("waits", oids("a"), url("h", "waits")), 0)
	w.log = nil
	w.pass(hunt.FetchLife)
	if len(w.canceled) != 5 {
		t.Fatalf("got %d canceled, want 5", len(w.canceled))
	}
	w.expect()
	for range 5 {
		w.endFirst(hunt.Result{Failure: hunt.Canceled})
	}
	w.expect("10m0s waits https://h/waits.git")
	w.endFirst(notFound)
	w.log = nil
	w.pass(20 * time.Second)
	if len(w.log) != 5 {
		t.Errorf("got %q, want another attempt at all five", w.log)
	}
}

// A fetch ends once.
func TestDoneTwicePanics(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	w.add(want("x", oids("a"), url("h", "x")), 0)
	f := w.endFirst(got)
	defer func() {
		if recover() == nil {
			t.Error("a fetch could end twice")
		}
	}()
	w.h.Done(w.now, f.ID, got)
}

// A broken host is left alone for 12 hours by both paths, and is listed again if it is broken still (REF-HUNT-25, W-15).
func TestBrokenHostsAreLeftAlone(t *testing.T) {
	for _, failure := range []hunt.Failure{hunt.DNS, hunt.TLS, hunt.Protocol} {
		w := newWorld(t, hunt.Config{Concurrent: 2})
		for i := range 4 {
			w.add(want(fmt.Sprint(i), oids("a"), url("h", fmt.Sprint(i))), 0)
		}
		w.endFirst(hunt.Result{Failure: failure}) // two wait in the queue of the host
		if _, waiting := w.h.Load("h"); waiting != 0 {
			t.Errorf("got %d waiting for a broken host, want none", waiting)
		}
		w.pass(time.Hour)
		w.endFirst(hunt.Result{Failure: failure}) // the listing counts from the first sighting
		w.log = nil
		w.pass(11*time.Hour - 1)
		w.add(want("new", oids("a"), url("h", "new")), 0)
		w.expect()
		w.pass(3 * time.Minute) // attempts come every two minutes
		if len(w.log) != 2 {
			t.Fatalf("got %q, want two requests after 12 hours", w.log)
		}
		w.endFirst(hunt.Result{Failure: failure})
		w.endFirst(notFound)
		w.log = nil
		w.pass(11 * time.Hour)
		w.expect()
	}
}

// Other failures list nobody.
func TestPassingFailuresListNobody(t *testing.T) {
	for failure := hunt.Unreachable; failure <= hunt.LocalError; failure++ {
		if failure == hunt.DNS || failure == hunt.TLS || failure == hunt.Protocol {
			continue
		}
		w := newWorld(t, hunt.Config{})
		w.add(want("x", oids("a"), url("h", "x")), 0)
		w.endFirst(hunt.Result{Failure: failure})
		w.log = nil
		w.pass(2 * time.Minute)
		if len(w.log) != 1 {
			t.Errorf("failure %d: got %q, want another attempt", failure, w.log)
		}
	}
}

// A host that limits the rate is left alone as long as it asks, and then asked without another trigger.
func TestRateLimitedHostsArePaused(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	w.add(want("x", oids("a"), url("h", "x")), 0)
	w.endFirst(hunt.Result{Failure: hunt.RateLimited, RetryAfter: 30 * time.Second})
	w.add(want("y", oids("a"), url("h", "y")), 0)
	w.log = nil
	w.pass(30 * time.Second)
	w.expect("30s y https://h/y.git", "30s x https://h/x.git")
	w.endFirst(hunt.Result{Failure: hunt.RateLimited, RetryAfter: 1000 * time.Hour})
	w.endAll(t)
	w.pass(hunt.PauseMax + 2*time.Minute)
	w.expect("10m30s x https://h/x.git", "10m30s y https://h/y.git")
}

// Spellings of one host share one budget, and no host keeps its record for ever (W-14).
func TestOneBudgetPerHost(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	for i, text := range []string{
		"https://h.test/0.git", "https://H.TEST/1.git", "https://user:pass@h.test/2.git", "https://h.test:443/3.git",
		"http://h.test:80/4.git", "https://h.test./5.git", "HTTPS://h.test/@other.test/6.git",
	} {
		w.add(want(fmt.Sprint(i), oids("a"), text), 0)
	}
	if flying, waiting := w.h.Load("h.test"); flying != 5 || waiting != 2 {
		t.Errorf("got %d in flight and %d waiting, want 5 and 2", flying, waiting)
	}
	w = newWorld(t, hunt.Config{Policy: hunt.Policy{AllowPrivate: true}})
	for i, text := range []string{"http://[::1]:80/0", "http://[0:0:0:0:0:0:0:1]/1", "http://[::0001]/2"} {
		w.add(want(fmt.Sprint(i), oids("a"), text), 0)
	}
	if flying, _ := w.h.Load("[::1]"); flying != 3 {
		t.Errorf("got %d in flight, want 3", flying)
	}
}

// Hosts beyond the limit wait until others can be forgotten (W-14).
func TestHostsAreBounded(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	w.quick = true
	for i := range hunt.HostsMax + 10 {
		name := fmt.Sprint("x", i)
		w.add(want(name, oids("a"), url("h"+name, name)), 0)
	}
	if len(w.open) != hunt.HostsMax {
		t.Fatalf("got %d requests, want %d", len(w.open), hunt.HostsMax)
	}
	for id := hunt.FetchID(1); id <= hunt.HostsMax; id++ {
		w.end(id, got)
	}
	w.pass(2 * time.Minute)
	if len(w.open) != 10 {
		t.Errorf("got %d requests, want the ten that had no place", len(w.open))
	}
}

func TestBrokenHostsAreBounded(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	for i := range hunt.BrokenMax {
		name := fmt.Sprint("x", i)
		w.add(want(name, oids("a"), url("h"+name, name)), 0)
		w.endFirst(hunt.Result{Failure: hunt.DNS})
	}
	w.add(want("one more", oids("a"), url("more", "x")), 0)
	w.endFirst(hunt.Result{Failure: hunt.DNS})
	w.broken["hx0"] = 0 // it has made room
	w.log = nil
	w.pass(3 * time.Minute)
	w.expect("20s x0 https://hx0/x0.git")
}
