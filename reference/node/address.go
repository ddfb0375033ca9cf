package node

import (
	"sync"

	"github.com/graspkit/graspkit/reference/relay"
)

// addressesMax is how many addresses are remembered. Beyond it those that nobody is connected from are forgotten.
const addressesMax = 1 << 14

// Shares are how much of a node each client and each address may have. Zero fields are no limits.
type Shares struct {
	Connections int        // of one address
	Events      relay.Pace // of one connection, authentications among them
	Address     relay.Pace // of the events of all connections of one address
}

// An address is what the clients that come from one place share.
type address struct {
	open   int
	events relay.Bucket
}

// addresses are the places that clients come from.
type addresses struct {
	shares Shares

	mu    sync.Mutex // guards what follows
	time  timekeeper
	known map[string]*address
}

// enter counts a connection from a place, and reports whether it may be. Nothing is known of a place without a name.
func (s *addresses) enter(name string) (*address, bool) {
	if name == "" {
		return nil, true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.known[name]
	if a == nil {
		s.forget()
		a = &address{}
		s.known[name] = a
	}
	if s.shares.Connections > 0 && a.open >= s.shares.Connections {
		return nil, false
	}
	a.open++
	return a, true
}

// forget makes room for one more. The lock is held.
func (s *addresses) forget() {
	if len(s.known) < addressesMax {
		return
	}
	for name, a := range s.known {
		if a.open == 0 {
			delete(s.known, name)
		}
	}
}

// leave ends what enter has begun.
func (s *addresses) leave(a *address) {
	if a == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a.open--
}

// take takes an event of a client, and reports whether its pace and that of its address allow one.
func (s *addresses) take(c *Conn) bool {
	if s.shares.Events == (relay.Pace{}) && s.shares.Address == (relay.Pace{}) {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.time.now()
	return c.events.Take(now, s.shares.Events) && (c.address == nil || c.address.events.Take(now, s.shares.Address))
}
