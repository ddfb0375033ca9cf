package fetch

import (
	"context"
	"sync"
	"time"

	"github.com/benbjohnson/clock"
)

// A watch ends a fetch whose time is over, by canceling its context with an *errTimeout. It runs from start to stop.
type watch struct {
	clock  clock.Clock
	cancel context.CancelCauseFunc
	moved  func() // called, without a lock, when the deadline has moved

	mu    sync.Mutex // guards what follows
	whole time.Time
	at    time.Time // zero: nothing runs
	phase string
	timer *clock.Timer
	turn  uint64 // of the timer that counts
}

func newWatch(c clock.Clock, cancel context.CancelCauseFunc, moved func()) *watch {
	return &watch{clock: c, cancel: cancel, moved: moved}
}

// start begins the time of the whole fetch.
func (w *watch) start(whole time.Duration) {
	w.mu.Lock()
	w.whole = w.clock.Now().Add(whole)
	w.mu.Unlock()
	w.begin("the fetch", whole)
}

// begin begins a phase and ends the one before.
func (w *watch) begin(phase string, limit time.Duration) {
	w.mu.Lock()
	now := w.clock.Now()
	w.phase, w.at = phase, now.Add(limit)
	if w.whole.Before(w.at) {
		w.phase, w.at = "the fetch", w.whole
	}
	w.arm(w.at.Sub(now))
	w.mu.Unlock()
	w.moved()
}

// arm sets the timer. The lock is held.
func (w *watch) arm(d time.Duration) {
	if w.timer != nil {
		w.timer.Stop()
	}
	w.turn++
	turn := w.turn
	w.timer = w.clock.AfterFunc(max(d, 0), func() { w.fire(turn) })
}

func (w *watch) fire(turn uint64) {
	w.mu.Lock()
	phase, counts := w.phase, turn == w.turn
	w.mu.Unlock()
	if counts {
		w.cancel(&errTimeout{phase})
	}
}

// stop ends the watch.
func (w *watch) stop() {
	w.mu.Lock()
	if w.timer != nil {
		w.timer.Stop()
	}
	w.turn++
	w.at = time.Time{}
	w.mu.Unlock()
	w.moved()
}

// deadline is when the phase that runs is over.
func (w *watch) deadline() (time.Time, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at, !w.at.IsZero()
}

// overdue reports whether the deadline has come: then the end of the fetch is under way.
func (w *watch) overdue() bool {
	at, runs := w.deadline()
	return runs && !at.After(w.clock.Now())
}
