package core

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// tombstones remember what authors have asked to be deleted, stored here or not (N09-05, REF-PURG-23). They are read
// from the stored deletion requests, which are never deleted themselves (N09-04), and from the marks that a request
// leaves behind when it expires.
type tombstones struct {
	ids       map[signedID]bool
	addresses map[signedAddress]nostr.Timestamp // the latest request
	vanished  map[string]nostr.Timestamp        // by author: all events up to here are gone (N62-01)
	perKey    map[string]int
}

type signedID struct{ signer, id string }

// A signedAddress is an address of an author as it is remembered. What is remembered outlives the request that takes up
// room for it, and an identifier that names no repository may be as long as a message: of one that is longer than those
// of repositories only a digest is kept.
type signedAddress struct {
	signer string
	kind   int
	name   string // the identifier, or the SHA-256 of it in hex
	digest bool
}

func addressOf(signer string, a policy.Address) signedAddress {
	if len(a.Identifier) <= repo.IdentifierMax {
		return signedAddress{signer: signer, kind: a.Kind, name: a.Identifier}
	}
	sum := sha256.Sum256([]byte(a.Identifier))
	return signedAddress{signer: signer, kind: a.Kind, name: hex.EncodeToString(sum[:]), digest: true}
}

// TombstonesPerKeyMax is how many references one author's deletion requests may make in all.
const TombstonesPerKeyMax = 5_000

func newTombstones() tombstones {
	return tombstones{
		ids: map[signedID]bool{}, addresses: map[signedAddress]nostr.Timestamp{},
		vanished: map[string]nostr.Timestamp{}, perKey: map[string]int{},
	}
}

// len is how many things are remembered.
func (t *tombstones) len() int { return len(t.ids) + len(t.addresses) + len(t.vanished) }

// fits reports whether the request can be remembered within the limits.
func (t *tombstones) fits(ev *nostr.Event, d policy.Deletion, most int) bool {
	more := len(d.IDs) + len(d.Addresses)
	return t.len()+more <= most && t.perKey[ev.PubKey]+more <= TombstonesPerKeyMax
}

// add remembers a request.
func (t *tombstones) add(ev *nostr.Event, d policy.Deletion) {
	for _, id := range d.IDs {
		t.addID(ev.PubKey, id)
	}
	for _, a := range d.Addresses {
		t.addAddress(addressOf(ev.PubKey, a), ev.CreatedAt)
	}
}

func (t *tombstones) addID(signer, id string) {
	if key := (signedID{signer, id}); !t.ids[key] {
		t.ids[key] = true
		t.perKey[signer]++
	}
}

func (t *tombstones) addAddress(key signedAddress, until nostr.Timestamp) {
	latest, known := t.addresses[key]
	if !known {
		t.perKey[key.signer]++
	}
	if !known || until > latest {
		t.addresses[key] = until
	}
}

// covers reports whether the author of an event has asked for its deletion: by id, or by address at that time or later
// (N09-02, N09-03), or of everything at that time or later (N62-01). A request cannot be deleted by another one, but
// goes with its author.
func (t *tombstones) covers(ev *nostr.Event) bool {
	if until, gone := t.vanished[ev.PubKey]; gone && ev.CreatedAt <= until {
		return true
	}
	if ev.Kind == policy.KindDeletion || ev.Kind == policy.KindVanish {
		return false
	}
	if t.ids[signedID{ev.PubKey, ev.ID}] {
		return true
	}
	identifier, _ := repo.Identifier(ev)
	a, ok := policy.AddressOf(ev.Kind, identifier)
	if !ok {
		return false
	}
	until, known := t.addresses[addressOf(ev.PubKey, a)]
	return known && ev.CreatedAt <= until
}
