package client

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/nbd-wtf/go-nostr"
)

// sign gives an event its author, its id and its signature (NIP-01). A key knows its public key, and most of the time of
// nostr.Event.Sign goes into finding that out again.
func (k Key) sign(ev *nostr.Event) {
	var secret btcec.PrivateKey
	digits, err := hex.DecodeString(k.secret)
	if err != nil || secret.Key.SetByteSlice(digits) {
		panic(fmt.Sprintf("client: invariant: key of %q is none", k.Name))
	}
	ev.PubKey = k.Pubkey
	id := sha256.Sum256(ev.Serialize())
	sig, err := schnorr.Sign(&secret, id[:], schnorr.FastSign())
	if err != nil {
		panic(fmt.Sprintf("client: invariant: sign as %q: %v", k.Name, err))
	}
	ev.ID, ev.Sig = hex.EncodeToString(id[:]), hex.EncodeToString(sig.Serialize())
}
