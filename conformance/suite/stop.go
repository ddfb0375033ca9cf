package suite

import "sync"

// A halt ends all runs of one execution early.
type halt struct {
	ends func(CheckResult) bool // nil ends nothing

	mu       sync.Mutex
	over     bool           // guarded by mu
	last     int            // guarded by mu; number of the check that began last
	underway map[int]func() // guarded by mu; what breaks off the checks that have begun, by their number
}

func newHalt(ends func(CheckResult) bool) *halt {
	return &halt{ends: ends, underway: make(map[int]func())}
}

// stopped reports whether the run has ended early.
func (h *halt) stopped() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.over
}

// enter notes a check that has begun, with what breaks it off. leave forgets it.
func (h *halt) enter(breakOff func()) (leave func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		breakOff()
	}
	h.last++
	number := h.last
	h.underway[number] = breakOff
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.underway, number)
	}
}

// hear looks at what a check came to; another try is behind it if it gets one.
func (h *halt) hear(result CheckResult) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over || h.ends == nil || !h.ends(result) {
		return
	}
	h.over = true
	for _, breakOff := range h.underway {
		breakOff()
	}
}

// brokenOff reports whether the check was under way when the run ended early.
func (w *world) brokenOff() bool { return w.run.halt.stopped() && w.ctx.Err() != nil }

// blockedStopped is the outcome of every check that a run which has ended early did not come to.
func blockedStopped() outcome {
	return blocked("stopped by --fail-fast", "judge without --fail-fast")
}
