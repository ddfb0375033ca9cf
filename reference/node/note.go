package node

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Count is how often something has happened since the start.
type Count struct {
	Name string // a core.Fact or, for what no core sees, the node's own word
	N    uint64
}

// A counts counts by name. The names are few and fixed, never chosen by a client.
type counts struct {
	mu sync.Mutex
	by map[string]uint64
}

func (c *counts) add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.by[name]++
}

// Counts returns what has been counted, sorted by name.
func (n *Node) Counts() []Count {
	n.counts.mu.Lock()
	defer n.counts.mu.Unlock()
	all := make([]Count, 0, len(n.counts.by))
	for name, count := range n.counts.by {
		all = append(all, Count{name, count})
	}
	slices.SortFunc(all, func(a, b Count) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// note counts a note and logs it.
func (n *Node) note(e core.Note) {
	n.counts.add(string(e.Fact))
	level := noteLevel(e.Fact)
	ctx := context.Background()
	if !n.log.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 10)
	attrs = append(attrs, slog.String("fact", string(e.Fact)))
	if e.URL != "" {
		attrs = append(attrs, slog.String("relay", e.URL))
	}
	if e.Event != "" {
		attrs = append(attrs, slog.String("event_id", e.Event), slog.Int("kind", e.Kind), slog.String("pubkey", e.PubKey))
	}
	if e.Repo != (repo.ID{}) {
		attrs = append(attrs, slog.String("identifier", e.Repo.Identifier))
		if e.Repo.Owner != "" {
			attrs = append(attrs, slog.String("owner", string(e.Repo.Owner)))
		}
	}
	if e.Push != 0 {
		attrs = append(attrs, slog.Uint64("push", uint64(e.Push)))
	}
	if e.Requirement != "" {
		attrs = append(attrs, slog.String("requirement", e.Requirement))
	}
	if e.Reason != "" {
		attrs = append(attrs, slog.String("reason", e.Reason))
	}
	if e.Count != 0 {
		attrs = append(attrs, slog.Int("count", e.Count))
	}
	n.log.LogAttrs(ctx, level, inWords(e), attrs...) //nolint:sloglint // the sentences are few and fixed
}

// noteLevel says who wants to read a fact: everybody who looks for a fault (Debug), the operator (Info), the operator
// because a peer (Warn) or the server (Error) misbehaves. Refusals are daily business.
func noteLevel(f core.Fact) slog.Level {
	switch f {
	case core.EventDuplicate, core.EventRefused, core.AuthenticationRefused, core.PeerGave: // as many as others like
		return slog.LevelDebug
	case core.PushFailed, core.ConnectionRefused:
		return slog.LevelWarn
	case core.RepositoryBroken:
		return slog.LevelError
	default:
		return slog.LevelInfo
	}
}
