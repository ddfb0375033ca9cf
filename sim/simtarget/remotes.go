package simtarget

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/githost"
)

// remotes are the hosts of a target, as its server reaches them.
type remotes struct{ target *Target }

// Fetch implements sim.Remotes.
func (r remotes) Fetch(now instant.Instant, f core.StartFetch, done func(instant.Instant, core.FetchDone)) {
	r.target.startFetch(now, uint64(f.Fetch), f.Repo, f.URL, f.OIDs, func(now instant.Instant, end fetchEnd) {
		in := core.FetchDone{RetryAfter: end.retryAfter}
		if in.Got = end.result == githost.Done && len(end.missing) < len(f.OIDs); in.Got {
			in.Missing = end.missing
		} else {
			in.Missing, in.Failure = end.denied, failureOf(end.result)
		}
		done(now, in)
	})
}

// CancelFetch implements sim.Remotes.
func (r remotes) CancelFetch(now instant.Instant, id core.FetchID) {
	r.target.cancelFetch(now, uint64(id))
}

// DropFetches implements sim.Remotes.
func (r remotes) DropFetches(now instant.Instant) { r.target.dropFetches(now) }

// failureOf is the word of the core for a result, as the live fetcher's carrier has it.
func failureOf(r githost.Result) core.FetchFailure {
	switch r {
	case githost.Done, githost.NotFound, githost.Denied:
		return core.FetchNotFound
	case notOurs:
		return core.FetchNotOurs
	case githost.Refused, githost.Broken:
		return core.FetchUnreachable
	case lookupFailed:
		return core.FetchNoName
	case certificate:
		return core.FetchNoTrust
	case forbidden, githost.Redirected:
		return core.FetchForbidden
	case githost.RateLimited:
		return core.FetchRateLimited
	case githost.ServerError:
		return core.FetchServerError
	case githost.TimedOut:
		return core.FetchTimeout
	case githost.BadData:
		return core.FetchBadData
	case githost.TooLarge:
		return core.FetchTooLarge
	case storeFailed:
		return core.FetchLocalError
	case "canceled":
		return core.FetchCanceled
	}
	panic("simtarget: invariant: unknown result " + string(r))
}
