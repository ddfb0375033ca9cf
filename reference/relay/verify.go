package relay

import (
	"encoding/hex"

	"github.com/nbd-wtf/go-nostr"
	"gitlab.com/yawning/secp256k1-voi/secec/bitcoin"
)

// Verify reports whether the signature of an event is its author's, over the id that the event names (NIP-01). That the
// id is the hash of the fields is another question; Decode answers it. It is pure and slow: about 100 us.
//
// It is most of what taking in an event costs, so the library is the one that takes half the time of the one that go-nostr has;
// TestVerifyAsOthersDo holds one against the other.
func Verify(ev *nostr.Event) bool {
	var id, key, sig [64]byte
	if !unhex(id[:32], ev.ID) || !unhex(key[:32], ev.PubKey) || !unhex(sig[:], ev.Sig) {
		return false
	}
	author, err := bitcoin.NewSchnorrPublicKey(key[:32])
	return err == nil && author.Verify(id[:32], sig[:])
}

// unhex fills out exactly.
func unhex(out []byte, text string) bool {
	if len(text) != 2*len(out) {
		return false
	}
	_, err := hex.Decode(out, []byte(text))
	return err == nil
}
