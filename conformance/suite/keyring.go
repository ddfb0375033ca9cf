package suite

import (
	"sync"

	"github.com/graspkit/graspkit/conformance/client"
)

// A keyring has the keys that the run writes with, by public key, for servers that want to know who brings an event.
type keyring struct {
	mu   sync.Mutex
	keys map[string]client.Key // guarded by mu
}

func (k *keyring) add(keys ...client.Key) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.keys == nil {
		k.keys = make(map[string]client.Key)
	}
	for _, key := range keys {
		k.keys[key.Pubkey] = key
	}
}

// of returns a key.
func (k *keyring) of(pubkey string) (key client.Key, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key, known = k.keys[pubkey]
	return key, known
}

// signer is who authenticates as the author of an event, where that is wanted.
func (r *run) signer(pubkey string) (client.Key, bool) {
	key, known := r.keyring.of(pubkey)
	return key, known && r.authors.Load()
}

// asksAuthors files that an event was refused for who brings it: from now on everybody authenticates as the author of what they publish.
func (r *run) asksAuthors(o client.Observation) bool {
	ok, is := o.(client.OKFrame)
	if !is || ok.Accepted || ok.Prefix != "auth-required" || r.entry.door != nil || r.authors.Swap(true) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.measured = append(r.measured, "authentication: events are refused of who has not authenticated, and so everybody authenticates as the author of what they publish (NIP-42)")
	return true
}
