package relay

import (
	"github.com/nbd-wtf/go-nostr"
)

// DecodeEvent reads one event that stands alone, as in an HTTP header (NIP-98). It has the form and the limits of one that a client
// publishes; ok is false if it has not. IDOK is as in Event.
func DecodeEvent(data []byte) (ev *nostr.Event, idOK, ok bool) {
	if len(data) > MessageBytesMax || checkSyntax(data) != nil {
		return nil, false, false
	}
	c := &cursor{data: data}
	if c.peek() != aObject {
		return nil, false, false
	}
	r := eventReader{ev: &nostr.Event{Tags: nostr.Tags{}}}
	r.read(c)
	if r.seen != fieldsAll {
		r.fault("the event lacks a field")
	}
	if r.reason != "" {
		return nil, false, false
	}
	return r.ev, checkID(r.ev), true
}
