package node

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// refusedEvery is how often a refused connection is logged: whoever knocks without end must not fill the disk of the operator.
const refusedEvery = time.Second

// A refusals counts connections that were refused and not logged.
type refusals struct {
	mu     sync.Mutex // guards what follows
	logged time.Time
	silent int
}

// refuse counts a refused connection and logs it, with how many were not logged since the last one, at most once in a while.
func (n *Node) refuse(ctx context.Context, name string, why slog.Attr) {
	n.counts.add(name)
	n.refused.mu.Lock()
	defer n.refused.mu.Unlock()
	now := n.clock.Now()
	if since := now.Sub(n.refused.logged); since >= 0 && since < refusedEvery {
		n.refused.silent++
		return
	}
	n.log.LogAttrs(ctx, slog.LevelWarn, "connection refused", why, slog.Int("others", n.refused.silent))
	n.refused.logged, n.refused.silent = now, 0
}
