package policy

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// AllRelays is the value of a relay tag by which a request to vanish speaks to every relay (NIP-62).
const AllRelays = "ALL_RELAYS"

// Vanishes reports whether a request to vanish speaks to this relay (N62-01).
func Vanishes(own repo.Service, ev *nostr.Event) bool {
	for _, tag := range ev.Tags {
		if len(tag) > 1 && tag[0] == "relay" && (tag[1] == AllRelays || own.IsRelayURL(tag[1])) {
			return true
		}
	}
	return false
}
