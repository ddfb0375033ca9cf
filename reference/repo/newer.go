package repo

import (
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// Newer reports whether a comes before b in the one order that everything uses: the later created_at first, then the
// lower id (N01-REP-01, G01-LAT-01). It is false for two events of the same id.
func Newer(a, b *nostr.Event) bool { return CompareEvents(a, b) < 0 }

// CompareEvents orders events newest first, as Newer does, for slices.SortFunc and slices.BinarySearchFunc.
func CompareEvents(a, b *nostr.Event) int {
	switch {
	case a.CreatedAt > b.CreatedAt:
		return -1
	case a.CreatedAt < b.CreatedAt:
		return 1
	}
	return strings.Compare(a.ID, b.ID)
}

// Identifier returns the value of the first d tag of an event, and whether there is one with a value. Later d tags
// count for nothing, so that an event has one address (NIP-01).
func Identifier(ev *nostr.Event) (string, bool) {
	for _, tag := range ev.Tags {
		if len(tag) > 0 && tag[0] == "d" {
			if len(tag) < 2 {
				return "", false
			}
			return tag[1], true
		}
	}
	return "", false
}
