package hunt_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/repo"
)

// An attempt asks where there is capacity, and leaves the rest to the queues of the other hosts (REF-HUNT-14).
func TestTwoPaths(t *testing.T) {
	w := newWorld(t, hunt.Config{Concurrent: 1})
	w.add(want("first", oids("a"), url("full", "first")), 0)
	w.add(want("x", oids("a"), url("full", "x"), url("free", "x")), 0)
	w.expect("0s first https://full/first.git", "0s x https://free/x.git")
	w.pass(time.Second)
	w.end(2, notFound)
	w.pass(time.Second)
	w.end(1, notFound)
	w.expect("2s x https://full/x.git")
	w.endFirst(got)
	w.pass(19 * time.Second)
	w.expect()
}

// Objects of several hosts add up, and what has come is not asked for again (REF-HUNT-16).
func TestHostsAddUp(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	w.add(want("x", oids("a", "b"), url("h", "x"), url("i", "x"), url("j", "x")), 0)
	w.endFirst(lacking("b"))
	w.endFirst(got)
	w.expect("0s x https://h/x.git", "0s x https://i/x.git")
	if f := w.fetches[1]; len(f.OIDs) != 1 || f.OIDs[0] != oid("b") {
		t.Errorf("got %v asked for, want b", f.OIDs)
	}
	w.pass(time.Hour)
	w.expect()
	if w.h.Len() != 0 {
		t.Errorf("got %d in the queue, want none", w.h.Len())
	}
}

// Who waits for a host whose other place is free is asked for at once when his own request is abandoned, although that has
// not ended (INV-29).
func TestAbandonedRequestHoldsNobodyUp(t *testing.T) {
	w := newWorld(t, hunt.Config{Concurrent: 2})
	w.add(want("first", oids("a"), url("h", "first")), 0)
	w.add(want("second", oids("a"), url("h", "second")), 0)
	w.add(want("x", oids("a"), url("h", "x")), 0)
	w.endFirst(got)
	w.endFirst(got)
	w.expect("0s first https://h/first.git", "0s second https://h/second.git", "0s x https://h/x.git")
	w.update(want("x", oids("a"), url("h", "moved")))
	w.expect("0s x https://h/moved.git")
	if !w.canceled[3] {
		t.Errorf("got %v canceled, want the request for the URL that is no longer named", w.canceled)
	}
}

// When everything has come, what else is open for it is canceled and nothing more starts.
func TestWhatIsFoundIsNoLongerLookedFor(t *testing.T) {
	w := newWorld(t, hunt.Config{Concurrent: 1})
	w.add(want("first", oids("a"), url("slow", "first")), 0)
	w.add(want("x", oids("a"), url("slow", "x"), url("dead", "x")), 0)
	w.end(2, notFound) // the attempt is over
	w.end(1, got)      // x starts at the slow one
	w.pass(20 * time.Second)
	w.expect("0s first https://slow/first.git", "0s x https://dead/x.git", "0s x https://slow/x.git", "20s x https://dead/x.git")
	w.endFirst(got)
	if !w.canceled[4] {
		t.Errorf("got %v canceled, want the request that is no longer needed", w.canceled)
	}
	w.endFirst(hunt.Result{Failure: hunt.Canceled})
	w.pass(time.Hour)
	w.expect()
}

// A source that was tried counts as not tried when new objects come to be needed, in the queue of a host and in a running
// attempt (REF-HUNT-13, W-17).
func TestNewObjectsClearWhatWasTried(t *testing.T) {
	w := newWorld(t, hunt.Config{Concurrent: 1})
	w.add(want("first", oids("a"), url("h", "first")), 0)
	w.add(want("x", oids("a"), url("h", "x")), 0)
	w.endFirst(got) // x starts from the queue
	w.add(want("x", oids("a", "b"), url("h", "x")), user)
	w.endFirst(notFound)
	w.expect("0s first https://h/first.git", "0s x https://h/x.git", "0s x https://h/x.git")
	if f := w.fetches[2]; len(f.OIDs) != 2 {
		t.Errorf("got %v asked for, want a and b", f.OIDs)
	}

	w = newWorld(t, hunt.Config{})
	w.add(want("x", oids("a"), url("h", "x")), 0)
	w.add(want("x", oids("a", "b"), url("h", "x")), user)
	w.endFirst(notFound)
	w.endFirst(notFound)
	w.expect("0s x https://h/x.git", "0s x https://h/x.git")

	// They are new once.
	w = newWorld(t, hunt.Config{})
	both := want("x", oids("a", "b"), url("h", "x"))
	w.add(want("x", oids("a"), url("h", "x")), 0)
	w.update(both)
	w.endFirst(notFound)
	w.update(both)
	w.endFirst(notFound)
	w.expect("0s x https://h/x.git", "0s x https://h/x.git")

	// A host that says that it gave what never arrives makes no loop.
	w = newWorld(t, hunt.Config{})
	x := want("x", oids("a", "b"), url("h", "x"))
	w.add(x, 0)
	for _, wait := range []time.Duration{20, 40, 80} {
		w.endFirst(lacking("b"))
		w.update(x)
		w.pass(wait * time.Second)
	}
	w.expect("0s x https://h/x.git", "20s x https://h/x.git", "1m0s x https://h/x.git", "2m20s x https://h/x.git")
}

// A URL that an attempt has tried and that nobody lists for a while is not tried again in it, but in the next one, and if other objects
// come to be needed (REF-HUNT-13).
func TestURLsListedAgainAreTriedOnce(t *testing.T) {
	listed := func(names ...string) hunt.Want {
		var urls []string
		for _, name := range names {
			urls = append(urls, url("h", name))
		}
		return want("x", oids("a"), urls...)
	}
	w := newWorld(t, hunt.Config{})
	w.add(listed("1", "2"), 0)
	w.endFirst(notFound)
	w.update(listed("2"))
	w.update(listed("1", "2"))
	w.endFirst(notFound)
	w.expect("0s x https://h/1.git", "0s x https://h/2.git")
	w.pass(20 * time.Second)
	w.expect("20s x https://h/1.git")

	w = newWorld(t, hunt.Config{})
	w.add(listed("1", "2"), 0)
	w.endFirst(notFound)
	w.update(listed("2"))
	w.update(want("x", oids("a", "b"), url("h", "1"), url("h", "2")))
	w.endFirst(notFound)
	w.expect("0s x https://h/1.git", "0s x https://h/2.git", "0s x https://h/1.git")
}

// Both paths that reach one URL make one request (REF-HUNT-12, W-18).
func TestTwoPathsDoNotAskTwice(t *testing.T) {
	w := newWorld(t, hunt.Config{Concurrent: 1, FetchLife: time.Hour})
	w.add(want("first", oids("a"), url("h", "first")), 0)
	w.add(want("x", oids("a"), url("h", "x")), 0)
	w.pass(10 * time.Second)
	w.endFirst(got)
	w.expect("0s first https://h/first.git", "10s x https://h/x.git")
	w.add(want("x", oids("a", "b"), url("h", "x")), 0) // as not tried, while the queue asks it
	w.pass(10 * time.Minute)
	w.expect()

	// The queue comes to a URL that the attempt asks right now.
	w = newWorld(t, hunt.Config{Concurrent: 2})
	w.add(want("first", oids("a"), url("h", "first")), 0)
	w.add(want("second", oids("a"), url("h", "second")), 0)
	w.add(want("x", oids("a"), url("h", "x"), url("h", "x2")), 0)
	w.endFirst(got)
	w.pass(19 * time.Second)
	w.endFirst(got)
	w.pass(time.Second)
	w.update(want("x", oids("a", "b"), url("h", "x"), url("h", "x2")))
	w.endFirst(notFound)
	w.expect("0s first https://h/first.git", "0s second https://h/second.git", "0s x https://h/x.git",
		"20s x https://h/x2.git", "20s x https://h/x.git")

	// Two repositories of one identifier lack the same, and one URL is asked for both.
	w = newWorld(t, hunt.Config{})
	both := want("x", oids("a"), url("h", "x"))
	both.Needs = append(both.Needs, hunt.Need{Target: repo.ID{Owner: "other", Identifier: "x"}, OIDs: oids("a"), URLs: []string{url("h", "x")}})
	w.add(both, 0)
	w.endFirst(notFound)
	w.endFirst(notFound)
	w.expect("0s x https://h/x.git", "0s x https://h/x.git")
}

// Each target is asked for at its own sources only (REF-HUNT-19, W-12).
func TestTargetsKeepTheirSources(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	x := want("d", oids("v"), url("v", "d"))
	x.Needs = append(x.Needs, hunt.Need{Target: repo.ID{Owner: "stranger", Identifier: "d"}, OIDs: oids("s"), URLs: []string{url("s", "d")}})
	w.add(x, 0)
	w.endFirst(got)
	w.endFirst(got)
	x.Needs[0].OIDs = oids("v2")
	w.add(x, 0)
	w.endFirst(got)
	w.endFirst(notFound)
	w.pass(20 * time.Second) // the second need is still open
	if len(w.fetches) != 5 {
		t.Errorf("got %q, want the second target hunted again", w.log)
	}
	for _, f := range w.fetches {
		stranger := f.Target.Owner == "stranger"
		if stranger != (f.Host == "s") || stranger != (f.OIDs[0] == oid("s")) || len(f.OIDs) != 1 {
			t.Errorf("got %+v", f)
		}
	}
}

// Two hundred dead URLs hold neither others up nor the new URL of their own identifier (W-16).
func TestDeadSourcesHoldNobodyUp(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	var urls []string
	for i := range 200 {
		urls = append(urls, url(fmt.Sprint("dead", i), "x"))
	}
	w.add(want("x", oids("a"), urls...), 0)
	w.add(want("y", oids("a"), url("h", "y")), 0)
	w.expect("0s x https://dead0/x.git", "0s y https://h/y.git")
	w.endAll(t) // and whatever starts when those have ended
	if n := len(w.starts); n != 201 {
		t.Errorf("got %d hosts asked, want all 201", n)
	}
	w.pass(20 * time.Second)
	w.log = nil
	w.add(want("x", oids("a", "b"), append(urls, url("good", "x"))...), 0)
	w.endFirst(notFound)
	if len(w.log) == 0 || w.log[0] != "20s x https://good/x.git" {
		t.Errorf("got %q, want the new source first", w.log)
	}
}

// An attempt makes a bounded number of requests one after the other; what is left is asked at the same time.
func TestAttemptsAreBounded(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	var urls []string
	for i := range 2 * hunt.AttemptMax {
		urls = append(urls, url(fmt.Sprint("h", i), "x"))
	}
	w.add(want("x", oids("a"), urls...), 0)
	for i := range hunt.AttemptMax {
		if len(w.open) != 1 {
			t.Fatalf("request %d: got %d open, want one at a time", i, len(w.open))
		}
		w.endFirst(notFound)
	}
	if len(w.open) != hunt.AttemptMax {
		t.Errorf("got %d open, want the rest", len(w.open))
	}
}

// Only full object ids are asked for (REF-HUNT-22, W-10, W-11).
func TestOnlyFullObjectIDsAreAskedFor(t *testing.T) {
	bad := []repo.OID{
		"main", "HEAD", oid("a")[:12], "--upload-pack=x", "+refs/heads/*:refs/heads/*", repo.ZeroOID, "",
		repo.OID("A" + string(oid("a")[1:])), oid("a") + "\n",
	}
	w := newWorld(t, hunt.Config{})
	w.add(want("x", bad, url("h", "x")), 0)
	w.pass(time.Hour)
	w.expect()
	w.add(want("x", append(bad, oid("a"), oid("a")+"000000000000000000000000"), url("h", "x")), 0)
	w.expect("1h0m0s x https://h/x.git")
	if n := len(w.fetches[0].OIDs); n != 2 {
		t.Errorf("got %v asked for, want the two full ones", w.fetches[0].OIDs)
	}
}

// What is open for an identifier that goes is canceled; its slot comes back with the end of the request, and it is not
// asked twice meanwhile.
func TestRemoveCancels(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	w.add(want("x", oids("a"), url("h", "x")), 0)
	w.remove("x")
	if !w.canceled[1] || w.h.Open() != 1 || w.h.Len() != 0 {
		t.Errorf("got %v canceled, %d open and %d queued", w.canceled, w.h.Open(), w.h.Len())
	}
	w.add(want("x", oids("a"), url("h", "x")), 0)
	w.end(1, hunt.Result{Failure: hunt.Canceled})
	w.log = nil
	w.pass(20 * time.Second)
	w.expect("20s x https://h/x.git")
	w.update(want("x", oids("a"), url("i", "x")))
	if !w.canceled[2] {
		t.Error("a request to a URL that nobody names any more goes on")
	}
	w.expect("20s x https://i/x.git")
}

// The queue is bounded, and says so.
func TestIdentifiersAreBounded(t *testing.T) {
	h := hunt.New(hunt.Config{})
	for i := range hunt.IdentifiersMax {
		if !h.Add(origin, want(fmt.Sprint(i), oids("a"), url("h", "x")), time.Hour) {
			t.Fatalf("number %d was left out", i)
		}
	}
	if h.Add(origin, want("more", oids("a"), url("h", "x")), 0) || h.Update(origin, want("more", oids("a"), url("h", "x")), 0) {
		t.Error("one more than the limit was taken")
	}
	if !h.Add(origin, want("0", oids("a", "b"), url("h", "x")), 0) {
		t.Error("one that is in the queue was left out")
	}
}

// The sources of a need and its objects are bounded.
func TestSourcesAndObjectsAreBounded(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	var urls, names []string
	for i := range hunt.SourcesMax + 10 {
		urls = append(urls, url(fmt.Sprint("h", i), "x"))
	}
	for i := range hunt.OIDsMax + 10 {
		names = append(names, fmt.Sprint(i))
	}
	w.add(want("x", oids(names...), url("h", "x")), 0)
	w.endFirst(got)
	w.add(want("y", oids("a"), urls...), 0)
	w.endAll(t)
	if len(w.starts) != 1+hunt.SourcesMax || len(w.fetches[0].OIDs) != hunt.OIDsMax {
		t.Errorf("got %d hosts and %d objects, want the limits", len(w.starts), len(w.fetches[0].OIDs))
	}
}
