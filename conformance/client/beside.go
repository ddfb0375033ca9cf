package client

import "time"

// A limit of events may be one of the connection: what one has refused for the pace another one takes at once. That is tried out once;
// where it was seen, and the contrary was not, the next one is opened without a pause.

// atOnce is the pause before a connection that is expected to take what another one has refused.
const atOnce = time.Millisecond

// A besides is what one event has met so far.
type besides struct {
	full *Relay // has refused it for the pace, and was not new; nil if none has
}

// tookBeside files what came of an event on a connection, behind what others have answered to it.
func (p *Pace) tookBeside(b *besides, on *Relay, o Observation) {
	_, limited := o.(RateLimited)
	fresh := on.events == 1
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case limited && fresh && b.full != nil: // so it is no limit of a connection
		p.besideVain++
		b.full = nil
	case limited && fresh:
		b.full = nil
	case limited:
		b.full, on.full = on, true
	case b.full != nil && fresh:
		if ok, is := o.(OKFrame); is && ok.Accepted {
			p.beside++
		}
	}
}

// noneBeside files that there was no other connection to be had.
func (p *Pace) noneBeside(b *besides) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.besideVain++
	b.full = nil
}

// takesBeside reports whether a new connection takes what another one has refused, or may do so for all that is known.
func (p *Pace) takesBeside() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.beside >= p.besideVain*besideTimes
}

// besideTimes is how many times as often a new connection has to have helped as not.
const besideTimes = 4
