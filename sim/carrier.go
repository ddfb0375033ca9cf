package sim

import (
	"maps"
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/githost"
	"github.com/graspkit/graspkit/sim/kernel"
)

// Remotes are the git hosts out there, as a host's fetches reach them. A method must not step the host.
type Remotes interface {
	// Fetch begins a fetch. Done is called once when it has ended, canceled or not, by a task or a timer and never from
	// within Fetch; what has come is in the store of the host by then. The Fetch of its argument is filled in.
	Fetch(now instant.Instant, f core.StartFetch, done func(now instant.Instant, in core.FetchDone))
	// CancelFetch asks for the end of a fetch; one that has ended is no error.
	CancelFetch(now instant.Instant, id core.FetchID)
	// DropFetches says that the host has crashed: what is under way reaches neither server nor store any more, and
	// nobody is told.
	DropFetches(now instant.Instant)
}

// askTimeouts are those of the live fetcher.
var askTimeouts = githost.Timeouts{Begin: 30 * time.Second, Whole: 10 * time.Minute}

// A Place is what the URL of a fetch leads to.
type Place interface {
	// Ask asks for objects. The place says by x.EndsAt, now or later, when and how it ends; until then the asker waits, but
	// no longer than the live fetcher would.
	Ask(now instant.Instant, x *Exchange)
	// Over says that the exchange has ended for the asker, whoever ended it. It comes once.
	Over(now instant.Instant, x *Exchange)
}

// A Carrier carries out the fetches of one life of a server, as the live fetcher does: each asks one place.
type Carrier struct {
	Locate func(url string) Place // what a URL leads to; never nil
	// Asked and Left are told when a fetch begins and is over at its place; they may be nil.
	Asked, Left func(now instant.Instant, id core.FetchID)

	engine *Engine
	open   map[core.FetchID]*Exchange
	ends   *kernel.Schedule[ending]
}

// ending is when an exchange ends, if nothing has changed since.
type ending struct {
	of   *Exchange
	when int // which of its endings
}

// NewCarrier returns a carrier. The name and the life tell its timer from others.
func NewCarrier(e *Engine, seed uint64, name string, life int) *Carrier {
	c := &Carrier{engine: e, open: map[core.FetchID]*Exchange{}, ends: kernel.NewSchedule[ending](seed)}
	e.AddTimer(kernel.NewKey(seed, "sim/carrier").WithText(name).With(uint64(life)).Uint64(), c)
	return c
}

// An Exchange is one fetch at one place.
type Exchange struct {
	Into   repo.ID
	OIDs   []repo.OID
	Number uint64 // for the place's own use

	fetch core.StartFetch
	place Place
	of    *Carrier
	done  func(now instant.Instant, in core.FetchDone)
	how   func(now instant.Instant) core.FetchDone
	when  int  // how often its end was said
	left  bool // it is over at its place

	content kernel.Key // what it asks, and where
}

// Fetch implements Remotes.
func (c *Carrier) Fetch(now instant.Instant, f core.StartFetch, done func(now instant.Instant, in core.FetchDone)) {
	x := &Exchange{Into: f.Repo, OIDs: f.OIDs, fetch: f, place: c.Locate(f.URL), of: c, done: done}
	x.content = oidsContent(fetchContent.WithText(f.URL), f.OIDs)
	c.open[f.Fetch] = x
	if c.Asked != nil {
		c.Asked(now, f.Fetch)
	}
	x.EndsAt(now.Add(askTimeouts.Begin), Ended(core.FetchTimeout))
	x.place.Ask(now, x)
}

// EndsAt says when an exchange ends, and how: the function is called then and puts what has come into the store. It takes
// the place of what was said before, and changes nothing of one that is over at its place.
func (x *Exchange) EndsAt(at instant.Instant, how func(now instant.Instant) core.FetchDone) {
	if !x.left {
		x.ends(at, how)
	}
}

func (x *Exchange) ends(at instant.Instant, how func(now instant.Instant) core.FetchDone) {
	x.when++
	x.how = how
	x.of.ends.Push(at, x.content.Uint64(), ending{x, x.when})
}

// Ending is when and how the plan of a host ends for whoever has asked it at an instant and waits as long as the live fetcher does.
func Ending(asked instant.Instant, plan githost.Plan) (instant.Instant, githost.Result) {
	return plan.Ending(asked, askTimeouts)
}

// Ended is an end that brings nothing.
func Ended(failure core.FetchFailure) func(instant.Instant) core.FetchDone {
	return func(instant.Instant) core.FetchDone { return core.FetchDone{Failure: failure} }
}

// CancelFetch implements Remotes.
func (c *Carrier) CancelFetch(now instant.Instant, id core.FetchID) {
	if x := c.open[id]; x != nil {
		x.leave(now)
		x.ends(now, Ended(core.FetchCanceled))
	}
}

// Break ends the exchanges with places that are gone.
func (c *Carrier) Break(now instant.Instant, gone func(Place) bool) {
	for _, id := range slices.Sorted(maps.Keys(c.open)) {
		if x := c.open[id]; gone(x.place) {
			x.EndsAt(now, Ended(core.FetchUnreachable))
		}
	}
}

// DropFetches implements Remotes. The carrier ends with its life.
func (c *Carrier) DropFetches(now instant.Instant) {
	for _, id := range slices.Sorted(maps.Keys(c.open)) {
		c.open[id].leave(now)
	}
	c.engine.RemoveTimer(c)
}

// leave ends an exchange at its place.
func (x *Exchange) leave(now instant.Instant) {
	x.left = true
	delete(x.of.open, x.fetch.Fetch)
	x.place.Over(now, x)
	if x.of.Left != nil {
		x.of.Left(now, x.fetch.Fetch)
	}
}

// next is the exchange that ends first. What no longer counts goes.
func (c *Carrier) next() (at instant.Instant, x *Exchange) {
	for {
		at, e, is := c.ends.Peek()
		if !is {
			return 0, nil
		}
		if e.when == e.of.when {
			return at, e.of
		}
		c.ends.Pop()
	}
}

// Deadline implements Timer.
func (c *Carrier) Deadline() (instant.Instant, bool) {
	at, x := c.next()
	return at, x != nil
}

// Fire implements Timer: one exchange ends.
func (c *Carrier) Fire(now instant.Instant) {
	_, x := c.next()
	c.ends.Pop()
	if !x.left { // else it was canceled
		x.leave(now)
	}
	x.done(now, x.how(now))
}

// startFetch begins a fetch. Without remotes nobody can be reached.
func (h *Host) startFetch(now instant.Instant, e core.StartFetch) {
	done := func(now instant.Instant, in core.FetchDone) {
		in.Fetch = e.Fetch
		h.Step(now, in)
	}
	if h.Remotes == nil {
		h.engine.At(now, oidsContent(fetchContent.WithText(e.URL), e.OIDs).Uint64(), unreachable(done))
		return
	}
	h.Remotes.Fetch(now, e, done)
}

func (h *Host) cancelFetch(now instant.Instant, e core.CancelFetch) {
	if h.Remotes != nil {
		h.Remotes.CancelFetch(now, e.Fetch)
	}
}

// unreachable is the task that ends a fetch from nowhere.
type unreachable func(now instant.Instant, in core.FetchDone)

// Run implements Task.
func (u unreachable) Run(now instant.Instant) { u(now, core.FetchDone{Failure: core.FetchUnreachable}) }

// FailureOf is the word of the core for the result of a request that a host has answered without anything to take; false
// for others. The carrier of the live server says the same.
func FailureOf(r githost.Result) (core.FetchFailure, bool) {
	failure, failed := failures[r]
	return failure, failed
}

var failures = map[githost.Result]core.FetchFailure{
	githost.NotFound: core.FetchNotFound, githost.Denied: core.FetchNotFound, githost.Refused: core.FetchUnreachable,
	githost.Broken: core.FetchUnreachable, githost.Redirected: core.FetchForbidden, githost.RateLimited: core.FetchRateLimited,
	githost.ServerError: core.FetchServerError, githost.TimedOut: core.FetchTimeout, githost.BadData: core.FetchBadData,
	githost.TooLarge: core.FetchTooLarge,
}
