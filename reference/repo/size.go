package repo

import "github.com/nbd-wtf/go-nostr"

// What an event takes in memory beside its text, in bytes. Of an event of many short tags that is the most.
const (
	eventBytes = 512 // the event itself, its id, keys and signature, and its places in the indexes
	tagBytes   = 24
	valueBytes = 16
)

// Size is about how many bytes of memory an event takes, for limits.
func Size(ev *nostr.Event) int {
	n := eventBytes + len(ev.Content)
	for _, tag := range ev.Tags {
		n += tagBytes
		for _, value := range tag {
			n += valueBytes + len(value)
		}
	}
	return n
}
