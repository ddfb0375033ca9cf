package suite

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A relay may end a subscription at any time by CLOSED with a reason (NIP-01), as when somebody's erasure changes what others may
// read. Those of the barrier are opened anew then, for stored events as well, so that nothing passes between the one and the
// other: what a barrier shows is that something does not come.

// hearBehind waits for a beacon on the actors' connection and keeps what its subscription for the authors got until then.
func (w *world) hearBehind(old *client.Relay, beacon *nostr.Event) client.Observation {
	o := old.Await(w.ctx, w.beacons(), beacon.ID)
	since := []client.Filter{{Authors: w.run.lighthouse.pubkeys(), Kinds: []int{client.KindIssue}, Since: new(int64(beacon.CreatedAt))}}
	all := []client.Filter{{Authors: w.allAuthors()}}
	if w.beacons() == subWatch {
		since = append(since, all...)
		all = since
	}
	if endedByRelay(o) {
		var stored []*nostr.Event
		stored, o = old.Subscribe(w.ctx, w.beacons(), since...)
		if w.beacons() == subWatch {
			w.relay.heard = append(w.relay.heard, w.withoutBeacons(slices.Clone(stored))...)
		}
		if o == nil && !holds(stored, beacon) {
			o = old.Await(w.ctx, w.beacons(), beacon.ID)
		}
	}
	if o != nil {
		return o
	}
	events, o := w.cameFor(old)
	w.relay.heard = append(w.relay.heard, events...)
	if endedByRelay(o) {
		events, o = old.Subscribe(w.ctx, subWatch, all...)
		w.relay.heard = append(w.relay.heard, w.withoutBeacons(events)...)
	}
	return o
}

// endedByRelay reports whether the relay has ended a subscription, and said why.
func endedByRelay(o client.Observation) bool {
	_, is := o.(client.ClosedFrame)
	return is
}
