package suite

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// servedOf returns which of some events are served. They are asked for in one query; what that does not bring is asked for alone, for
// that a query by several ids brings them all is a matter of its own: a server that errs there has lost nothing.
func (w *world) servedOf(relay *client.Relay, events ...*nostr.Event) ([]*nostr.Event, client.Observation) {
	var ids []string
	for _, ev := range events {
		ids = append(ids, ev.ID)
	}
	got, o := relay.Query(w.ctx, client.Filter{IDs: ids})
	if o != nil || len(events) < 2 {
		return got, o
	}
	for _, ev := range events {
		if holds(got, ev) {
			continue
		}
		alone, o := relay.Query(w.ctx, client.Filter{IDs: []string{ev.ID}})
		if o != nil {
			return nil, o
		}
		got = append(got, alone...)
	}
	return got, nil
}
