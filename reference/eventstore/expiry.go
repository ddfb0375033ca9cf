package eventstore

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// expirationMax is the last expiration that counts, in seconds since the Unix epoch: what is later is never.
const expirationMax = 1 << 33

// Expiration returns the second since the Unix epoch from which on an event counts as expired (NIP-40), and whether
// there is one. The first expiration tag counts, if it is a number.
func Expiration(ev *nostr.Event) (int64, bool) {
	for _, tag := range ev.Tags {
		if len(tag) < 2 || tag[0] != "expiration" {
			continue
		}
		at, err := strconv.ParseUint(tag[1], 10, 63)
		return int64(at), err == nil && at <= expirationMax
	}
	return 0, false
}

// An expiring is an event that expires.
type expiring struct {
	at int64
	ev *nostr.Event
}

func (e expiring) compare(other expiring) int {
	if c := cmp.Compare(e.at, other.at); c != 0 {
		return c
	}
	return strings.Compare(e.ev.ID, other.ev.ID)
}

// Expired returns the event that expired first if its second has come, else nil. It is found and served all the same
// until Remove drops it.
func (s *Store) Expired(second int64) *nostr.Event {
	if len(s.expiring) == 0 || s.expiring[0].at > second {
		return nil
	}
	return s.expiring[0].ev
}

// NextExpiry returns the second at which the next event expires, and whether any does.
func (s *Store) NextExpiry() (int64, bool) {
	if len(s.expiring) == 0 {
		return 0, false
	}
	return s.expiring[0].at, true
}

func (s *Store) schedule(ev *nostr.Event) {
	if at, ok := Expiration(ev); ok {
		e := expiring{at, ev}
		i, _ := slices.BinarySearchFunc(s.expiring, e, expiring.compare)
		s.expiring = slices.Insert(s.expiring, i, e)
	}
}

func (s *Store) unschedule(ev *nostr.Event) {
	if at, ok := Expiration(ev); ok {
		if i, found := slices.BinarySearchFunc(s.expiring, expiring{at, ev}, expiring.compare); found {
			s.expiring = slices.Delete(s.expiring, i, i+1)
		}
	}
}
