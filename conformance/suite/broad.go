package suite

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// broadMost is how many events a broad query asks for: what is sent is bounded where a server has a great many.
const broadMost = 100

// leavesOutNothingNewer asks by next to nothing. Everybody's events may come, and a relay brings no more than it likes; but what it
// brings are the newest, so that an event of ours which is newer than the oldest of them is among them. Who does not want to be asked so
// says that, and is not judged.
func (w *world) leavesOutNothingNewer() outcome {
	most := broadMost
	own := w.sent.last
	for _, q := range []struct {
		by     string
		filter client.Filter
	}{
		{"a limit alone", client.Filter{Limit: &most}},
		{"nothing", client.Filter{}},
	} {
		relay, out := w.connect()
		if !out.held() {
			return out
		}
		got, o := relay.Query(w.ctx, q.filter)
		if o != nil && w.turnsAway(relay, o) {
			w.note("a query by %s is refused: %v", q.by, o)
			continue
		}
		if o != nil {
			return w.unanswering(o)
		}
		if len(got) == 0 {
			return violated("a query by %s brings nothing, and %s is there", q.by, describe(own))
		}
		older := slices.ContainsFunc(got, func(ev *nostr.Event) bool { return ev.CreatedAt < own.CreatedAt })
		if older && !holds(got, own) {
			return violated("a query by %s brings older events than %s, and not that", q.by, describe(own))
		}
	}
	return outcome{}
}
