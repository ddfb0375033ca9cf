package network

import (
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/kernel"
)

// A Link is the quality of the way from one node to another. Messages overtake each other when Jitter and Tail let them.
// The zero value delivers everything once and at once.
type Link struct {
	Latency   time.Duration // of every message
	Jitter    time.Duration // at most this is added, uniformly
	Tail      int64         // messages of a million that are late by TailDelay, half of them by twice as much, a quarter by four times ...
	TailDelay time.Duration
	Bandwidth int64 // bytes a second, one message behind the other; 0 is as many as there are
	Loss      int64 // messages of a million that never arrive
	Duplicate int64 // messages of a million that arrive a second time
}

// tailMax is how often the delay of a tail doubles at most: one in eight of the late ones is eight times as late.
const tailMax = 3

// Healed returns the link as it is in the quiet phase: it loses and doubles nothing, and nothing is later than usual.
func (l Link) Healed() Link {
	l.Loss, l.Duplicate, l.Tail, l.Bandwidth = 0, 0, 0, 0
	return l
}

// Arrivals says when a message that is sent at the instant sent arrives: n is 0, 1 or 2, and the first n instants of at
// count. The key identifies the message and must differ from that of any other message of the run. How much else is on
// the way is the business of a Way.
func (l Link) Arrivals(key kernel.Key, sent instant.Instant) (at [2]instant.Instant, n int) {
	if key.WithText("loss").Chance(l.Loss) {
		return at, 0
	}
	at[0] = sent.Add(l.delay(key.WithText("first")))
	if !key.WithText("duplicate").Chance(l.Duplicate) {
		return at, 1
	}
	at[1] = sent.Add(l.delay(key.WithText("second")))
	return at, 2
}

func (l Link) delay(key kernel.Key) time.Duration {
	d := l.Latency
	if l.Jitter > 0 {
		d += time.Duration(key.Below(int64(l.Jitter) + 1))
	}
	if tail := key.WithText("tail"); l.Tail > 0 && tail.Chance(l.Tail) {
		longer := l.TailDelay
		for n := range uint64(tailMax) {
			if tail.With(n).Uint64()&1 == 0 {
				break
			}
			longer *= 2
		}
		d += longer
	}
	return d
}
