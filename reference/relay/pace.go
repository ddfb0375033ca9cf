package relay

import (
	"time"

	"github.com/graspkit/graspkit/reference/instant"
)

// The paces of clients that a server takes by default. They are generous: some clients send 300 events in a second.
const (
	EventRate         = 30_000 // events a minute of one connection, in the long run
	EventBurst        = 20_000 // events of one connection at once
	AddressEventRate  = 120_000
	AddressEventBurst = 100_000
)

// TextTooFast answers an event that came too fast.
const TextTooFast = "rate-limited: slow down"

// A Pace says how often something may happen: Burst times at once, and from then on once in each Every. The zero value is
// any pace.
type Pace struct {
	Burst int
	Every time.Duration
}

// PerMinute returns the pace of so many a minute after a burst. None of one of them is any pace.
func PerMinute(rate, burst int) Pace {
	if rate <= 0 || burst <= 0 {
		return Pace{}
	}
	return Pace{Burst: burst, Every: max(1, time.Minute/time.Duration(rate))}
}

// A Bucket holds what may happen at a pace. The zero value is full.
type Bucket struct {
	full instant.Instant // when it will be full again; each taking moves it by one Every
}

// Take takes one, or reports false and takes nothing if there is none left. Instants never decrease.
func (b *Bucket) Take(now instant.Instant, p Pace) bool {
	if p == (Pace{}) {
		return true
	}
	full := max(b.full, now).Add(p.Every)
	if full.Sub(now) > time.Duration(p.Burst)*p.Every {
		return false
	}
	b.full = full
	return true
}

// Full reports whether nothing of what was taken counts any more.
func (b *Bucket) Full(now instant.Instant) bool { return b.full <= now }
