package node

import (
	"context"
	"log/slog"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
)

// setMin is how far the time of day must be from where it was left, for the clock to count as set.
const setMin = time.Second

// A timekeeper makes the instants of a core: the time of day at the start, and from then on the time that has passed. So
// whoever sets the clock neither ends what waits nor makes it wait longer. One goroutine uses it.
type timekeeper struct {
	clock   clock.Clock
	elapsed func() time.Duration // nil means what clock knows

	begun   bool
	start   time.Time // what clock knows of elapsed time counts from here
	passed  time.Duration
	instant instant.Instant
	ahead   time.Duration // of the time of day to the instant, when the clock was set last
}

// now is the present, never earlier than before.
func (k *timekeeper) now() instant.Instant {
	t := k.clock.Now()
	day := instant.Instant(t.UnixNano())
	if !k.begun {
		k.begun, k.start, k.instant = true, t, day
		k.passed = k.since(t)
	}
	passed := k.since(t)
	k.instant = k.instant.Add(max(0, passed-k.passed)) // back only goes a clock that knows nothing but the time of day
	k.passed = passed
	if ahead := day.Sub(k.instant); (ahead - k.ahead).Abs() >= setMin {
		k.ahead = ahead
	}
	return k.instant
}

// glance is the present, of which nothing is noted: also while time stands still for the core.
func (k *timekeeper) glance() instant.Instant {
	return k.instant.Add(max(0, k.since(k.clock.Now())-k.passed))
}

// set reports whether now will find that the clock was set.
func (k *timekeeper) set() bool {
	day := instant.Instant(k.clock.Now().UnixNano())
	return (day.Sub(k.glance()) - k.ahead).Abs() >= setMin
}

func (k *timekeeper) since(t time.Time) time.Duration {
	if k.elapsed != nil {
		return k.elapsed()
	}
	return t.Sub(k.start) // by the monotonic part of both, which the clock of the system has
}

// now is the instant of the next step. If the clock was set, the core is told first, and the log.
func (n *Node) now() instant.Instant {
	l := &n.loop
	now := n.time.now()
	if l.started && l.ahead != n.time.ahead {
		n.counts.add("clock_set")
		n.log.LogAttrs(context.Background(), slog.LevelWarn, "the clock was set: what waits keeps its time",
			slog.Duration("by", n.time.ahead-l.ahead))
		l.ahead = n.time.ahead
		n.machine.Step(now, core.ClockSet{Ahead: l.ahead}, &l.effects)
		l.stuck = false
	}
	return now
}
