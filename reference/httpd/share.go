package httpd

import "sync"

// A share is how many git requests may run at one time, in all and of one address, so that no address has all of them.
type share struct {
	all, each int // each 0: only all count

	mu      sync.Mutex // guards all below
	running int
	of      map[string]int // those that run, by address
}

// enter takes a place for who is at an address, unless there is none for it. The function gives it back. An address that is
// not known has no share.
func (s *share) enter(address string) (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running >= s.all || s.each > 0 && address != "" && s.of[address] >= s.each {
		return nil, false
	}
	if s.of == nil {
		s.of = make(map[string]int)
	}
	s.running++
	s.of[address]++
	return func() { s.leave(address) }, true
}

func (s *share) leave(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	if s.of[address]--; s.of[address] == 0 {
		delete(s.of, address)
	}
}
