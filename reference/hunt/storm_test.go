package hunt_test

import (
	"container/heap"
	"fmt"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/instant"
)

const (
	stormMembers = 10_000
	stormLasts   = 24 * time.Hour
	stormFetch   = 2 * time.Second
)

// storm has ten thousand identifiers on one host fall due at once, and the host find nothing for a day. It returns how
// often each was served, and the starts of each that came last and first.
func storm(t failer) (w *world, served []int, gap time.Duration) {
	w = newWorld(t, hunt.Config{})
	w.quick = true
	number := map[string]int{}
	for i := range stormMembers {
		name := fmt.Sprint(i)
		number[name] = i
		w.h.Add(w.now, want(name, oids("a"), url("h", name)), 0)
	}
	served = make([]int, stormMembers)
	last := make([]instant.Instant, stormMembers)
	for i := range last {
		last[i] = w.now
	}
	until := w.now.Add(stormLasts)
	type ending struct {
		id hunt.FetchID
		at instant.Instant
	}
	var flying []ending
	w.carryOut()
	known := hunt.FetchID(0)
	for {
		for w.open[known+1].ID != 0 {
			known++
			f := w.open[known]
			i := number[f.Identifier]
			served[i]++
			gap = max(gap, w.now.Sub(last[i]))
			last[i] = w.now
			flying = append(flying, ending{known, w.now.Add(stormFetch)})
		}
		at, ok := w.h.Deadline()
		if len(flying) > 0 && (!ok || flying[0].at <= at) {
			w.now = flying[0].at
			id := flying[0].id
			flying = flying[1:]
			w.close(id)
			w.h.Done(w.now, id, notFound)
		} else {
			w.now = at
		}
		if w.now > until {
			return w, served, gap
		}
		w.carryOut()
	}
}

// For a day the limits hold, the limit is used to the full, and nobody starves: ten thousand at 30 a minute come round in
// five and a half hours (INV-35, INV-36, INV-40).
func TestThrottleStorm(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulated day")
	}
	w, served, gap := storm(t)
	if n := len(w.starts["h"]); n < 24*60*30 {
		t.Errorf("got %d requests in a day, want all that are allowed", n)
	}
	for i, n := range served {
		if n < 4 {
			t.Fatalf("identifier %d was served %d times, want 4", i, n)
		}
	}
	round := stormMembers / 30 * time.Minute
	if gap > round+5*time.Minute {
		t.Errorf("got a wait of %s, want one round, %s, and the pause after an attempt", gap, round)
	}
}

// An instants is the bare heap that the hunt is measured against.
type instants []instant.Instant

func (x instants) Len() int           { return len(x) }
func (x instants) Less(i, j int) bool { return x[i] < x[j] }
func (x instants) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x *instants) Push(v any)        { *x = append(*x, v.(instant.Instant)) }

func (x *instants) Pop() any {
	last := len(*x) - 1
	v := (*x)[last]
	*x = (*x)[:last]
	return v
}

// BenchmarkStorm measures the day of TestThrottleStorm, and the same number of attempts and requests on a bare heap.
func BenchmarkStorm(b *testing.B) {
	var ratio float64
	for b.Loop() {
		begin := time.Now()
		w, _, _ := storm(b)
		mine := time.Since(begin)
		events := int(stormLasts/(120*time.Second))*stormMembers + 2*len(w.starts["h"])
		begin = time.Now()
		bare := &instants{}
		for i := range stormMembers {
			heap.Push(bare, instant.Instant(i))
		}
		for range events {
			(*bare)[0] = (*bare)[0].Add(120 * time.Second)
			heap.Fix(bare, 0)
		}
		ratio = mine.Seconds() / time.Since(begin).Seconds()
	}
	b.ReportMetric(ratio, "x-bare-heap")
}

// BenchmarkAdd measures the arrival of something new for an identifier that is in the queue.
func BenchmarkAdd(b *testing.B) {
	h := hunt.New(hunt.Config{})
	x := want("x", oids("a", "b", "c"), url("h", "x"), url("i", "x"), url("j", "x"))
	for b.Loop() {
		h.Add(origin, x, time.Hour)
	}
}
