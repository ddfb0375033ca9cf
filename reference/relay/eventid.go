package relay

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/nbd-wtf/go-nostr"
)

// checkID reports whether the id of an event is the SHA-256 of its fields (NIP-01). NIP-01 writes the control
// characters without a short escape verbatim, while common JSON writers escape them; both are taken. No text of one
// form is a text of the other for different fields, so one id never stands for two events.
func checkID(ev *nostr.Event) bool {
	if ev.ID == hash(ev, false) {
		return true
	}
	return ev.ID == hash(ev, true)
}

func hash(ev *nostr.Event, escapeControl bool) string {
	sum := sha256.Sum256(serialize(ev, escapeControl))
	return hex.EncodeToString(sum[:])
}

// serialize writes the array that the id is the hash of.
func serialize(ev *nostr.Event, escapeControl bool) []byte {
	out := make([]byte, 0, 128+len(ev.Content)+len(ev.Tags)*80)
	out = append(out, "[0,"...)
	out = appendText(out, ev.PubKey, escapeControl)
	out = append(out, ',')
	out = strconv.AppendInt(out, int64(ev.CreatedAt), 10)
	out = append(out, ',')
	out = strconv.AppendInt(out, int64(ev.Kind), 10)
	out = append(out, ',')
	out = appendTags(out, ev.Tags, escapeControl)
	out = append(out, ',')
	out = appendText(out, ev.Content, escapeControl)
	return append(out, ']')
}
