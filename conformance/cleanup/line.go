package cleanup

import (
	"context"
	"slices"
	"sync"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
)

// A line is a connection that things are asked on, made anew when it ends. It belongs to one goroutine.
type line struct {
	*cleaner
	relay  *client.Relay // nil until needed
	shown  int           // how many of the keys that were given the relay was shown on this connection
	beside bool          // another one does what this one does not
	aside  bool          // it has left what is to be done to that one
}

// connected returns the connection, which may be a new one.
func (l *line) connected(ctx context.Context) (*client.Relay, client.Observation) {
	if l.relay != nil {
		return l.relay, nil
	}
	relay, o := l.client.Relay(ctx)
	if o == nil {
		l.relay = relay
	}
	return l.relay, o
}

func (l *line) hangUp() {
	if l.relay != nil {
		l.relay.Close()
		l.relay, l.shown = nil, 0
	}
}

// An inbox is the authors whose events are to be deleted, by as many lines as come for one.
type inbox struct {
	mu      sync.Mutex
	authors []string // guarded by mu
}

// next is the next author, or "" where there is none.
func (i *inbox) next() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.authors) == 0 {
		return ""
	}
	next := i.authors[0]
	i.authors = i.authors[1:]
	return next
}

// back takes an author back, of whom not all was asked.
func (i *inbox) back(author string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.authors = append(i.authors, author)
}

// requestOf asks for the deletion of what some have written, on as many connections as there may be. What one of them does not do, since it
// ends or goes too fast, is done by the one that is always there.
func (c *cleaner) requestOf(ctx context.Context, authors []string, by map[string][]ledger.Event) {
	in := &inbox{authors: slices.Clone(authors)}
	opening, nothingLeft := context.WithCancel(ctx)
	defer nothingLeft()
	var others sync.WaitGroup
	for range min(c.cfg.Parallel, len(authors)) - 1 {
		others.Go(func() {
			l := &line{cleaner: c, beside: true}
			defer l.hangUp()
			if _, none := l.connected(opening); none == nil {
				l.empty(ctx, in, by)
			}
		})
	}
	c.line.empty(ctx, in, by)
	nothingLeft()
	others.Wait()
	c.line.empty(ctx, in, by)
}

// empty asks for author after author, until none is left or too many in turn were refused for the pace.
func (l *line) empty(ctx context.Context, in *inbox, by map[string][]ledger.Event) {
	for pubkey := in.next(); pubkey != "" && ctx.Err() == nil && !l.weary(); pubkey = in.next() {
		key, has := l.key(pubkey)
		if !has {
			continue
		}
		tooFast := l.requestAs(ctx, key, by[pubkey])
		if l.aside {
			in.back(pubkey)
			return
		}
		l.went(tooFast)
	}
}

// weary reports whether so many keys in turn were refused for the pace that the round is over.
func (c *cleaner) weary() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.vain >= vainMax
}

// refusedBefore reports whether the key before this one was refused for the pace.
func (c *cleaner) refusedBefore() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.vain > 0
}

// went keeps whether a key was refused for the pace.
func (c *cleaner) went(tooFast bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.vain++; !tooFast {
		c.vain = 0
	}
}

// enough reports whether the server took a request for one too many: it did not answer it, or wants a slower pace.
func enough(o client.Observation) bool {
	ok, answered := o.(client.OKFrame)
	return !answered || ok.Prefix == "rate-limited"
}
