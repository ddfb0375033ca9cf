package suite

import (
	"context"
	"sync"
	"time"
)

// An allotted is the time that a check has. Who waits for his place, in which others act, does not use his own time up: where each
// answer takes long, a queue may be longer than any check.
type allotted struct {
	cancel context.CancelCauseFunc

	mu     sync.Mutex
	timer  *time.Timer
	left   time.Duration // guarded by mu; when it last began to pass
	since  time.Time     // guarded by mu; that was then
	queued int           // guarded by mu; waits for the place under way
}

// allot is a context that ends after a time, with context.DeadlineExceeded as its cause.
func allot(ctx context.Context, limit time.Duration) (context.Context, *allotted) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &allotted{
		cancel: cancel, left: limit, since: time.Now(),
		timer: time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) }),
	}
}

// queue performs a wait for the place, in which the time stands. Before it was given out nothing does.
func (a *allotted) queue(wait func()) {
	if a == nil {
		wait()
		return
	}
	a.mu.Lock()
	if a.queued++; a.queued == 1 {
		a.timer.Stop()
		a.left -= time.Since(a.since)
	}
	a.mu.Unlock()
	wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.queued--; a.queued == 0 {
		a.since = time.Now()
		a.timer.Reset(a.left)
	}
}

// end lets the time be over.
func (a *allotted) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer.Stop()
	a.cancel(context.Canceled)
}
