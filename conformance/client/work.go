package client

import (
	"crypto/sha256"
	"math/bits"
	"slices"
	"strconv"

	"github.com/nbd-wtf/go-nostr"
)

// mine looks for a nonce that gives the event's id the key's bits of work.
func mine(key Key, ev *nostr.Event) {
	if key.work == 0 || ev.Tags.Find("nonce") != nil {
		return
	}
	ev.PubKey = key.Pubkey
	tags := ev.Tags
	for nonce := uint64(0); ; nonce++ {
		ev.Tags = slices.Concat(tags, nostr.Tags{{"nonce", strconv.FormatUint(nonce, 10), strconv.Itoa(key.work)}})
		if work(sha256.Sum256(ev.Serialize())) >= key.work {
			return
		}
	}
}

// work counts the zero bits that an id begins with.
func work(id [sha256.Size]byte) int {
	n := 0
	for _, b := range id {
		n += bits.LeadingZeros8(b)
		if b != 0 {
			break
		}
	}
	return n
}
