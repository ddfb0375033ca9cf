package gitlayout

import (
	"sync"

	"github.com/graspkit/graspkit/reference/repo"
)

// locks is one lock for each repository whose objects are being written.
type locks struct {
	mu   sync.Mutex // guards all below
	held map[repo.ID]*lock
}

type lock struct {
	sync.Mutex

	wanted int // goroutines that hold it or wait for it; guarded by locks.mu
}

// Lock waits until nobody else holds the lock of a repository, and returns what gives it back. Whoever relies on objects that
// no ref reaches holds it, and whoever removes such.
func (l *Layout) Lock(id repo.ID) (unlock func()) { return l.locks.lock(id) }

func (l *locks) lock(id repo.ID) (unlock func()) {
	l.mu.Lock()
	if l.held == nil {
		l.held = map[repo.ID]*lock{}
	}
	one := l.held[id]
	if one == nil {
		one = &lock{}
		l.held[id] = one
	}
	one.wanted++
	l.mu.Unlock()
	one.Lock()
	return func() {
		one.Unlock()
		l.mu.Lock()
		defer l.mu.Unlock()
		if one.wanted--; one.wanted == 0 {
			delete(l.held, id)
		}
	}
}
