package suite

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/graspkit/graspkit/features"
)

// A place that is given up for a wait is somebody else's meanwhile, and taken again behind it.
func TestWhoRestsGivesUpItsPlace(t *testing.T) {
	all := newPlaces(1, func() bool { return false })
	p, other := &place{of: all}, &place{of: all}
	p.take()
	rested := false
	p.rest(func() {
		other.take() // blocks for ever if the place is not free
		other.leave()
		rested = true
	}, atOnce)
	if !rested || all.free != 0 {
		t.Errorf("behind a rest: got rested %v and %d places free, want true and none", rested, all.free)
	}
	p.leave()
	var none *place
	none.take()
	none.rest(func() {}, atOnce)
	none.leave()
}

// Where the target turns connections away, one check at a time is begun, nobody comes while it waits, and who was under way
// before comes to its end without a place.
func TestOneAtATimeWhereConnectionsAreTurnedAway(t *testing.T) { synctest.Test(t, oneAtATime) }

func oneAtATime(t *testing.T) {
	crowded := false
	all := newPlaces(2, func() bool { return crowded })
	before, first, second := &place{of: all}, &place{of: all}, &place{of: all}
	before.take()
	before.rest(func() { crowded = true }, atOnce)
	if before.held {
		t.Error("behind a rest: got a place that was taken again, want none")
	}
	first.take()
	begun := make(chan struct{})
	go func() { second.take(); close(begun) }()
	first.rest(func() {
		synctest.Wait() // whoever can begin has begun
		select {
		case <-begun:
			t.Error("while another one waits: got a second check begun, want none")
		default:
		}
	}, atOnce)
	before.leave()
	first.leave()
	<-begun
	second.leave()
	if all.free != 2 || len(all.one) != 0 {
		t.Errorf("at the end: got %d places free and a turn of %d, want both and none", all.free, len(all.one))
	}
}

// Who waits for its place behind a rest goes on without one as soon as the target turns connections away: those that it holds are what
// the others wait for.
func TestWhoRestedGoesOnWhereConnectionsAreTurnedAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var crowded atomic.Bool
		all := newPlaces(1, crowded.Load)
		rested, next := &place{of: all}, &place{of: all}
		rested.take()
		done := make(chan struct{})
		rested.rest(next.take, func(resume func()) {
			go func() { resume(); close(done) }()
			synctest.Wait()
			crowded.Store(true)
			<-done // a deadlock if it is not let go
		})
		if rested.held || !next.held {
			t.Errorf("got places held: %t and %t, want that of who came meanwhile", rested.held, next.held)
		}
		rested.leave()
		next.leave()
	})
}

// A check that attacks gives up its place for a wait only behind a look at the target: a server that it has ended is ended by
// it and by nobody that came meanwhile. While it waits it is not under way.
func TestAttacksRestBesideALiveTargetAlone(t *testing.T) {
	for _, lives := range []bool{true, false} {
		r := &run{}
		a := appointment{check: features.Check{ID: "attack", Tags: []string{"@hostile"}}, place: &place{of: newPlaces(1, func() bool { return false })}}
		a.place.take()
		r.enter(a.check.ID)
		r.rest(a, func() bool { return lives }, func() {
			if beside := r.leave("another"); (a.place.of.free == 1) != lives || (len(beside) == 0) != lives {
				t.Errorf("target alive %v: got %d places free and %v under way, want that given up: %[1]v", lives, a.place.of.free, beside)
			}
		}, atOnce)
		if beside := r.leave("another"); a.place.of.free != 0 || len(beside) != 1 {
			t.Errorf("target alive %v, behind the wait: got %d places free and %v under way, want none and one", lives, a.place.of.free, beside)
		}
	}
}

// What attacks a server stands alone: beside others nobody could tell whose fault it is that nothing is answered any more.
func TestAttacksStandAlone(t *testing.T) {
	checks, _, err := Select(Config{Seed: "test", Features: features.FS, Parallel: ParallelMax})
	if err != nil {
		t.Fatal(err)
	}
	r := &run{cfg: Config{Parallel: ParallelMax}, registry: theRegistry()}
	attacks := 0
	for _, c := range checks {
		if !c.Has("hostile") {
			continue
		}
		attacks++
		if r.waitsAside(c) {
			t.Errorf("%s (%s): got it beside others, want it alone", c.ID, c.Title)
		}
	}
	if attacks == 0 {
		t.Error("no check attacks a server")
	}
}

// atOnce lets whoever rested have the place again.
func atOnce(resume func()) { resume() }

// The time in which a check waits for its place is not its own: it ends as much later, whether that would have been before or behind
// the end of the wait.
func TestWhoWaitsForAPlaceHasItsTimeAllTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, queued := range []time.Duration{0, time.Second, time.Hour} {
			ctx, a := allot(t.Context(), time.Minute, time.Now)
			begin := time.Now()
			a.queue(func() { <-time.After(queued) })
			a.queue(func() { <-time.After(queued) })
			<-ctx.Done()
			if took := time.Since(begin); took != time.Minute+2*queued || !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				t.Errorf("behind two waits of %v: got %v and %v", queued, took, context.Cause(ctx))
			}
			a.end() // again
			ended, b := allot(t.Context(), time.Minute, time.Now)
			b.end()
			if errors.Is(context.Cause(ended), context.DeadlineExceeded) || ended.Err() == nil {
				t.Errorf("got %v, want an end that is nobody's time", context.Cause(ended))
			}
		}
	})
}

// Who comes back from a wait is before all who have not begun, though they asked before, and however long he waits.
func TestWhoComesBackIsNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := newPlaces(1, func() bool { return false })
		has, rests := &place{of: all}, &place{of: all}
		order := make(chan string)
		has.take()
		for range 3 {
			go func() {
				fresh := &place{of: all}
				fresh.take()
				order <- "fresh"
				fresh.leave()
			}()
		}
		synctest.Wait()
		go func() {
			rests.comesBack()
			order <- "rests"
			rests.leave()
		}()
		<-time.After(10 * crowdedLook)
		has.leave()
		if first := <-order; first != "rests" {
			t.Errorf("got %s first, want who comes back", first)
		}
		for range 3 {
			<-order
		}
	})
}
