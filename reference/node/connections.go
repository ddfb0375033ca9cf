package node

import (
	"io"
	"sync"

	"github.com/graspkit/graspkit/reference/core"
)

// A connections is the set of connected clients.
type connections struct {
	max int

	mu        sync.Mutex // guards what follows
	open      map[core.ConnID]*Conn
	unwritten int             // messages queued or being written, over all clients
	waiters   []chan struct{} // told when unwritten is 0
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

// wrote says that n messages need no writing any more; a negative n queues some.
func (s *connections) wrote(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unwritten -= n
	if s.unwritten > 0 {
		return
	}
	for _, w := range s.waiters {
		close(w)
	}
	s.waiters = nil
}

func (s *connections) queued() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unwritten
}

// written returns a channel that is closed when nothing is queued.
func (s *connections) written() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := make(chan struct{})
	if s.unwritten == 0 {
		close(w)
		return w
	}
	s.waiters = append(s.waiters, w)
	return w
}
