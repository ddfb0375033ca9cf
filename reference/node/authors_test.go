package node

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
)

// signedBy is the n-th event of a key.
func signedBy(t *testing.T, secret string, n int) relay.Event {
	t.Helper()
	ev := &nostr.Event{Kind: 1, Content: fmt.Sprint(n)}
	if err := ev.Sign(secret); err != nil {
		t.Fatal(err)
	}
	return relay.Event{Event: ev, IDOK: true}
}

// From the second good signature of an author on something is worked out, and what is no signature is refused before and after.
func TestAuthorsAreKnownFromTheSecondSignatureOn(t *testing.T) {
	secret := strings.Repeat("01", 32)
	var a authors
	for n := range 4 {
		forged := signedBy(t, secret, n)
		forged.Event.ID = strings.Repeat("0", 64)
		good := signedBy(t, secret, n)
		if a.verify(forged) || !a.verify(good) {
			t.Errorf("signature %d: got a forged one taken or a good one refused", n)
		}
		author, again := a.of(good.Event.PubKey)
		if !again || (author != nil) != (n > 0) {
			t.Errorf("after %d signatures: got %v and %v, want something worked out after two", n+1, author != nil, again)
		}
	}
}

// No more authors are remembered than there is room for, and those who go on signing stay.
func TestAuthorsAreBounded(t *testing.T) {
	var a authors
	busy, _ := relay.NewAuthor(signedBy(t, strings.Repeat("01", 32), 0).Event.PubKey)
	a.keep("busy", busy)
	for n := range 3 * authorsMax {
		a.keep(fmt.Sprint(n), nil)
		if author, _ := a.of("busy"); author != busy {
			t.Fatalf("after %d others: the author who goes on is forgotten", n+1)
		}
	}
	if len(a.younger) > authorsMax || len(a.elder) > authorsMax {
		t.Errorf("got %d and %d authors, want at most %d each", len(a.younger), len(a.elder), authorsMax)
	}
	if _, known := a.of("0"); known {
		t.Error("an author of long ago is remembered")
	}
}
