package node

import (
	"context"
	"sync"
	"time"

	"github.com/graspkit/graspkit/reference/core"
)

// tidyMax is how long it may take to tidy a repository.
const tidyMax = 10 * time.Minute

// tidies are the orders to tidy a repository that have no answer: each can be told to end, even before a worker has it.
type tidies struct {
	mu   sync.Mutex                       // guards open
	open map[core.RequestID]chan struct{} // closed when it is to end
}

// ordered takes an order of the core, if it is one of these.
func (t *tidies) ordered(e core.Effect) {
	o, is := e.(core.TidyRepository)
	if !is {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open == nil {
		t.open = map[core.RequestID]chan struct{}{}
	}
	t.open[o.Request] = make(chan struct{})
}

// cancel tells one of them to end, once. It may have ended.
func (t *tidies) cancel(request core.RequestID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if end, open := t.open[request]; open {
		close(end)
	}
}

// end returns what is closed when an order is to end.
func (t *tidies) end(request core.RequestID) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open[request]
}

// ended forgets an order.
func (t *tidies) ended(request core.RequestID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.open, request)
}

// tidy tidies a repository until the core wants something else there, or the node has no time left.
func (n *Node) tidy(e core.TidyRepository) error {
	end := n.tidies.end(e.Request)
	defer n.tidies.ended(e.Request)
	ctx, done := n.bounded(tidyMax, end)
	defer done()
	return n.backend.Tidy(ctx, e.Repo, e.Keep)
}

// bounded returns a context that ends after a time, with the time of the node, and when end is closed. It is given back by done.
func (n *Node) bounded(most time.Duration, end <-chan struct{}) (ctx context.Context, done func()) {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	go func() {
		select {
		case <-n.aborted:
		case <-end:
		case <-ctx.Done():
		}
		cancel()
	}()
	return ctx, cancel
}
