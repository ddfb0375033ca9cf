package suite

import (
	"testing"

	"github.com/graspkit/graspkit/features"
)

// A place that is given up for a wait is somebody else's meanwhile, and taken again behind it.
func TestWhoRestsGivesUpItsPlace(t *testing.T) {
	p := make(places, 1)
	p.take()
	rested := false
	p.rest(func() {
		p.take() // blocks for ever if the place is not free
		p.leave()
		rested = true
	})
	if !rested || len(p) != 1 {
		t.Errorf("behind a rest: got rested %v and %d places taken, want true and 1", rested, len(p))
	}
	p.leave()
	var none places
	none.take()
	none.rest(func() {})
	none.leave()
}

// A check that attacks gives up its place for a wait only behind a look at the target: a server that it has ended is ended by
// it and by nobody that came meanwhile. While it waits it is not under way.
func TestAttacksRestBesideALiveTargetAlone(t *testing.T) {
	for _, lives := range []bool{true, false} {
		r := &run{}
		a := appointment{check: features.Check{ID: "attack", Tags: []string{"@hostile"}}, place: make(places, 1)}
		a.place.take()
		r.enter(a.check.ID)
		r.rest(a, func() bool { return lives }, func() {
			if beside := r.leave("another"); (len(a.place) == 0) != lives || (len(beside) == 0) != lives {
				t.Errorf("target alive %v: got %d places taken and %v under way, want that given up: %[1]v", lives, len(a.place), beside)
			}
		})
		if beside := r.leave("another"); len(a.place) != 1 || len(beside) != 1 {
			t.Errorf("target alive %v, behind the wait: got %d places taken and %v under way, want one of each", lives, len(a.place), beside)
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
