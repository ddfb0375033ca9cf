package node

import (
	"io"
	"slices"
	"sync"

	"github.com/graspkit/graspkit/reference/core"
)

// A connections is the set of connected clients.
type connections struct {
	max int

	mu        sync.Mutex // guards what follows
	open      map[core.ConnID]*Conn
	unwritten int // messages queued or being written, over all clients
	waiters   []writtenWaiter
}

// A writtenWaiter waits until nothing is unwritten but what some clients have not read.
type writtenWaiter struct {
	unawaited []string // their ends of the connections
	written   chan struct{}
}

func (s *connections) add(c *Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= s.max {
		return false
	}
	s.open[c.id] = c
	return true
}

func (s *connections) remove(c *Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c.id)
}

func (s *connections) get(id core.ConnID) *Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[id]
}

// closeAll ends every connection that is still open when the node has ended.
func (s *connections) closeAll() {
	s.mu.Lock()
	ids := make([]*Conn, 0, len(s.open))
	for _, c := range s.open {
		ids = append(ids, c)
	}
	s.mu.Unlock()
	for _, c := range ids {
		c.finish(io.EOF)
	}
}

// wrote says that n messages for a client need no writing any more; a negative n queues some.
func (s *connections) wrote(c *Conn, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unwritten -= n
	c.unwritten -= n
	s.waiters = slices.DeleteFunc(s.waiters, func(w writtenWaiter) bool {
		if s.awaited(w.unawaited) > 0 {
			return false
		}
		close(w.written)
		return true
	})
}

// awaited is how many messages are unwritten but for those to the clients at these ends. The lock is held.
func (s *connections) awaited(unawaited []string) int {
	rest := s.unwritten
	if len(unawaited) == 0 || rest == 0 {
		return rest
	}
	for _, c := range s.open {
		if slices.Contains(unawaited, c.socket) {
			rest -= c.unwritten
		}
	}
	return rest
}

func (s *connections) queued() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unwritten
}

// written returns a channel that is closed when nothing is queued but for the clients at these ends.
func (s *connections) written(unawaited []string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := writtenWaiter{unawaited: unawaited, written: make(chan struct{})}
	if s.awaited(unawaited) == 0 {
		close(w.written)
		return w.written
	}
	s.waiters = append(s.waiters, w)
	return w.written
}
