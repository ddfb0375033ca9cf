package suite

import (
	"context"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server may have room for so many repositories. Where one that has taken announcements takes no more of them, and takes requests to
// delete (NIP-09), what the checks that are over have announced is deleted, and those that had no room get another try: one after the other,
// each of which leaves the room that it took.

// leaveBehind keeps what a check has announced, which is in the way of others where there is little room.
func (r *run) leaveBehind(w *world) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, ev := range w.client.Accepted() {
		if ev.Kind == client.KindAnnouncement {
			r.left = append(r.left, ev)
		}
	}
}

// makeRoom deletes what checks that are over have announced, and finds out whether a repository of somebody new is taken then.
func (r *run) makeRoom(ctx context.Context) {
	if !r.facts.nips[9] || !r.mayWrite() {
		return
	}
	r.clear(ctx)
	relay, o := r.client.Relay(ctx)
	if o != nil {
		return
	}
	defer relay.Close()
	key, identifier := r.newKey("room", false).Working(r.facts.work), r.name("room")
	plain := client.Announce(key, client.AnnounceOpts{
		Identifier: identifier, Description: r.purpose(), Clone: []string{r.client.CloneURL(key.Pubkey, identifier)},
		Relays: []string{r.client.RelayURL()}, CreatedAt: r.base(), Extra: r.markers(),
	})
	if !isTaken(relay.Publish(ctx, plain)) {
		return
	}
	r.roomy.Store(true)
	r.erase(ctx, relay, []*nostr.Event{plain})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.measured = append(r.measured, "room: there is too little for all checks at a time; those that had none were tried again, each on what the others had left")
}

// clear deletes what checks that are over have announced.
func (r *run) clear(ctx context.Context) {
	r.mu.Lock()
	left := r.left
	r.left = nil
	r.mu.Unlock()
	if len(left) == 0 {
		return
	}
	relay, o := r.client.Relay(ctx)
	if o != nil {
		return
	}
	defer relay.Close()
	by := make(map[string][]*nostr.Event)
	for _, ev := range left {
		by[ev.PubKey] = append(by[ev.PubKey], ev)
	}
	for _, ev := range left { // in order
		if own := by[ev.PubKey]; own != nil {
			by[ev.PubKey] = nil
			r.erase(ctx, relay, own)
		}
	}
	r.letErase(ctx, client.KindDeletion)
}

// erase asks the target to delete events of one author. What becomes of that is seen by the room that there is.
func (r *run) erase(ctx context.Context, relay *client.Relay, events []*nostr.Event) {
	key, known := r.keyring.of(events[0].PubKey)
	if !known {
		return
	}
	var ids []string
	at := r.base()
	for _, ev := range events {
		ids, at = append(ids, ev.ID), max(at, int64(ev.CreatedAt))
	}
	relay.Publish(ctx, client.Deletion(key.Working(r.facts.work), ids, nil, at+1))
}

// vacate deletes what a check has announced that was tried again where there is little room.
func (w *world) vacate() {
	w.run.leaveBehind(w)
	if w.again && w.run.roomy.Load() {
		w.run.clear(w.ctx)
	}
}
