// Package network says what happens to a message between two hosts: when it arrives, whether it is lost and whether it
// arrives twice. It holds no messages and no connections; the world schedules what it answers.
package network

import (
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/kernel"
)

// A Link is the quality of the way between two hosts, the same in both directions. Messages overtake each other when
// Jitter lets them. The zero value delivers everything once and at once.
type Link struct {
	Latency   time.Duration // of every message
	Jitter    time.Duration // at most this is added, uniformly
	Loss      int64         // messages of a million that never arrive
	Duplicate int64         // messages of a million that arrive a second time
}

// Healed returns the link as it is in the quiet phase: as slow as before, but it loses and doubles nothing.
func (l Link) Healed() Link {
	l.Loss, l.Duplicate = 0, 0
	return l
}

// Arrivals says when a message that is sent at the instant sent arrives: n is 0, 1 or 2, and the first n instants of at
// count. The key identifies the message and must differ from that of any other message of the run.
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
	if l.Jitter <= 0 {
		return l.Latency
	}
	return l.Latency + time.Duration(key.Below(int64(l.Jitter)+1))
}
