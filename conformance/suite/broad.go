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
		if out := w.broad(own, q.by, q.filter); !out.held() {
			return out
		}
	}
	return outcome{}
}

// broadRounds is how often it is asked before what is brought proves nothing.
const broadRounds = 3

// broad judges one such query. What is older than our event and comes without it proves something only if it came before: others
// publish meanwhile, and a relay that listens before it looks up what is stored sends their events in between.
func (w *world) broad(own *nostr.Event, by string, filter client.Filter) outcome {
	came := map[string]bool{}
	for range broadRounds {
		relay, out := w.connect()
		if !out.held() {
			return out
		}
		got, o := relay.Query(w.ctx, filter)
		if o != nil && w.turnsAway(relay, o) {
			w.note("a query by %s is refused: %v", by, o)
			return outcome{}
		}
		if o != nil {
			return w.unanswering(o)
		}
		if len(got) == 0 {
			return violated("a query by %s brings nothing, and %s is there", by, describe(own))
		}
		older := slices.DeleteFunc(slices.Clone(got), func(ev *nostr.Event) bool { return ev.CreatedAt >= own.CreatedAt })
		if len(older) == 0 || holds(got, own) {
			return outcome{}
		}
		for _, ev := range older {
			if came[ev.ID] {
				return violated("a query by %s brings older events than %s, and not that, twice the same", by, describe(own))
			}
			came[ev.ID] = true
		}
	}
	return notApplicable("queries by %s bring older events than %s, and not that, others each time: so much is published meanwhile", by, describe(own))
}
