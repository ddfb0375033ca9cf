package suite

import (
	"context"
	"errors"
	"sync"
	"time"
)

// An allotted is the time that a check has. Who waits for his place, in which others act, does not use his own time up: where each
// answer takes long, a queue may be longer than any check.
type allotted struct {
	now    func() time.Time
	cancel context.CancelCauseFunc
	pass   func(time.Duration) context.CancelFunc // begins to let time pass

	mu     sync.Mutex
	stop   context.CancelFunc // guarded by mu; lets it stand
	left   time.Duration      // guarded by mu; when it last began to pass
	since  time.Time          // guarded by mu; that was then
	queued int                // guarded by mu; waits for the place under way
}

// allot is a context that ends after a time, with context.DeadlineExceeded as its cause.
func allot(outer context.Context, limit time.Duration, now func() time.Time) (context.Context, *allotted) {
	ctx, cancel := context.WithCancelCause(outer)
	a := &allotted{now: now, cancel: cancel, left: limit, since: now(), pass: func(left time.Duration) context.CancelFunc {
		timer, stop := context.WithTimeout(outer, left)
		context.AfterFunc(timer, func() {
			if errors.Is(timer.Err(), context.DeadlineExceeded) {
				cancel(context.DeadlineExceeded)
			}
		})
		return stop
	}}
	a.stop = a.pass(limit)
	return ctx, a
}

// queue performs a wait for the place, in which the time stands. Before it was given out nothing does.
func (a *allotted) queue(wait func()) {
	if a == nil {
		wait()
		return
	}
	a.mu.Lock()
	if a.queued++; a.queued == 1 {
		a.stop()
		a.left -= a.now().Sub(a.since)
	}
	a.mu.Unlock()
	wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.queued--; a.queued == 0 {
		a.since = a.now()
		a.stop = a.pass(a.left)
	}
}

// end lets the time be over.
func (a *allotted) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stop()
	a.cancel(context.Canceled)
}
