package cli

import (
	"errors"
	"io"
	"sync"
	"time"
)

// Limits of a LogQueue.
const (
	logQueueBytes = 4 << 20         // that wait to be written
	logQueueEnd   = 2 * time.Second // what waits at the end has to be written
)

// errLogsLeft is returned by Close when what waited was not taken in time.
var errLogsLeft = errors.New("log: what was left was not taken")

// A LogQueue stands before a writer that may take its time, or nothing at all: a pipe that nobody reads, a terminal that was
// stopped. Whoever logs never waits for it. What comes while too much waits is dropped, and once there is room again it is told
// how many writes those were. It is safe for use by many goroutines.
type LogQueue struct {
	told func(dropped int) []byte
	ends chan struct{}

	mu      sync.Mutex
	wake    *sync.Cond
	waiting []byte
	dropped int
	closed  bool
}

// NewLogQueue returns a queue before w, which writes until Close. Told makes the line that says how many were dropped.
func NewLogQueue(w io.Writer, told func(dropped int) []byte) *LogQueue {
	q := &LogQueue{told: told, ends: make(chan struct{})}
	q.wake = sync.NewCond(&q.mu)
	go q.run(w)
	return q
}

// Write takes a line, or drops it. It does not fail.
func (q *LogQueue) Write(line []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || len(q.waiting)+len(line) > logQueueBytes {
		q.dropped++
		return len(line), nil
	}
	if q.dropped > 0 {
		q.waiting = append(q.waiting, q.told(q.dropped)...)
		q.dropped = 0
	}
	q.waiting = append(q.waiting, line...)
	q.wake.Signal()
	return len(line), nil
}

// run writes what waits. An error of the writer is nobody's concern: there is nowhere to tell it.
func (q *LogQueue) run(w io.Writer) {
	defer close(q.ends)
	var batch []byte
	for {
		q.mu.Lock()
		for len(q.waiting) == 0 && !q.closed {
			q.wake.Wait()
		}
		if len(q.waiting) == 0 {
			q.mu.Unlock()
			return
		}
		batch, q.waiting = q.waiting, batch[:0]
		q.mu.Unlock()
		_, _ = w.Write(batch)
		if cap(batch) > logQueueBytes/8 {
			batch = nil
		}
	}
}

// Close has what waits written and ends the queue. It does not wait for long: a writer that takes nothing keeps its goroutine.
func (q *LogQueue) Close() error {
	q.mu.Lock()
	q.closed = true
	if q.dropped > 0 {
		q.waiting = append(q.waiting, q.told(q.dropped)...)
		q.dropped = 0
	}
	q.wake.Signal()
	q.mu.Unlock()
	late := time.NewTimer(logQueueEnd)
	defer late.Stop()
	select {
	case <-q.ends:
		return nil
	case <-late.C:
		return errLogsLeft
	}
}
