package fetch

import "github.com/graspkit/graspkit/reference/core"

// A Carrier carries out the fetches of one core with a Fetcher that nobody else uses. The Fetcher should not narrow
// requests by itself (Limits.Narrow -1): the core asks again, and counts every request against the host (REF-HUNT-09).
type Carrier struct{ Fetcher *Fetcher }

// Start begins a fetch; see Fetcher.Start.
func (c Carrier) Start(f core.StartFetch, done func(core.FetchDone)) {
	c.Fetcher.Start(ID(f.Fetch), Request{Repo: f.Repo, URL: f.URL, OIDs: f.OIDs}, func(r Result) {
		done(r.done(f))
	})
}

// Cancel asks for the end of a fetch.
func (c Carrier) Cancel(id core.FetchID) { c.Fetcher.Cancel(ID(id)) }

// done says in the words of the core how a fetch ended.
func (r Result) done(f core.StartFetch) core.FetchDone {
	in := core.FetchDone{Fetch: f.Fetch, Got: r.Got, RetryAfter: r.RetryAfter}
	if in.Got {
		in.Missing = r.Missing
		return in
	}
	in.Missing = r.Denied
	in.Failure = r.Failure.core()
	return in
}

// core is the word of the core for a failure. Lookup, Certificate and NoHTTP list the host as broken (REF-HUNT-25).
func (f Failure) core() core.FetchFailure {
	switch f {
	case None, NotFound, Denied:
		return core.FetchNotFound
	case NotOurs:
		return core.FetchNotOurs
	case Refused, Broken:
		return core.FetchUnreachable
	case Lookup:
		return core.FetchNoName
	case Certificate:
		return core.FetchNoTrust
	case NoHTTP:
		return core.FetchNoGit
	case Forbidden, Redirected:
		return core.FetchForbidden
	case RateLimited:
		return core.FetchRateLimited
	case ServerError:
		return core.FetchServerError
	case Timeout:
		return core.FetchTimeout
	case BadData:
		return core.FetchBadData
	case TooLarge:
		return core.FetchTooLarge
	case Canceled:
		return core.FetchCanceled
	case Store:
		return core.FetchLocalError
	}
	panic("fetch: invariant: unknown failure " + string(f))
}
