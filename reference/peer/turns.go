package peer

import (
	"context"
	"sync"
	"time"

	"github.com/graspkit/graspkit/reference/relay"
)

// All is how fast is taken what all relays together say: anybody may name relays, so that as many as there may be connections can be
// hostile at once. Whoever waits has one turn at a time, so each relay gets as much as any other one that wants all it can get.
type All struct {
	Events relay.Pace // default: what clients of one address may send, 2,000 a second after a burst of 100,000
	Others relay.Pace // default: 1,000 a second after a burst of 20,000
	Pieces relay.Pace // in 64 KiB; default: 8 MiB a second after a burst of 64 MiB
}

const (
	allOthersRate  = 60_000 // a minute
	allOthersBurst = 20_000
	allPiecesRate  = 60 * 128 // a minute
	allPiecesBurst = 1024
)

func (a All) withDefaults() All {
	for _, p := range []struct {
		pace  *relay.Pace
		usual relay.Pace
	}{
		{&a.Events, relay.PerMinute(relay.AddressEventRate, relay.AddressEventBurst)},
		{&a.Others, relay.PerMinute(allOthersRate, allOthersBurst)},
		{&a.Pieces, relay.PerMinute(allPiecesRate, allPiecesBurst)},
	} {
		if *p.pace == (relay.Pace{}) {
			*p.pace = p.usual
		}
	}
	return a
}

// turns gives turns at a pace, in the order in which they are asked for. It is safe for use by many goroutines.
type turns struct {
	pace relay.Pace

	mu   sync.Mutex
	full time.Duration // when nothing of what was taken counts any more
}

// next takes the next turn, and says how long it is until then.
func (t *turns) next(now time.Duration) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.full = max(t.full, now) + t.pace.Every
	return max(0, t.full-now-time.Duration(t.pace.Burst)*t.pace.Every)
}

// wait waits until something has its turn among what all relays say.
func (c *conn) wait(all *turns) error {
	d := all.next(c.peers.options.Clock.Since(c.peers.begun))
	if d == 0 {
		return nil
	}
	timer := c.peers.options.Clock.Timer(d)
	select {
	case <-timer.C:
		return nil
	case <-c.ctx.Done():
		timer.Stop()
		return context.Cause(c.ctx)
	}
}
