package main

import (
	"sync"

	"github.com/graspkit/graspkit/internal/identity"
)

// keysMax is how many keys a keyring remembers before it forgets all of them.
const keysMax = 10_000

// A keyring remembers keys that runs have in common. Its zero value has none; any number of goroutines may ask it.
type keyring struct {
	mu    sync.Mutex
	known map[keyOf]identity.Identity
}

// A keyOf is whose key it is.
type keyOf struct {
	seed uint64
	name string
}

// of is the key of somebody under a seed.
func (k *keyring) of(seed uint64, name string) identity.Identity {
	who := keyOf{seed, name}
	k.mu.Lock()
	id, known := k.known[who]
	k.mu.Unlock()
	if known {
		return id
	}
	id = identity.New(seed, name)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil || len(k.known) == keysMax {
		k.known = map[keyOf]identity.Identity{}
	}
	k.known[who] = id
	return id
}
