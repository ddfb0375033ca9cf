package githost

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// RequestsMax is how many requests a host remembers at least; of twice as many the older half is forgotten.
const RequestsMax = 50_000

// A Request is one fetch that somebody asked a host for.
type Request struct {
	Number uint64          // from 1, in the order of asking
	Sent   instant.Instant // when it was asked for
	At     instant.Instant // when it arrived; Never if it was lost
	Ended  instant.Instant // when it was over for the asker; zero while it is under way
	Path   string
	OIDs   []repo.OID // wanted, in order
	Mode   Mode       // what the host did with it
}

// A Measure is what a host has seen of its askers, counted when they ask and when it is over for them.
type Measure struct {
	Requests uint64
	InFlight int // now
	Most     int // at any time
	Window   int // most requests that were sent within 60 s, the first instant included and the last not
}

// record keeps the requests of one host.
type record struct {
	last    uint64
	kept    []Request
	open    []uint64          // numbers under way, ascending
	recent  []instant.Instant // when the requests of the last 60 s were sent
	measure Measure
}

func (r *record) next() uint64 {
	r.last++
	return r.last
}

func (r *record) begin(q Request) {
	if len(r.kept) >= 2*RequestsMax {
		r.kept = append(r.kept[:0], r.kept[RequestsMax:]...)
	}
	r.kept = append(r.kept, q)
	r.open = append(r.open, q.Number)
	old := 0
	for old < len(r.recent) && r.recent[old].Add(time.Minute) <= q.Sent {
		old++
	}
	r.recent = append(r.recent[old:], q.Sent)
	r.measure.Requests++
	r.measure.InFlight = len(r.open)
	r.measure.Most = max(r.measure.Most, len(r.open))
	r.measure.Window = max(r.measure.Window, len(r.recent))
}

func (r *record) end(now instant.Instant, number uint64) {
	i, open := slices.BinarySearch(r.open, number)
	if !open {
		panic("githost: invariant: the exchange is not under way")
	}
	r.open = slices.Delete(r.open, i, i+1)
	r.measure.InFlight = len(r.open)
	first := r.last - uint64(len(r.kept)) // number before that of the first that is kept
	if number > first {
		r.kept[number-first-1].Ended = now
	}
}
