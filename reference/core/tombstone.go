package core

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// tombstones remember what authors have asked to be deleted, stored here or not (N09-05, REF-PURG-23). They are read
// from the stored deletion requests, which are never deleted themselves (N09-04).
type tombstones struct {
	ids       map[signedID]bool
	addresses map[signedAddress]nostr.Timestamp // the latest request
	perKey    map[string]int
}

type signedID struct{ signer, id string }

type signedAddress struct {
	signer string
	policy.Address
}

// TombstonesPerKeyMax is how many references one author's deletion requests may make in all.
const TombstonesPerKeyMax = 5_000

func newTombstones() tombstones {
	return tombstones{ids: map[signedID]bool{}, addresses: map[signedAddress]nostr.Timestamp{}, perKey: map[string]int{}}
}

// fits reports whether the request can be remembered within the limits.
func (t *tombstones) fits(ev *nostr.Event, d policy.Deletion, most int) bool {
	more := len(d.IDs) + len(d.Addresses)
	return len(t.ids)+len(t.addresses)+more <= most && t.perKey[ev.PubKey]+more <= TombstonesPerKeyMax
}

// add remembers a request.
func (t *tombstones) add(ev *nostr.Event, d policy.Deletion) {
	for _, id := range d.IDs {
		if key := (signedID{ev.PubKey, id}); !t.ids[key] {
			t.ids[key] = true
			t.perKey[ev.PubKey]++
		}
	}
	for _, a := range d.Addresses {
		key := signedAddress{ev.PubKey, a}
		latest, known := t.addresses[key]
		if !known {
			t.perKey[ev.PubKey]++
		}
		if !known || ev.CreatedAt > latest {
			t.addresses[key] = ev.CreatedAt
		}
	}
}

// covers reports whether the author of an event has asked for its deletion: by id, or by address at that time or later
// (N09-02, N09-03). A deletion request cannot be deleted.
func (t *tombstones) covers(ev *nostr.Event) bool {
	if ev.Kind == policy.KindDeletion {
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
	until, known := t.addresses[signedAddress{ev.PubKey, a}]
	return known && ev.CreatedAt <= until
}
