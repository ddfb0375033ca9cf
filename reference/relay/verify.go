package relay

import (
	"encoding/hex"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/nbd-wtf/go-nostr"
)

// Verify reports whether the signature of an event is its author's, over the id that the event names (NIP-01). That the
// id is the hash of the fields is another question; Decode answers it. It is pure and slow: about 100 us.
func Verify(ev *nostr.Event) bool {
	var id, key, sig [64]byte
	if !unhex(id[:32], ev.ID) || !unhex(key[:32], ev.PubKey) || !unhex(sig[:], ev.Sig) {
		return false
	}
	// A key is an x alone; the y that goes with it is looked for, and may not be there, as the signature is checked.
	var x, y btcec.FieldVal
	if beyond := x.SetByteSlice(key[:32]); beyond {
		return false
	}
	signature, err := schnorr.ParseSignature(sig[:])
	return err == nil && signature.Verify(id[:32], btcec.NewPublicKey(&x, &y))
}

// unhex fills out exactly.
func unhex(out []byte, text string) bool {
	if len(text) != 2*len(out) {
		return false
	}
	_, err := hex.Decode(out, []byte(text))
	return err == nil
}
