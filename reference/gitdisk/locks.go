package gitdisk

import (
	"sync"

	"github.com/graspkit/graspkit/reference/repo"
)

// locks is one lock for each repository that is being written to.
type locks struct {
	mu   sync.Mutex
	held map[repo.ID]*lock
}

type lock struct {
	sync.Mutex
	wanted int // goroutines that hold it or wait for it; guarded by locks.mu
}

// lock waits for the lock of a repository and returns what gives it back.
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
