// Package gitturn says whose turn it is where only so many git processes may run: no client has all places, and of those who wait
// the one goes first who has the fewest. It starts no process and knows no address from another: httpd says who a client is.
package gitturn

import (
	"context"
	"slices"
	"sync"
)

// LateFrom is how many places a client has from which on what it begins besides is late: others go first at the processor, too.
const LateFrom = 4

type clientKey struct{}

// From returns a context whose work counts for a client. Who is not known, "", shares with nobody.
func From(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

func clientOf(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}

// Places are what processes of one kind have to have. They are safe for use by many goroutines.
type Places struct {
	each int

	mu      sync.Mutex // guards all below
	free    int
	held    map[string]int // by client
	waiting []*turn        // longest first
}

// A turn is somebody who waits for a place.
type turn struct {
	client string
	comes  chan struct{} // closed with the place
}

// New returns places, of which one client may have so many at a time.
func New(all, each int) *Places {
	return &Places{each: each, free: all, held: map[string]int{}}
}

// Take waits for a place. What it returns says whether the client has many places already, and gives this one back.
func (p *Places) Take(ctx context.Context) (late bool, give func(), err error) {
	t := &turn{client: clientOf(ctx), comes: make(chan struct{})}
	p.mu.Lock()
	late = t.client != "" && p.held[t.client] >= LateFrom
	p.waiting = append(p.waiting, t)
	p.hand()
	p.mu.Unlock()
	select {
	case <-t.comes:
	case <-ctx.Done():
		p.mu.Lock()
		defer p.mu.Unlock()
		if i := slices.Index(p.waiting, t); i >= 0 {
			p.waiting = slices.Delete(p.waiting, i, i+1)
		} else {
			p.back(t.client) // it came at the same moment
		}
		return false, nil, ctx.Err()
	}
	return late, sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.back(t.client)
	}), nil
}

// back takes a place back.
func (p *Places) back(client string) {
	p.free++
	if p.held[client]--; p.held[client] == 0 {
		delete(p.held, client)
	}
	p.hand()
}

// hand gives free places to those who wait: each to the client that has the fewest, and who has waited longest among these.
func (p *Places) hand() {
	for p.free > 0 {
		next := -1
		for i, t := range p.waiting {
			if t.client != "" && p.held[t.client] >= p.each {
				continue
			}
			if next < 0 || p.has(t) < p.has(p.waiting[next]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		t := p.waiting[next]
		p.waiting = slices.Delete(p.waiting, next, next+1)
		p.free--
		p.held[t.client]++
		close(t.comes)
	}
}

// has is how many places the client of a turn has. Those that are not known are clients of their own.
func (p *Places) has(t *turn) int {
	if t.client == "" {
		return 0
	}
	return p.held[t.client]
}
