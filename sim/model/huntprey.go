package model

import (
	"maps"
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// A prey is an identifier whose data is hunted (REF-HUNT-01).
type prey struct {
	identifier string
	low, due   instant.Instant // between these the next attempt begins
	attempts   int
	counted    bool // since attempts are counted nothing is unknown
	sure       bool // low and due are known
	ended      int  // the step in which a request for it ended last
	busy       bool // an attempt runs
	main       *flight
	made       int // requests of the attempt
	tried      map[string]bool
	seen       map[string]bool // that the queue of a host was asking meanwhile: the attempt may let it be
	rearmed    bool            // something new came during the attempt,
	again      instant.Instant
	known      map[repo.OID]bool // what was needed since the attempt began
	got        map[repo.OID]bool
	refused    map[string][]repo.OID // by URL
	items      []*item
}

func (h *hunt) prey(identifier string, due instant.Instant, sure bool) *prey {
	p := &prey{
		identifier: identifier, low: due, due: due, sure: sure, counted: sure, tried: map[string]bool{}, seen: map[string]bool{},
		known: map[repo.OID]bool{}, got: map[repo.OID]bool{}, refused: map[string][]repo.OID{},
	}
	h.preys[identifier] = p
	h.dues.Push(p.due, p.identifier, p)
	return p
}

// lacks is what a URL is asked for: what is missing, less what it has refused.
func (p *prey) lacks(missing []repo.OID, url string) []repo.OID {
	if len(p.refused[url]) == 0 {
		return missing
	}
	return slices.DeleteFunc(slices.Clone(missing), func(oid repo.OID) bool { return slices.Contains(p.refused[url], oid) })
}

// unsure says that it is not known any more when a prey is due: the server may see another moment than the model at which it can
// be hunted.
func (m *Model) unsure(p *prey) {
	p.sure, p.counted, p.busy, p.main, p.rearmed = false, false, false, nil, false
	m.hunt.stops(p)
	for _, i := range slices.Clone(p.items) {
		i.remove()
	}
}

// needs brings a prey up to date with what its room needs. One that needs nothing is forgotten. New objects may be where
// others were not: nothing counts as tried (REF-HUNT-13).
func (m *Model) needs(r *room) {
	p := m.hunt.preys[r.identifier]
	if p == nil {
		return
	}
	if !m.pending(r) && !r.busy() { // until then the server may forget it, or not
		m.dismiss(p)
		return
	}
	lacking := m.lacking(r)
	if len(lacking) == 0 {
		m.unsure(p)
		return
	}
	for _, oid := range lacking {
		if !p.known[oid] {
			p.known[oid] = true
			clear(p.tried)
			m.sees(p)
			for _, i := range p.items {
				m.doubts(r, i)
				clear(i.tried)
				i.maybe = maps.Clone(p.seen) // what is asked right now may count as tried when somebody looks
				i.passed = 0
			}
		}
	}
	for _, i := range p.items {
		if !m.untried(r, i, true) { // it may have left the queue, and comes back behind the others
			i.passed = 0
		}
	}
}

func (h *hunt) stops(p *prey) {
	h.running = slices.DeleteFunc(h.running, func(o *prey) bool { return o == p })
}

// dismiss ends the hunt for an identifier that nothing waits for any more.
func (m *Model) dismiss(p *prey) {
	delete(m.hunt.preys, p.identifier)
	m.hunt.stops(p)
	for _, i := range slices.Clone(p.items) {
		i.remove()
	}
	for _, f := range m.hunt.flights {
		if f.prey == p {
			f.prey, f.item = nil, nil
		}
	}
}

// enqueue takes over something new: due is min(due, now + delay), and no attempt counts (D-12, REF-HUNT-03, REF-HUNT-04).
func (m *Model) enqueue(r *room, delay time.Duration) {
	p, at := m.hunt.preys[r.identifier], after(m.now, delay)
	switch {
	case p != nil && p.busy:
		p.attempts, p.counted = 0, p.sure
		if !p.rearmed || at < p.again {
			p.rearmed, p.again = true, at
		}
	case p != nil:
		p.attempts, p.counted = 0, p.sure
		p.low = min(p.low, at)
		if at < p.due {
			p.due = at
			m.hunt.dues.Push(p.due, p.identifier, p)
		}
	case m.pending(r):
		m.hunt.prey(r.identifier, at, r.plain() && !m.hunt.waking && len(m.lacking(r)) > 0)
		m.needs(r)
	}
}
