package sim

import (
	"fmt"

	"github.com/graspkit/graspkit/reference/instant"
)

// InstantMax is how many tasks and timers may come at one instant, and within one Settle: more of them is a server that
// keeps itself busy without an end. The most that a world has by itself is the start of sixteen servers with three
// actors in each of a thousand repositories and no delay anywhere: 48,000 connections with a handful of tasks each.
const InstantMax = 1_000_000

// A Livelock is the panic of an engine in which things happen without an end while no time passes, or after all that
// was asked for is done. There is no way on from it.
type Livelock struct {
	At     instant.Instant
	Server string // whose task or timer was the last, "" if that is nobody's
	Last   string // what it was
}

// Error implements error.
func (l *Livelock) Error() string {
	return fmt.Sprintf("%d tasks and timers at %s, or before an end came in sight; the last is %s", InstantMax, l.At, l.Last)
}

// A rush counts what happens until something moves on.
type rush struct {
	since instant.Instant
	count int
}

// more counts one more thing. It panics with a Livelock if that is too much.
func (r *rush) more(now instant.Instant, who any) {
	r.count++
	if r.count <= InstantMax {
		return
	}
	lock := &Livelock{At: now, Last: fmt.Sprintf("%T", who)}
	switch who := who.(type) {
	case *Host:
		lock.Server, lock.Last = who.Name, "its deadline"
	case *order:
		lock.Server, lock.Last = who.host.Name, fmt.Sprintf("%T", who.effect)
	}
	panic(lock)
}
