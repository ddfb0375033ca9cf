package measure

import (
	"fmt"
	"slices"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// A Result is what was measured.
type Result struct {
	Target, URL string
	Seed, Nonce string
	Rate        int  // what the server is said to be set to
	Hunts       bool // a request came at all
	Requests    int  // at both hosts together
	Facts       []Fact
	// Early and Late are what a time may fall short of what is required, and go beyond it: nothing where the clock moves
	// by our word alone.
	Early, Late time.Duration
	// Sync is how it gets events from other relays; nil if that was not measured.
	Sync *SyncResult
}

// Violated reports whether a fact breaks a requirement by which it was judged.
func (r *Result) Violated() bool {
	return slices.ContainsFunc(r.Facts, func(f Fact) bool { return f.Verdict == Broken })
}

// The verdicts of facts.
const (
	Kept     = "kept"
	Broken   = "VIOLATED"
	Recorded = "recorded" // no requirement bounds it here
	Unseen   = "not seen" // there was nothing to measure
)

// The units of facts.
const (
	Milliseconds = "ms"
	Requests     = "requests"
)

// A Fact is one measured value beside what is required or configured.
type Fact struct {
	Name     string // stable: lower-case words joined by hyphens
	What     string // in words
	Unit     string // Milliseconds, Requests or Events
	Measured int64
	Seen     bool // there was something to measure
	// Min and Max are the bounds within which Requirement keeps it, slack of the network left out.
	Min, Max    int64
	Requirement string
	Verdict     string
}

// hourly is the bound of GRASP-02 itself: missing data is looked for at least once an hour.
const hourly = time.Hour

// The window over which starts are counted, and the rules of the reference.
const (
	window     = 60 * time.Second
	firstDelay = 180 * time.Second
	concurrent = 5
)

// intervals are those between attempts.
func intervals() []time.Duration {
	return []time.Duration{20 * time.Second, 40 * time.Second, 80 * time.Second, 120 * time.Second, 120 * time.Second}
}

// result reads the facts off the requests that came.
func (r *run) result() *Result {
	lone, crowded := starts(r.lone.Requests()), starts(r.crowded.Requests())
	out := &Result{
		Target: r.target.Name(), URL: r.target.ServiceURL(), Seed: r.cfg.Seed, Nonce: r.cfg.Nonce, Rate: r.cfg.Rate,
		Hunts: len(lone)+len(crowded) > 0, Requests: len(r.lone.Requests()) + len(r.crowded.Requests()),
	}
	if !r.exact {
		out.Early, out.Late = jitter, lateness
	}
	last := r.begin
	for i, want := range append([]time.Duration{firstDelay}, intervals()...) {
		f := Fact{
			Name: fmt.Sprintf("interval-%d", i), What: fmt.Sprintf("from attempt %d to attempt %d", i, i+1), Unit: Milliseconds,
			Min: want.Milliseconds(), Max: want.Milliseconds(), Requirement: "REF-HUNT-05",
		}
		if i == 0 {
			f.Name, f.What, f.Requirement = "first-delay", "from a user's state to the first request", "REF-HUNT-02"
		}
		if i < len(lone) {
			f.Measured = lone[i].Sub(last).Milliseconds()
			last = lone[i]
		}
		out.Facts = append(out.Facts, r.judged(f, i < len(lone)))
	}
	noticed := target.NoticedWithin
	if r.exact {
		noticed = 0
	}
	most := target.BusiestMoment(r.crowded.Requests(), noticed)
	some := len(crowded) > 0
	counted := window
	if !r.exact {
		counted -= jitter
	}
	rate := int64(r.cfg.Rate)
	out.Facts = append(
		out.Facts,
		r.judged(Fact{
			Name: "in-flight", What: "most requests in flight at one host", Unit: Requests, Measured: int64(most),
			Min: concurrent, Max: concurrent, Requirement: "REF-HUNT-08",
		}, some),
		r.judged(Fact{
			Name: "starts", What: "most fetches that began at one host within 60 s", Unit: Requests,
			Measured: int64(target.BusiestWindow(r.crowded.Requests(), counted)), Min: rate, Max: rate, Requirement: "REF-HUNT-09",
		}, some),
	)
	full := Fact{
		Name: "window-frees", What: fmt.Sprintf("from a fetch to the one %d places behind it", r.cfg.Rate), Unit: Milliseconds,
		Min: window.Milliseconds(), Max: window.Milliseconds(), Requirement: "REF-HUNT-10",
	}
	if len(crowded) > r.cfg.Rate {
		full.Measured = crowded[r.cfg.Rate].Sub(crowded[0]).Milliseconds()
	}
	out.Facts = append(out.Facts, r.judged(full, len(crowded) > r.cfg.Rate))
	return out
}

// judged gives a fact its verdict. A server that is no reference is held to what GRASP-02 says of intervals alone.
func (r *run) judged(f Fact, seen bool) Fact {
	f.Seen = seen
	low, high := f.Min, f.Max
	if f.Unit == Milliseconds && !r.exact {
		low, high = low-jitter.Milliseconds(), high+lateness.Milliseconds()
	}
	switch {
	case !seen:
		f.Verdict = Unseen
		if r.cfg.Reference {
			f.Verdict = Broken
		}
	case !r.cfg.Reference && f.Unit == Milliseconds && f.Requirement != "REF-HUNT-10" && f.Measured > hourly.Milliseconds():
		f.Requirement, f.Min, f.Max, f.Verdict = "G02-GIT-03", 0, hourly.Milliseconds(), Broken
	case !r.cfg.Reference:
		f.Verdict = Recorded
	case f.Measured < low || f.Measured > high:
		f.Verdict = Broken
	default:
		f.Verdict = Kept
	}
	return f
}
