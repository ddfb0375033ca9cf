// Package identity makes the key pairs of simulated and tested people from a seed and a name: the same pair always
// gives the same key. Such keys protect nothing, since whoever knows seed and name has them; it makes none that do.
package identity

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"
)

// An Identity is a nostr key pair with the name of its owner.
type Identity struct {
	Name   string
	Secret string // 64 lower-case hex digits
	PubKey string // 64 lower-case hex digits, x only (NIP-01)
	Npub   string // PubKey in the bech32 form of NIP-19
}

// order is the order of the group of secp256k1: a secret key is a number from 1 to below it.
var order = [32]byte{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
	0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
}

// New returns the identity of a name under a seed. The secret is a SHA-256, hashed again in the one case of 2^128 that
// it is no secret key.
func New(seed uint64, name string) Identity {
	text := binary.BigEndian.AppendUint64([]byte("graspkit identity\x00"), seed)
	secret := sha256.Sum256(append(text, name...))
	for !valid(secret) {
		secret = sha256.Sum256(secret[:])
	}
	id := Identity{Name: name, Secret: hex.EncodeToString(secret[:])}
	var err error
	if id.PubKey, err = nostr.GetPublicKey(id.Secret); err != nil {
		panic(fmt.Sprintf("identity: invariant: secret key of %q: %v", name, err))
	}
	if id.Npub, err = nip19.EncodePublicKey(id.PubKey); err != nil {
		panic(fmt.Sprintf("identity: invariant: public key of %q: %v", name, err))
	}
	return id
}

// valid reports whether a secret is in the range of secret keys.
func valid(secret [32]byte) bool {
	return secret != [32]byte{} && bytes.Compare(secret[:], order[:]) < 0
}

// Sign fills in the public key, id and signature of an event. The same event always gets the same signature
// (RFC 6979). A nil tag list becomes an empty one, as NIP-01 wants it.
func (i Identity) Sign(ev *nostr.Event) error {
	if ev.Tags == nil {
		ev.Tags = nostr.Tags{}
	}
	if err := ev.Sign(i.Secret); err != nil {
		return fmt.Errorf("sign as %s: %w", i.Name, err)
	}
	return nil
}

// Stamp fills in the public key and id of an event and leaves it without a signature: for worlds in which signatures
// are taken as given. It costs a hundredth of Sign.
func (i Identity) Stamp(ev *nostr.Event) {
	if ev.Tags == nil {
		ev.Tags = nostr.Tags{}
	}
	ev.PubKey = i.PubKey
	ev.ID = ev.GetID()
}
