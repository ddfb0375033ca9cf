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
	if key.work == 0 {
		return
	}
	ev.PubKey = key.Pubkey
	tags := slices.DeleteFunc(slices.Clone(ev.Tags), func(tag nostr.Tag) bool { // of an event that this one is made from
		return len(tag) == 3 && tag[0] == "nonce" && tag[2] == strconv.Itoa(key.work)
	})
	if tags.Find("nonce") != nil {
		ev.Tags = tags
		return
	}
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
