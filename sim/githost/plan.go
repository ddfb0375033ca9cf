package githost

import (
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// Never is the instant of what does not happen.
const Never = instant.Instant(1<<63 - 1)

// A Plan is how an exchange goes if the asker waits long enough. Its instants are those at the asker.
type Plan struct {
	Mode    Mode            // what the host did
	Begins  instant.Instant // the first byte of the answer, or the end of the connection, arrives; Never if none does
	Ends    instant.Instant // the last byte arrives; Never if there is no last
	Objects []repo.OID      // those of the wanted objects that the answer brings, in the order wanted
	Lacks   []repo.OID      // the others, if the host says so instead of cheating

	RetryAfter time.Duration // of Limits
	RedirectTo string        // of Redirects
}

// unanswered is the plan of what nobody answers.
var unanswered = Plan{Mode: Hangs, Begins: Never, Ends: Never}

// Travel moves a plan from the host to the asker, where its first byte arrives at the instant. An answer that is lost
// never begins.
func (p Plan) Travel(arrives instant.Instant, arrived bool) Plan {
	if !arrived {
		return unanswered
	}
	if p.Ends != Never {
		p.Ends = arrives.Add(p.Ends.Sub(p.Begins))
	}
	p.Begins = arrives
	return p
}

// A Result is how an exchange ended for the asker.
type Result string

// The results, in the words of a fetcher.
const (
	Done        Result = "done" // the answer was read; it may hold nothing
	Refused     Result = "refused"
	Broken      Result = "broken" // the connection ended too early
	Denied      Result = "denied"
	NotFound    Result = "not found"
	RateLimited Result = "rate limited"
	ServerError Result = "server error"
	TimedOut    Result = "timed out"
	BadData     Result = "bad data"
	TooLarge    Result = "too large"
	Redirected  Result = "redirected"
)

// Timeouts are how long an asker waits. Zero is for ever.
type Timeouts struct {
	Begin time.Duration // for the first byte
	Whole time.Duration // for the last
}

// Ending is when and how an exchange that was begun at the instant asked ends for an asker with these timeouts: at
// Never if it does not.
func (p Plan) Ending(asked instant.Instant, t Timeouts) (instant.Instant, Result) {
	limit := Never
	if t.Whole > 0 {
		limit = asked.Add(t.Whole)
	}
	if begin := asked.Add(t.Begin); t.Begin > 0 && p.Begins > begin {
		limit = min(limit, begin)
	}
	end := p.Ends
	if p.Mode == Floods {
		end = p.Begins // the asker's limit of size is reached at once
	}
	if end > limit || end == Never {
		return limit, TimedOut
	}
	return end, p.result()
}

func (p Plan) result() Result {
	switch p.Mode {
	case Refuses:
		return Refused
	case Drops:
		return Broken
	case Denies:
		return Denied
	case Lacks:
		return NotFound
	case Limits:
		return RateLimited
	case Fails:
		return ServerError
	case Truncates, Corrupts:
		return BadData
	case Floods:
		return TooLarge
	case Redirects:
		return Redirected
	case Hangs:
		return TimedOut
	case Serves, Drips, Cheats, Lies:
		return Done
	default:
		panic("githost: invariant: unknown mode")
	}
}
