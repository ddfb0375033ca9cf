package hunt

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// A FetchID names one fetch. None is used twice.
type FetchID uint64

// A Fetch is one conversation with one host: it asks URL for OIDs with all their history, once. What comes goes to the
// objects of Target, and no ref is touched (INV-14).
type Fetch struct {
	ID         FetchID
	Identifier string
	Target     repo.ID
	URL        string // normalized, without user part and fragment
	Host       string // normalized authority
	OIDs       []repo.OID
}

// A Failure says why a fetch brought nothing.
type Failure uint8

// The failures. DNS, TLS and Protocol list the host as broken; RateLimited leaves it alone for a while.
const (
	NoFailure   Failure = iota
	Unreachable         // the connection was refused, reset or cut
	NotFound            // no repository there, or none for us
	NotOurs             // the host does not give some of the objects, which Missing names ("not our ref")
	RateLimited         // too many requests; RetryAfter says for how long, if the host did
	ServerError         // the host failed
	Timeout             // too slow
	BadData             // what came is broken, incomplete or something else
	TooLarge            // more than is taken
	Forbidden           // the address or a redirect is not allowed
	Canceled            // by us
	DNS                 // the name has no address
	TLS                 // the certificate or the handshake is wrong
	Protocol            // what answers is no git server
	LocalError          // the own repository could not take it
)

// lists reports whether a host that fails so is listed as broken.
func (f Failure) lists() bool { return f == DNS || f == TLS || f == Protocol }

// A Result says how a fetch ended.
type Result struct {
	// Got says that objects have arrived: all that was asked for but Missing.
	Got bool
	// Missing lists asked objects that the host does not have. Without Got it lists what the host has refused by name.
	Missing    []repo.OID
	Failure    Failure
	RetryAfter time.Duration // 0 if the host named none
}

// A fetch is one that is open.
type fetch struct {
	Fetch
	source   *source // nil if nobody waits for it any more
	spot     *spot   // whose turn at the host it is; nil on the main path
	host     *host
	canceled bool
	deadline instant.Instant
	at       int // place in deadlines
}

func (f *fetch) place() *int { return &f.at }

func (f *fetch) before(g *fetch) bool {
	return f.deadline < g.deadline || f.deadline == g.deadline && f.ID < g.ID
}

// start opens a request: the check of the capacity and its use are one step.
func (h *Hunt) start(now instant.Instant, x *host, s *source, p *spot) *fetch {
	h.take(x, now)
	h.touch(x)
	s.tried, s.triedThere = true, true
	h.fetches++
	f := &fetch{
		Fetch: Fetch{
			ID: h.fetches, Identifier: s.spot.entry.identifier, Target: s.need.target,
			URL: s.url, Host: s.host, OIDs: s.wants(),
		},
		source: s, spot: p, host: x, deadline: now.Add(h.cfg.FetchLife),
	}
	s.open = f
	h.open[f.ID] = f
	h.asked[s.question()] = true
	h.deadlines.push(f)
	return f
}

// cancel orders an open fetch ended. Its slot comes back with Done.
func (h *Hunt) cancel(f *fetch) {
	if !f.canceled {
		f.canceled = true
		h.deadlines.remove(f)
		h.cancels.push(f.ID)
	}
}

// abandon cancels a fetch whose outcome nobody waits for.
func (h *Hunt) abandon(now instant.Instant, f *fetch) {
	if f != nil {
		h.cancel(f)
		h.proceed(now, f)
	}
}

// proceed goes on after a fetch: the attempt with its next source, or the spot with its next turn.
func (h *Hunt) proceed(now instant.Instant, f *fetch) {
	s := f.source
	s.open, f.source = nil, nil
	if f.spot != nil {
		h.served(now, f.host, f.spot)
		return
	}
	s.spot.entry.flying = false
	h.steps.push(s.spot.entry)
}

// Done ends a fetch, whatever became of it. It panics if that fetch is not open.
func (h *Hunt) Done(now instant.Instant, id FetchID, r Result) {
	f := h.open[id]
	if f == nil {
		panic("hunt: invariant: a fetch ended that was not open")
	}
	delete(h.open, id)
	delete(h.asked, question{f.Identifier, f.URL})
	h.deadlines.remove(f)
	f.host.flying--
	h.touch(f.host)
	if r.Failure.lists() {
		h.list(f.host, now)
	} else if r.Failure == RateLimited {
		h.pause(f.host, now, r.RetryAfter)
	}
	s := f.source
	if s == nil {
		return
	}
	s.outcome(f, r)
	h.proceed(now, f)
	if e := s.spot.entry; r.Got && !e.pending() {
		h.satisfied(now, e)
	}
}

// outcome takes over what a source has brought. A host that refuses some of the objects by name is asked for the others,
// as another request; what it refuses beyond what it was asked for is no reason to ask again (REF-HUNT-16).
func (s *source) outcome(f *fetch, r Result) {
	var lacks []repo.OID
	for _, oid := range r.Missing {
		if _, is := slices.BinarySearch(f.OIDs, oid); is {
			lacks = append(lacks, oid)
		}
	}
	slices.Sort(lacks)
	lacks = slices.Compact(lacks)
	others := len(lacks) < len(f.OIDs)
	switch {
	case r.Got && others:
		s.need.oids = without(s.need.oids, without(f.OIDs, lacks))
		s.refused, s.failures = nil, 0
	case r.Failure == NotOurs && len(lacks) > 0 && others:
		s.refused = append(slices.Clone(s.refused), lacks...)
		slices.Sort(s.refused)
		s.tried, s.triedThere = false, false
	default:
		s.refused = nil
		s.failures++
	}
}

// satisfied ends what is under way for an identifier that needs nothing any more. Its entry stays until it is due or the
// caller says that nothing is needed.
func (h *Hunt) satisfied(now instant.Instant, e *entry) {
	for _, p := range e.spots {
		h.dequeue(p)
		for _, s := range p.sources {
			h.abandon(now, s.open)
		}
	}
}

// within reports whether all of a list are among the sorted others.
func within(list, others []repo.OID) bool {
	return !slices.ContainsFunc(list, func(oid repo.OID) bool {
		_, is := slices.BinarySearch(others, oid)
		return !is
	})
}

// without returns the sorted list less the sorted others, in memory of its own.
func without(list, others []repo.OID) []repo.OID {
	return slices.DeleteFunc(slices.Clone(list), func(oid repo.OID) bool {
		_, is := slices.BinarySearch(others, oid)
		return is
	})
}
