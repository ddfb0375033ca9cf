package gitdisk

import "sync"

// leaving are the packs that are about to go: who opens a repository from now on does not see them, since go-git holds on to
// what it has listed and does not look again.
type leaving struct {
	mu    sync.Mutex // guards packs
	packs map[string]map[string]bool
}

// set hides packs of a repository; the function shows them again.
func (l *leaving) set(path string, packs map[string]bool) (show func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.packs == nil {
		l.packs = map[string]map[string]bool{}
	}
	l.packs[path] = packs
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.packs, path)
	}
}

// of returns the packs that are hidden. Nobody changes the map.
func (l *leaving) of(path string) map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.packs[path]
}
