package repo

import "github.com/nbd-wtf/go-nostr"

// eventBytes is what an event takes without its content and its tags: id, key, signature and the names of its fields.
const eventBytes = 350

// Size is about how many bytes an event takes as JSON, for limits: what escapes add is not counted.
func Size(ev *nostr.Event) int {
	n := eventBytes + len(ev.Content)
	for _, tag := range ev.Tags {
		n += 3
		for _, value := range tag {
			n += len(value) + 3
		}
	}
	return n
}
