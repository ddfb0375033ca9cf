package client

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/nbd-wtf/go-nostr"
)

// What a key signs is what the library would sign with it, whichever of its two secrets that is.
func TestSignaturesAreThoseOfTheLibrary(t *testing.T) {
	odd := 0
	for i := range 64 {
		digits := sha256.Sum256(fmt.Append(nil, "secret ", i))
		key, err := ParseKey("somebody", hex.EncodeToString(digits[:]))
		if err != nil {
			t.Fatal(err)
		}
		private, public := btcec.PrivKeyFromBytes(digits[:])
		if public.Y().Bit(0) == 1 {
			odd++
		}
		message := sha256.Sum256(fmt.Append(nil, "message ", i))
		want, err := schnorr.Sign(private, message[:])
		if err != nil {
			t.Fatal(err)
		}
		if got := key.signer.sign(message); !bytes.Equal(got, want.Serialize()) {
			t.Errorf("key %d: signature %x, want %x", i, got, want.Serialize())
		}
		if want, err := nostr.GetPublicKey(hex.EncodeToString(digits[:])); err != nil || key.Pubkey != want {
			t.Errorf("key %d: public key %s, want %s (%v)", i, key.Pubkey, want, err)
		}
	}
	if odd == 0 || odd == 64 {
		t.Errorf("%d of 64 keys have an odd y: the test shows one half only", odd)
	}
}

// Digits that are no secret key of the curve are refused when they are read, not when they sign.
func TestNoSecretKeys(t *testing.T) {
	for _, digits := range []string{strings.Repeat("0", 64), strings.Repeat("f", 64)} {
		if key, err := ParseKey("nobody", digits); err == nil {
			t.Errorf("%s is the key %s", digits, key.Pubkey)
		}
	}
}

func BenchmarkSign(b *testing.B) {
	key, ev := NewKey("bench", "author"), nostr.Event{Kind: 1}
	for i := range b.N {
		ev.CreatedAt = nostr.Timestamp(i)
		key.sign(&ev)
	}
}
