package core

import (
	"time"

	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/repo"
)

// A FetchID names one fetch. A server never uses one twice, and after a restart begins anew.
type FetchID = hunt.FetchID

// A FetchFailure says why a fetch brought nothing.
type FetchFailure = hunt.Failure

// The failures of a fetch, as package hunt describes them.
const (
	FetchUnreachable = hunt.Unreachable
	FetchNotFound    = hunt.NotFound
	FetchNotOurs     = hunt.NotOurs
	FetchRateLimited = hunt.RateLimited
	FetchServerError = hunt.ServerError
	FetchTimeout     = hunt.Timeout
	FetchBadData     = hunt.BadData
	FetchTooLarge    = hunt.TooLarge
	FetchForbidden   = hunt.Forbidden
	FetchCanceled    = hunt.Canceled
	FetchNoName      = hunt.DNS
	FetchNoTrust     = hunt.TLS
	FetchNoGit       = hunt.Protocol
	FetchLocalError  = hunt.LocalError
)

// StartFetch asks a host, in one conversation, for objects with all that they reach, and keeps what comes whole in the
// repository. No ref moves (INV-14). It runs beside pushes and orders of the repository, which may be removed meanwhile:
// then nothing is kept. It is answered by exactly one FetchDone, canceled or not.
type StartFetch struct {
	Fetch FetchID
	Repo  repo.ID
	URL   string     // http or https, normalized, without user part; where its host leads is for the shell to judge
	OIDs  []repo.OID // sorted, full ones only
}

// CancelFetch asks for an early end of a fetch that was started.
type CancelFetch struct{ Fetch FetchID }

// FetchDone ends a fetch.
type FetchDone struct {
	Fetch FetchID
	// Got says that objects have come: the repository has all that was asked for but Missing.
	Got bool
	// Missing lists asked objects that the host does not have; without Got, those that it refused by name.
	Missing    []repo.OID
	Failure    FetchFailure  // why there is nothing; 0 with Got
	RetryAfter time.Duration // what a host asked for that limits the rate; 0 if nothing
}

func (StartFetch) effect()  {}
func (CancelFetch) effect() {}
func (FetchDone) input()    {}

// Facts about the hunt for git data.
const (
	FetchStarted Fact = "fetch_started" // Reason is the URL; Count objects
	FetchEnded   Fact = "fetch_ended"   // Reason is "" if something came; Count objects that came
	HuntLeftOut  Fact = "hunt_left_out" // an identifier that found no place in the queue
)

// fetchReasons names the failures in notes.
var fetchReasons = [...]string{
	hunt.NoFailure: "nothing came", hunt.Unreachable: "unreachable", hunt.NotFound: "not found", hunt.NotOurs: "not ours",
	hunt.RateLimited: "rate limited", hunt.ServerError: "server error", hunt.Timeout: "timeout", hunt.BadData: "bad data",
	hunt.TooLarge: "too large", hunt.Forbidden: "forbidden", hunt.Canceled: "canceled", hunt.DNS: "no such name",
	hunt.TLS: "not trusted", hunt.Protocol: "no git server", hunt.LocalError: "could not be kept",
}
