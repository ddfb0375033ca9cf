package relay_test

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/relay"
)

// order is how many points the curve has: secret keys are below it.
const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"

// An author says of every signature what Verify says: of good ones, of those that differ in one bit somewhere, and of those of
// others; whatever the key, the smallest and the greatest among them.
func TestAuthorsVerifyAlike(t *testing.T) {
	most, _ := new(big.Int).SetString(order, 16)
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.OneOf(
			rapid.Map(rapid.IntRange(1, 300), func(n int) string { return fmt.Sprintf("%064x", n) }),
			rapid.Map(rapid.IntRange(1, 300), func(n int) string { return fmt.Sprintf("%064x", new(big.Int).Sub(most, big.NewInt(int64(n)))) }),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 31, 31), func(b []byte) string { return "01" + hex.EncodeToString(b) }),
		).Draw(t, "secret")
		ev := &nostr.Event{Kind: 1, Content: rapid.String().Draw(t, "content")}
		if err := ev.Sign(secret); err != nil {
			t.Fatal(err)
		}
		author, ok := relay.NewAuthor(ev.PubKey)
		if !ok || !relay.Verify(ev) || !author.Verify(ev) {
			t.Fatalf("a good signature of %s: got %v and %v, want true", secret, relay.Verify(ev), ok && author.Verify(ev))
		}
		field := rapid.SampledFrom([]*string{&ev.Sig, &ev.ID, &ev.PubKey}).Draw(t, "field")
		bytes, _ := hex.DecodeString(*field)
		bit := rapid.IntRange(0, 8*len(bytes)-1).Draw(t, "bit")
		bytes[bit/8] ^= 1 << (bit % 8)
		*field = hex.EncodeToString(bytes)
		if relay.Verify(ev) || author.Verify(ev) {
			t.Fatalf("bit %d changed: got %v and %v, want false", bit, relay.Verify(ev), author.Verify(ev))
		}
	})
}

// A signature by another key is not the author's, however the key is written.
func TestAuthorsKnowTheirEvents(t *testing.T) {
	mine, other := &nostr.Event{Kind: 1}, &nostr.Event{Kind: 1}
	if mine.Sign(strings.Repeat("01", 32)) != nil || other.Sign(strings.Repeat("02", 32)) != nil {
		t.Fatal("not signed")
	}
	author, _ := relay.NewAuthor(mine.PubKey)
	if author.Verify(other) {
		t.Error("got true for a signature of somebody else")
	}
	if mine.PubKey = strings.ToUpper(mine.PubKey); author.Verify(mine) != relay.Verify(mine) {
		t.Errorf("a key in capitals: got %v, want %v as of Verify", author.Verify(mine), relay.Verify(mine))
	}
	for _, key := range []string{"", "00", strings.Repeat("0", 64), strings.Repeat("f", 64), "g" + mine.PubKey[1:]} {
		if _, ok := relay.NewAuthor(key); ok {
			t.Errorf("got an author of %q, which is no key", key)
		}
	}
}
