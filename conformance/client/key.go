package client

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"
)

// A Key is an actor's key pair. It follows from a seed and a name, so a run can be repeated.
type Key struct {
	Name   string
	Pubkey string // 64 lower-case hexadecimal digits
	Npub   string // the same in bech32 (NIP-19)
	secret string
}

// Root is what the keys, identifiers and commits of a run are made of: a seed that somebody chose, and a nonce that is drawn
// anew for every run, so that the same seed meets nothing of an earlier run on a server that keeps its data. An empty nonce
// leaves the seed as it is.
func Root(seed, nonce string) string {
	if nonce == "" {
		return seed
	}
	return seed + "+" + nonce
}

// NewKey derives the key of the named actor from the seed of a run. The same arguments give the same
// key.
func NewKey(seed, name string) Key {
	digest := sha256.Sum256([]byte("graspkit actor\x00" + seed + "\x00" + name))
	secret := hex.EncodeToString(digest[:])
	pubkey, err := nostr.GetPublicKey(secret)
	if err != nil {
		panic(fmt.Sprintf("client: invariant: key of %q: %v", name, err))
	}
	npub, err := nip19.EncodePublicKey(pubkey)
	if err != nil {
		panic(fmt.Sprintf("client: invariant: npub of %q: %v", name, err))
	}
	return Key{Name: name, Pubkey: pubkey, Npub: npub, secret: secret}
}
