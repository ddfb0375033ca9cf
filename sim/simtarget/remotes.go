package simtarget

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim"
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

// failureOf is the word of the core for a result that brought nothing, be it a host's or one that only the asker can tell.
func failureOf(r githost.Result) core.FetchFailure {
	if failure, failed := sim.FailureOf(r); failed {
		return failure
	}
	switch r { //nolint:exhaustive // the others are those of hosts
	case githost.Done:
		return core.FetchNotFound
	case notOurs:
		return core.FetchNotOurs
	case lookupFailed:
		return core.FetchNoName
	case certificate:
		return core.FetchNoTrust
	case forbidden:
		return core.FetchForbidden
	case storeFailed:
		return core.FetchLocalError
	case "canceled":
		return core.FetchCanceled
	}
	panic("simtarget: invariant: unknown result " + string(r))
}
