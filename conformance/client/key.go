package client

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/nbd-wtf/go-nostr/nip19"
)

// A Key is an actor's key pair. It follows from a seed and a name, so a run can be repeated.
type Key struct {
	Name   string
	Pubkey string // 64 lower-case hexadecimal digits
	Npub   string // the same in bech32 (NIP-19)
	signer signer
	work   int // bits that the ids of its events have
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
	key, err := keyOf(name, hex.EncodeToString(digest[:]))
	if err != nil {
		panic(fmt.Sprintf("client: invariant: key of %q: %v", name, err))
	}
	return key
}

// ParseKey reads a secret key in hexadecimal digits or as nsec (NIP-19).
func ParseKey(name, text string) (Key, error) {
	secret := text
	if strings.HasPrefix(text, "nsec1") {
		kind, value, err := nip19.Decode(text)
		if err != nil {
			return Key{}, fmt.Errorf("decode nsec: %w", err)
		}
		secret, _ = value.(string)
		if kind != "nsec" {
			return Key{}, fmt.Errorf("%s in place of nsec", kind)
		}
	}
	if len(secret) != 2*sha256.Size {
		return Key{}, fmt.Errorf("secret key of %d characters, want %d hexadecimal digits or an nsec", len(secret), 2*sha256.Size)
	}
	return keyOf(name, strings.ToLower(secret))
}

func keyOf(name, secret string) (Key, error) {
	digits, err := hex.DecodeString(secret)
	if err != nil {
		return Key{}, fmt.Errorf("secret key: %w", err)
	}
	signer, pubkey, err := signerOf(digits)
	if err != nil {
		return Key{}, err
	}
	npub, err := nip19.EncodePublicKey(pubkey)
	if err != nil {
		return Key{}, fmt.Errorf("encode npub: %w", err)
	}
	return Key{Name: name, Pubkey: pubkey, Npub: npub, signer: signer}, nil
}

// WorkMax bounds the bits of work that a key's events may have: each further bit doubles the time for them.
const WorkMax = 24

// Working returns the key, whose events have ids that begin with so many zero bits (NIP-13), with a limit of WorkMax.
func (k Key) Working(bits int) Key {
	k.work = min(max(bits, 0), WorkMax)
	return k
}
