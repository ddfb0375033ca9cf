package identity_test

import (
	"testing"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/internal/identity"
)

// The key is pinned: recorded traces and regression files name people by it.
func TestIdentityIsPinned(t *testing.T) {
	got := identity.New(1, "owner1").PubKey
	const want = "68b82a1ee23683511909facf06fdd6f82b716b26ad196df25ede49facab99c8a"
	if got != want {
		t.Errorf("owner1 under seed 1: got %s, want %s", got, want)
	}
}

func TestIdentitiesDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range []identity.Identity{
		identity.New(1, "owner1"), identity.New(2, "owner1"), identity.New(1, "owner2"), identity.New(1, ""),
	} {
		if seen[id.PubKey] {
			t.Errorf("%q has the key of somebody else", id.Name)
		}
		seen[id.PubKey] = true
		if prefix, key, err := nip19.Decode(id.Npub); err != nil || prefix != "npub" || key != id.PubKey {
			t.Errorf("%q: got npub %s of %v (%v), want that of %s", id.Name, id.Npub, key, err, id.PubKey)
		}
	}
}

func TestSignaturesAreValidAndDeterministic(t *testing.T) {
	id := identity.New(1, "owner1")
	event := func() *nostr.Event {
		ev := &nostr.Event{Kind: 1621, CreatedAt: 1, Content: "an issue"}
		if err := id.Sign(ev); err != nil {
			t.Fatal(err)
		}
		return ev
	}
	a, b := event(), event()
	if ok, err := a.CheckSignature(); !ok || err != nil || !a.CheckID() {
		t.Errorf("got signature %v (%v) and id %v, want both valid", ok, err, a.CheckID())
	}
	if a.Sig != b.Sig {
		t.Errorf("got signatures %s and %s for one event, want one", a.Sig, b.Sig)
	}
	stamped := &nostr.Event{Kind: 1621, CreatedAt: 1, Content: "an issue"}
	id.Stamp(stamped)
	if stamped.ID != a.ID || stamped.PubKey != a.PubKey || stamped.Sig != "" {
		t.Errorf("stamped: got id %s of %s, signature %q, want id %s of %s and none", stamped.ID, stamped.PubKey, stamped.Sig, a.ID, a.PubKey)
	}
}

func TestSignRefusesABrokenSecret(t *testing.T) {
	if err := (identity.Identity{Name: "nobody", Secret: "xyz"}).Sign(&nostr.Event{}); err == nil {
		t.Error("got no error for a secret that is not hex, want one")
	}
}
