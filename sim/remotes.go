package sim

import (
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/githost"
	"github.com/graspkit/graspkit/sim/kernel"
)

// askTimeouts are those of the live fetcher.
var askTimeouts = githost.Timeouts{Begin: 30 * time.Second, Whole: 10 * time.Minute}

// outside is one git host of the scenario. The model is nil if its name leads nowhere.
type outside struct {
	name  string
	model *githost.Host
}

// addOutside sets the hosts of the scenario up.
func (w *World) addOutside(hosts []scenarios.Host) {
	for _, h := range hosts {
		o := &outside{name: h.Name}
		if !h.Absent {
			model, err := githost.New(h.Config, w.seed, Start, w.chooser)
			if err != nil {
				panic("sim: invariant: " + err.Error())
			}
			o.model = model
		}
		w.outside = append(w.outside, o)
	}
}

// locate finds the host that a URL names, nil if none has the name.
func (w *World) locate(text string) (*githost.Host, string) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, ""
	}
	for _, o := range w.outside {
		if o.name == u.Host {
			return o.model, u.Path
		}
	}
	return nil, ""
}

// has reports whether what a URL names has an object at an instant.
func (w *World) has(at instant.Instant, text string, oid repo.OID) bool {
	h, path := w.locate(text)
	return h != nil && h.Has(at, path, oid)
}

// asking are the fetches of one life of a server.
type asking struct {
	server *server
	life   uint64
	open   map[core.FetchID]*exchange
}

// An exchange is one fetch at one host, and the task that ends it.
type exchange struct {
	of     *asking
	fetch  core.StartFetch
	done   func(now instant.Instant, in core.FetchDone)
	host   *githost.Host // nil if nobody has the name
	number uint64
	plan   githost.Plan
	result githost.Result
	key    kernel.Key
}

func newAsking(s *server) *asking {
	return &asking{server: s, life: uint64(s.life), open: map[core.FetchID]*exchange{}}
}

// Fetch implements Remotes.
func (a *asking) Fetch(now instant.Instant, f core.StartFetch, done func(now instant.Instant, in core.FetchDone)) {
	w := a.server.world
	host, path := w.locate(f.URL)
	x := &exchange{of: a, fetch: f, done: done, host: host, key: a.server.key.WithText("exchange").With(a.life).With(uint64(f.Fetch))}
	a.open[f.Fetch] = x
	if a.server.monitor != nil {
		a.server.monitor.Asked(now, f.Fetch)
	}
	ends := now
	if host != nil {
		x.number, x.plan = host.Ask(now, path, f.OIDs)
		ends, x.result = x.plan.Ending(now, askTimeouts)
		w.see(now, host.Name(), "plans", planned{f.Fetch, x.number, x.plan, ends, x.result})
	}
	w.engine.At(ends, x.key.Uint64(), x)
}

// CancelFetch implements Remotes.
func (a *asking) CancelFetch(now instant.Instant, id core.FetchID) {
	if x := a.open[id]; x != nil {
		a.leave(now, x)
		a.server.world.engine.At(now, x.key.WithText("canceled").Uint64(), canceledExchange{x})
	}
}

// DropFetches implements Remotes.
func (a *asking) DropFetches(now instant.Instant) {
	for _, id := range slices.Sorted(maps.Keys(a.open)) {
		a.leave(now, a.open[id])
	}
}

// leave ends an exchange at its host.
func (a *asking) leave(now instant.Instant, x *exchange) {
	delete(a.open, x.fetch.Fetch)
	if x.host != nil {
		x.host.End(now, x.number)
	}
	if a.server.monitor != nil {
		a.server.monitor.Left(now, x.fetch.Fetch)
	}
}

// canceledExchange is the task that tells of an exchange that was canceled.
type canceledExchange struct{ exchange *exchange }

// Run implements Task.
func (c canceledExchange) Run(now instant.Instant) {
	c.exchange.done(now, core.FetchDone{Failure: core.FetchCanceled})
}

// Run implements Task: the exchange ends, unless it has ended already.
func (x *exchange) Run(now instant.Instant) {
	if x.of.open[x.fetch.Fetch] != x {
		return
	}
	x.of.leave(now, x)
	x.done(now, x.outcome())
}

// outcome takes what has come into the store. A host that lacks an object of those that were asked for names it and sends
// nothing, as git does.
func (x *exchange) outcome() core.FetchDone {
	if x.host == nil {
		return core.FetchDone{Failure: core.FetchNoName}
	}
	failure, failed := FailureOf(x.result)
	switch {
	case failed:
		return core.FetchDone{Failure: failure, RetryAfter: x.plan.RetryAfter}
	case len(x.plan.Lacks) > 0:
		return core.FetchDone{Failure: core.FetchNotOurs, Missing: x.plan.Lacks[:1]}
	case len(x.plan.Objects) == 0: // it cheats or lies
		return core.FetchDone{Failure: core.FetchBadData}
	case x.of.server.model.Take(x.fetch.Repo, x.plan.Objects) != nil:
		return core.FetchDone{Failure: core.FetchLocalError}
	}
	return core.FetchDone{Got: true}
}

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
