package hunt

import "github.com/graspkit/graspkit/reference/instant"

// A spot is an identifier at one host: its sources there, and its place in the queue of the host.
type spot struct {
	entry   *entry
	host    string
	sources []*source
	queued  bool // it waits for the host, or is served
	list    *waitlist
	prev    *spot
	next    *spot
}

// A waitlist is the order of turns at a host. Who is served leaves it and comes last again, so that everybody is served
// within one round, whoever else leaves (REF-HUNT-11).
type waitlist struct {
	first, last *spot
	n           int
}

func (l *waitlist) push(p *spot) {
	p.list, p.prev, p.next = l, l.last, nil
	if l.last == nil {
		l.first = p
	} else {
		l.last.next = p
	}
	l.last = p
	l.n++
}

// remove takes a spot out, if it is in.
func (l *waitlist) remove(p *spot) {
	if p.list != l {
		return
	}
	if p.prev == nil {
		l.first = p.next
	} else {
		p.prev.next = p.next
	}
	if p.next == nil {
		l.last = p.prev
	} else {
		p.next.prev = p.prev
	}
	p.list, p.prev, p.next = nil, nil, nil
	l.n--
}

// enqueue puts a spot into the queue of its host, with what this attempt has tried there.
func (h *Hunt) enqueue(now instant.Instant, p *spot) {
	x := h.host(now, p.host)
	if x == nil {
		return // no room for one more host; the next attempt may find some
	}
	for _, s := range p.sources {
		s.triedThere = s.tried || p.queued && s.triedThere
	}
	if !p.queued {
		p.queued = true
		x.ready.push(p)
	}
	h.touch(x)
}

// dequeue takes a spot out of the queue of its host.
func (h *Hunt) dequeue(p *spot) {
	if !p.queued {
		return
	}
	p.queued = false
	if x := h.hosts[p.host]; x != nil {
		x.ready.remove(p)
		h.touch(x)
	}
}

// launch starts one request of what waits at a host, and returns nil when no more can start.
func (h *Hunt) launch(now instant.Instant, x *host) *fetch {
	for x.ready.n > 0 && h.capacity(x, now) {
		p := x.ready.first
		x.ready.remove(p)
		if s := h.untried(p); s != nil {
			return h.start(now, x, s, p)
		}
		p.queued = false
	}
	return nil
}

// untried picks the source that the queue of the host asks next, nil if it has asked all.
func (h *Hunt) untried(p *spot) *source {
	var best *source
	for _, s := range p.sources {
		if s.triedThere || !s.wanted() {
			continue
		}
		if h.asked[s.question()] {
			s.triedThere = true // the other path asks it right now
			continue
		}
		if best == nil || s.failures < best.failures {
			best = s
		}
	}
	return best
}

// served gives a spot another turn, or ends its wait if it has asked all of its sources. The turn may come at once: a request
// that is abandoned holds its place at the host until it has ended, and others may be free.
func (h *Hunt) served(now instant.Instant, x *host, p *spot) {
	switch {
	case !p.queued:
	case x.broken > now || h.untried(p) == nil:
		p.queued = false
	default:
		x.ready.push(p)
		h.touch(x)
	}
}
