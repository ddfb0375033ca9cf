package suite

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// tidyMost is how many events one deletion request of tidy names.
const tidyMost = 50

// tidy asks the target to delete what the keys that the tester gave wrote in this check: they write in all the others as well,
// and what waits for git data counts against their authors. What becomes of the requests is not judged here.
func (w *world) tidy() {
	if len(w.run.cfg.Keys) == 0 || w.ctx.Err() != nil {
		return
	}
	for _, key := range w.run.cfg.Keys {
		key = key.Working(w.run.facts.work)
		var ids []string
		for _, ev := range w.client.Accepted() {
			if ev.PubKey == key.Pubkey && erasable(ev) && !slices.Contains(ids, ev.ID) {
				ids = append(ids, ev.ID)
			}
		}
		for part := range slices.Chunk(ids, tidyMost) {
			relay, out := w.connect()
			if !out.held() {
				return
			}
			publish := relay.Publish
			if w.run.unerased.Load() {
				publish = relay.PublishOnce
			}
			if _, tooFast := publish(w.ctx, client.Deletion(key, part, nil, w.tick())).(client.RateLimited); tooFast {
				w.run.unerased.Store(true)
			}
		}
	}
}

// erasable reports whether a deletion request means anything for an event.
func erasable(ev *nostr.Event) bool {
	return ev.Kind != client.KindDeletion && ev.Kind != client.KindVanish && !nostr.IsEphemeralKind(ev.Kind)
}
