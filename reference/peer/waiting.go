package peer

import "time"

// A Wait is a connection on which nothing happens before the relay says something.
type Wait struct {
	Local       string // address of our end, "127.0.0.1:40000"
	Read, Wrote int64  // bytes so far
}

// Waiting reports whether every connection and every attempt waits for bytes of its relay, and which these are. Together with
// what the relays know it tells a driver of a clock that nothing happens before the clock moves.
func (p *Peers) Waiting() (on []Wait, all bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all = len(p.alive) == len(p.open)
	for _, c := range p.open {
		wait, waits := c.waiting()
		if !waits {
			all = false
			continue
		}
		on = append(on, wait)
	}
	return on, all
}

// Deadline is the earliest instant at which an attempt or a farewell runs into its timeout; false if none can.
func (p *Peers) Deadline() (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var first time.Time
	for _, c := range p.open {
		c.mu.Lock()
		due := c.due
		c.mu.Unlock()
		if !due.IsZero() && (first.IsZero() || due.Before(first)) {
			first = due
		}
	}
	return first, !first.IsZero()
}

// Changed returns a channel that is closed when something has been asked for, or was heard, since the call.
func (p *Peers) Changed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

// notify wakes who watches.
func (p *Peers) notify() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tell()
}

// tell is notify with the lock held.
func (p *Peers) tell() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// waiting reports whether nothing happens on the connection before bytes come or the clock moves.
func (c *conn) waiting() (Wait, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.wire.Load()
	if w == nil || len(c.queue) > 0 || c.sending || c.ctx.Err() != nil || c.overdue() {
		return Wait{}, false
	}
	read, wrote, waits := w.Count()
	return Wait{Local: w.LocalAddr().String(), Read: read, Wrote: wrote}, waits && wrote > 0 // else the handshake is on its way
}

// overdue reports whether a timeout has come that was not acted on yet. The lock is held.
func (c *conn) overdue() bool { return !c.due.IsZero() && !c.due.After(c.peers.options.Clock.Now()) }
