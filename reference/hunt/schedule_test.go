package hunt_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/instant"
)

const (
	user   = 180 * time.Second
	synced = 500 * time.Millisecond
)

// Ten events within 100 ms cause one attempt (REF-HUNT-01, REF-HUNT-02).
func TestEventsOfOneIdentifierAreOneAttempt(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	var needed []string
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		needed = append(needed, name)
		w.add(want("x", oids(needed...), url("h", "x")), synced)
		w.pass(10 * time.Millisecond)
	}
	w.pass(time.Minute)
	w.expect("500ms x https://h/x.git")
	if n := len(w.fetches[0].OIDs); n != 10 {
		t.Errorf("got %d objects asked for, want all 10", n)
	}
}

// The due time only moves earlier, in either order (REF-HUNT-03).
func TestDueOnlyMovesEarlier(t *testing.T) {
	for _, delays := range [][2]time.Duration{{user, synced}, {synced, user}} {
		w := newWorld(t, hunt.Config{})
		w.add(want("x", oids("a"), url("h", "x")), delays[0])
		w.add(want("x", oids("a", "b"), url("h", "x")), delays[1])
		w.pass(time.Minute)
		w.expect("500ms x https://h/x.git")
	}
}

// The intervals of attempts that bring nothing are 20, 40, 80 and then always 120 seconds (REF-HUNT-05).
func TestBackoff(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	w.add(want("x", oids("a"), url("h", "x")), 0)
	for range 8 {
		w.endFirst(notFound)
		at, _ := w.h.Deadline()
		w.pass(at.Sub(w.now))
	}
	w.expect("0s x https://h/x.git", "20s x https://h/x.git", "1m0s x https://h/x.git", "2m20s x https://h/x.git",
		"4m20s x https://h/x.git", "6m20s x https://h/x.git", "8m20s x https://h/x.git", "10m20s x https://h/x.git",
		"12m20s x https://h/x.git")
}

// Something new starts afresh; the same again changes nothing (REF-HUNT-04, W-08).
func TestFreshStart(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	x := want("x", oids("a"), url("h", "x"))
	w.add(x, 0)
	for range 3 {
		w.endFirst(notFound)
		at, _ := w.h.Deadline()
		w.pass(at.Sub(w.now))
	}
	w.endFirst(notFound) // 2m20s, the next is due at 4m20s
	w.log = nil
	w.update(x)
	w.pass(time.Second)
	w.expect()
	w.add(want("x", oids("a", "b"), url("h", "x")), synced)
	w.pass(time.Second)
	w.expect("2m21.5s x https://h/x.git")
	w.endFirst(notFound)
	w.pass(20 * time.Second)
	w.expect("2m42s x https://h/x.git")
}

// What comes while an attempt ends is hunted, and in time (REF-HUNT-06, W-07).
func TestNoWakeUpIsLost(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	w.add(want("x", oids("a"), url("h", "x"), url("i", "x")), 0)
	w.endFirst(notFound)
	w.add(want("x", oids("a"), url("h", "x"), url("i", "x")), synced) // nothing new is needed, but it counts as new
	w.endFirst(notFound)
	w.log = nil
	w.pass(time.Second)
	w.expect("500ms x https://h/x.git")

	w = newWorld(t, hunt.Config{})
	w.add(want("x", oids("a"), url("h", "x")), 0)
	w.endFirst(got)
	w.add(want("x", oids("b"), url("h", "x")), synced) // at the instant at which the last was found
	w.log = nil
	w.pass(time.Second)
	w.expect("500ms x https://h/x.git")
}

// What came another way is not asked for (REF-HUNT-07, REF-HUNT-26).
func TestNothingNeededIsNothingAsked(t *testing.T) {
	w := newWorld(t, hunt.Config{})
	w.add(want("x", oids("a"), url("h", "x")), user)
	w.pass(30 * time.Second)
	w.update(want("x", nil, url("h", "x")))
	w.pass(time.Hour)
	w.expect()
	if w.h.Len() != 0 {
		t.Errorf("got %d in the queue, want none", w.h.Len())
	}
}

// One identifier with one source against a plain account of due times and attempts.
func TestScheduleAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, hunt.Config{Rate: 1_000_000})
		var due instant.Instant
		attempts, queued, flying, fresh, rearm := 0, false, false, false, instant.Instant(-1)
		objects := []string{}
		run := func(until instant.Instant) {
			for {
				// The model goes first: it says when the next start must be.
				at := until + 1
				if queued && !flying {
					at = due
				}
				if at > until {
					break
				}
				w.log = nil
				w.pass(at.Sub(w.now))
				if len(w.log) != 1 {
					t.Fatalf("at %s: got starts %q, want one", at.Sub(origin), w.log)
				}
				flying, rearm = true, -1
				if rapid.Bool().Draw(t, "ends at once") {
					w.endFirst(notFound)
					flying = false
					attempts++
					due = w.now.Add(hunt.Backoff(attempts))
				}
			}
			w.log = nil
			w.pass(until.Sub(w.now))
			if len(w.log) != 0 {
				t.Fatalf("got starts %q, want none", w.log)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"new": func(t *rapid.T) {
				delay := rapid.SampledFrom([]time.Duration{synced, user}).Draw(t, "delay")
				objects = append(objects, string(rune('a'+len(objects))))
				at := w.now.Add(delay)
				attempts = 0
				switch {
				case !queued:
					queued, due = true, at
				case flying:
					fresh = true
					if rearm < 0 || at < rearm {
						rearm = at
					}
				default:
					due = min(due, at)
				}
				w.log = nil
				w.add(want("x", oids(objects...), url("h", "x")), delay)
			},
			"again": func(*rapid.T) {
				if queued {
					w.update(w.wants["x"])
				}
			},
			"gone": func(*rapid.T) {
				w.remove("x")
				objects = nil
				if flying {
					w.endFirst(hunt.Result{Failure: hunt.Canceled})
				}
				queued, flying, fresh, attempts, rearm = false, false, false, 0, -1
			},
			"fails": func(t *rapid.T) {
				if !flying {
					t.Skip("nothing is open")
				}
				w.log = nil
				w.endFirst(notFound)
				if !fresh { // else new objects are asked for within the same attempt (REF-HUNT-13)
					flying = false
					attempts++
					due = w.now.Add(hunt.Backoff(attempts))
					if rearm >= 0 {
						due = min(due, max(rearm, w.now))
					}
					flying, rearm = due <= w.now, -1
				}
				fresh = false
				if flying != (len(w.log) == 1) {
					t.Fatalf("got starts %q, want one: %t", w.log, flying)
				}
			},
			"pass": func(t *rapid.T) {
				wait := time.Duration(rapid.IntRange(1, 100).Draw(t, "seconds")) * time.Second
				if flying && wait > time.Minute {
					wait = time.Second // nothing is canceled here
				}
				run(w.now.Add(wait))
			},
		})
	})
}
