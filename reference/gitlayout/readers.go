package gitlayout

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// readersWait is how long those who read in a repository are waited for before files of it go. A clone of what is large takes
// longer: then the files stay until the next time.
const readersWait = 30 * time.Second

// readers knows who reads in which repository: what it has listed must stay until it has ended.
type readers struct {
	mu sync.Mutex // guards in
	in map[string][]chan struct{}
}

// Read notes that somebody begins to read in a repository, who calls leave at the end.
func (l *Layout) Read(path string) (leave func()) { return l.readers.enter(path) }

func (r *readers) enter(path string) (leave func()) {
	left := make(chan struct{})
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.in == nil {
		r.in = map[string][]chan struct{}{}
	}
	r.in[path] = append(r.in[path], left)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		rest := slices.DeleteFunc(r.in[path], func(other chan struct{}) bool { return other == left })
		if r.in[path] = rest; len(rest) == 0 {
			delete(r.in, path)
		}
		close(left)
	}
}

// wait waits until all who read in a repository now have ended. Those who begin meanwhile are not waited for.
func (r *readers) wait(ctx context.Context, path string) error {
	r.mu.Lock()
	all := slices.Clone(r.in[path])
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, readersWait)
	defer cancel()
	for _, left := range all {
		select {
		case <-left:
		case <-ctx.Done():
			return fmt.Errorf("wait for who reads in a repository: %w", ctx.Err())
		}
	}
	return nil
}
