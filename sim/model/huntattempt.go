package model

import (
	"maps"
	"slices"
	"time"
)

// rest is the pause after the n-th attempt in a row: 20, 40, 80, 120, 120, ... seconds (REF-HUNT-05, D-13).
func rest(n int) time.Duration {
	return []time.Duration{20 * time.Second, 40 * time.Second, 80 * time.Second, 120 * time.Second}[min(n, 4)-1]
}

// takesTurn says whose turn a request is: that of the queue of its host, or of an attempt, which is due.
func (m *Model) takesTurn(p *prey, f *flight) {
	f.prey = p
	if m.hunt.waking { // what a start has found is new, one after the other, as soon as it is looked at
		m.unsure(p)
		return
	}
	if p.sure && !p.busy && p.low < p.due && m.now >= p.low {
		m.unsure(p) // an attempt may have found nobody who could be asked
	}
	if !p.sure {
		m.anchors(p, f)
		return
	}
	r := m.room(p.identifier)
	lacking := m.lacking(r)
	wants := len(lacking) == 0 || r.busy() || len(p.lacks(lacking, f.url)) > 0
	waits := func(i *item) bool { return i.at == f.at && i.flight == nil && !i.tried[f.url] && wants }
	at := slices.IndexFunc(p.items, waits)
	if at < 0 && p.busy && p.main == nil && p.made >= attemptMost {
		m.finishes(p)
		at = slices.IndexFunc(p.items, waits)
	}
	if p.busy && p.main == nil && p.rearmed && p.again <= m.now { // the next attempt may begin in the same step
		switch {
		case p.tried[f.url] || !wants:
			m.finishes(p)
		case p.seen[f.url]:
			m.unsure(p) // the attempt may have let it be, since the queue of the host was asking it
			return
		}
	}
	attempt := !p.busy && m.now >= p.low || p.busy && p.main == nil && !p.tried[f.url]
	if at >= 0 && attempt && (p.items[at].maybe[f.url] || p.items[at].vague) {
		m.unsure(p) // it may be either
		return
	}
	if at >= 0 {
		m.turn(p.items[at], f)
	} else {
		switch {
		case !p.busy && m.now < p.low:
			m.differ("REF-HUNT-05", "hunted-early", "%s is asked for %s %d ns before it is due, after %d attempts",
				f.url, p.identifier, p.low-m.now, p.attempts)
			return
		case !p.busy:
			m.begins(p)
		case p.main != nil:
			m.differ("REF-HUNT-01", "two-attempts", "%s is asked for %s while an attempt asks %s", f.url, p.identifier, p.main.url)
			return
		case !wants:
			m.differ("REF-HUNT-16", "asked-refused", "%s is asked once more for what it has refused in the same attempt", f.url)
			return
		case p.tried[f.url]:
			m.differ("REF-HUNT-13", "tried-twice", "%s is asked for %s twice in an attempt", f.url, p.identifier)
			return
		}
		p.main = f
		p.made++
	}
	p.tried[f.url] = true
	for _, i := range p.items {
		i.tried[f.url] = true
	}
}

// clear reports whether nothing can have waited at a host for a prey when the step began: every host of it had room.
func (m *Model) clear(p *prey) bool {
	r := m.room(p.identifier)
	for _, s := range m.places(r) {
		if !m.hunt.site(s.host).roomy {
			return false
		}
	}
	asked := func(f *flight) bool { return f.into.Identifier == p.identifier }
	return r.plain() && !r.busy() && p.ended != m.checks && !slices.ContainsFunc(m.hunt.flights, asked)
}

// anchors takes a request for a prey of which it is not known when it is due. Where nothing can have waited at a host, it is the
// first of an attempt, and from then on it is known.
func (m *Model) anchors(p *prey, f *flight) {
	if !m.clear(p) {
		p.tried[f.url] = true
		return
	}
	p.sure, p.counted, p.attempts, p.low, p.due = true, false, 0, m.now, m.now
	m.begins(p)
	p.main = f
	p.made++
	p.tried[f.url] = true
}

// sees notes what is being asked for an identifier at the moment.
func (m *Model) sees(p *prey) {
	clear(p.seen)
	for _, f := range m.hunt.flights {
		if f.into.Identifier == p.identifier {
			p.seen[f.url] = true
		}
	}
}

func (m *Model) begins(p *prey) {
	p.busy, p.made = true, 0
	m.hunt.running = append(m.hunt.running, p)
	clear(p.tried)
	clear(p.known)
	m.sees(p)
	r := m.room(p.identifier)
	lacking := m.lacking(r)
	for _, oid := range lacking {
		p.known[oid] = true
	}
	for _, url := range slices.Sorted(maps.Keys(p.refused)) {
		if len(p.lacks(lacking, url)) > 0 {
			continue
		}
		for _, i := range p.items {
			m.doubts(r, i) // it had nothing to ask but what was refused
		}
		delete(p.refused, url)
	}
}

// attempts judges those that are due, and those that have come to their end.
func (m *Model) attempts() {
	h := &m.hunt
	for _, p := range slices.Clone(h.running) {
		if p.busy && p.main == nil {
			m.finishes(p)
		}
	}
	for {
		due, ok := h.dues.Due(m.now)
		if !ok {
			return
		}
		p := due.Value
		if h.preys[p.identifier] != p || p.busy || p.due != due.At {
			continue
		}
		if r := m.room(p.identifier); r.busy() || !r.plain() || !m.huntable(r) || p.low < p.due {
			m.unsure(p)
			continue
		}
		if p.sure {
			m.begins(p)
			m.finishes(p)
		}
	}
}

// finishes judges the end of an attempt: every source was asked whose host has room, and at the others the identifier waits
// (REF-HUNT-14). Every attempt counts, and something new that came meanwhile is hunted in time (REF-HUNT-06).
func (m *Model) finishes(p *prey) {
	r := m.room(p.identifier)
	lacking := m.lacking(r)
	for _, s := range m.places(r) {
		x := m.hunt.site(s.host)
		if p.tried[s.url] || len(p.lacks(lacking, s.url)) == 0 || x.broken > m.now {
			continue
		}
		judged := s.sure && !r.busy() && r.plain() && !m.hunt.waking
		if judged && !m.asking(r, s.url) && !p.seen[s.url] && p.made < attemptMost && m.capacity(x) {
			m.differ("REF-HUNT-14", "left-out", "an attempt at %s ends and %s was not asked", p.identifier, s.url)
			return
		}
		at := slices.IndexFunc(p.items, func(i *item) bool { return i.at == x })
		if at >= 0 && p.items[at].flight == nil && !m.untried(r, p.items[at], true) { // it may wait there still, or be gone
			maps.Copy(p.items[at].maybe, p.items[at].tried)
			clear(p.items[at].tried)
			p.items[at].vague = false
		}
		if at < 0 {
			i := &item{prey: p, at: x, tried: maps.Clone(p.tried), maybe: maps.Clone(p.seen)}
			x.items, p.items = append(x.items, i), append(p.items, i)
		}
	}
	for _, i := range p.items {
		maps.Copy(i.tried, p.tried)
		maps.Copy(i.maybe, p.seen)
	}
	p.busy = false
	m.hunt.stops(p)
	p.attempts++
	p.low = after(m.now, rest(p.attempts))
	if p.due = p.low; !p.counted {
		p.due = after(m.now, rest(4))
	}
	if p.rearmed {
		p.low, p.due = min(p.low, max(m.now, p.again)), min(p.due, max(m.now, p.again))
		p.rearmed = false
	}
	m.hunt.dues.Push(p.due, p.identifier, p)
}
