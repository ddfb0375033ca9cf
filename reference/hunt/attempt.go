package hunt

import (
	"time"

	"github.com/graspkit/graspkit/reference/instant"
)

// An entry is one identifier in the queue (REF-HUNT-01).
type entry struct {
	identifier string
	number     uint64 // of its kind; decides ties
	needs      []*need
	spots      []*spot

	due      instant.Instant
	attempts int
	busy     bool
	flying   bool            // the running attempt has a request in flight
	left     int             // requests that the running attempt may still make
	rearmed  bool            // something new came during the attempt,
	again    instant.Instant // which is to be hunted by then
	at       int             // place in waiting
}

func (e *entry) place() *int { return &e.at }

func (e *entry) before(f *entry) bool {
	return e.due < f.due || e.due == f.due && e.number < f.number
}

// pending reports whether anything is still needed.
func (e *entry) pending() bool {
	for _, n := range e.needs {
		if len(n.oids) > 0 {
			return true
		}
	}
	return false
}

// Backoff is the pause after the nth attempt in a row that has not brought everything: 20, 40, 80 and then 120 seconds
// (REF-HUNT-05).
func Backoff(n int) time.Duration {
	return min(BackoffFirst<<min(max(n-1, 0), 3), BackoffMax)
}

// begin starts an attempt at an identifier that is due, or forgets it if nothing is needed any more.
func (h *Hunt) begin(now instant.Instant, e *entry) {
	h.waiting.remove(e)
	if !e.pending() {
		h.drop(now, e)
		return
	}
	e.busy, e.left = true, AttemptMax
	for _, n := range e.needs {
		n.known, n.gone = n.oids, nil
		for _, s := range n.sources {
			s.tried = false
			if !s.wanted() {
				s.refused = nil // it may have come there meanwhile
			}
		}
	}
	h.steps.push(e)
}

// step asks the next source of an attempt, or ends the attempt.
func (h *Hunt) step(now instant.Instant, e *entry) *fetch {
	if h.entries[e.identifier] != e || !e.busy || e.flying {
		return nil
	}
	if e.left > 0 {
		if s := h.pick(now, e); s != nil {
			e.left--
			e.flying = true
			return h.start(now, h.host(now, s.host), s, nil)
		}
	}
	h.finish(now, e)
	return nil
}

// pick returns the source that an attempt asks next: one that it has not asked, at a host with capacity. Those that have
// failed less often come first, so that dead ones hold nobody up.
func (h *Hunt) pick(now instant.Instant, e *entry) *source {
	var best *source
	for _, p := range e.spots {
		x := h.hosts[p.host]
		if x != nil && !h.capacity(x, now) {
			continue
		}
		for _, s := range p.sources {
			if s.tried || !s.wanted() || best != nil && s.failures >= best.failures {
				continue
			}
			if h.asked[s.question()] {
				s.tried = true // the queue of its host asks it right now
				continue
			}
			if x == nil {
				if x = h.host(now, p.host); x == nil {
					break // no room for one more host; the next attempt may find some
				}
			}
			best = s
		}
	}
	return best
}

// finish ends an attempt. The sources that it has not asked go to the queues of their hosts, and nobody waits for them
// (REF-HUNT-14). Every attempt counts, and something new that came meanwhile is hunted in time (REF-HUNT-06).
func (h *Hunt) finish(now instant.Instant, e *entry) {
	for _, p := range e.spots {
		if h.isBroken(p.host, now) {
			continue
		}
		for _, s := range p.sources {
			if !s.tried && s.wanted() {
				h.enqueue(now, p)
				break
			}
		}
	}
	e.busy = false
	e.attempts++
	e.due = now.Add(Backoff(e.attempts))
	if e.rearmed {
		e.due = min(e.due, max(now, e.again))
		e.rearmed = false
	}
	h.arm(e)
}
