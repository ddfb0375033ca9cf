package suite

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// closedID is the id of a subscription, and likeClosed are ids that begin or end as it does, or are written alike.
const closedID = "watch-a"

func likeClosed() []string { return []string{"watch-a-b", "watch-", "WATCH-A", "my-watch-a"} }

// closesItsOwn judges that CLOSE ends the subscription that it names, and none whose id is like that.
func (w *world) closesItsOwn(actor string) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	filter := client.Filter{Authors: []string{w.key(actor).Pubkey}, Kinds: []int{client.KindIssue}}
	for _, id := range append(likeClosed(), closedID) {
		if _, o := relay.Subscribe(w.ctx, id, filter); o != nil {
			if turnedAway(relay, o) {
				return notApplicable("the relay has no room for five subscriptions: %v", o)
			}
			return unlessInconclusive("subscribe", o)
		}
	}
	posted := func(name string) (*nostr.Event, outcome) {
		out := w.postIssue(actor, name, w.tick()).then(w.accepted).asSetup()
		return w.sent.last, out
	}
	before, out := posted("before")
	if !out.held() {
		return out
	}
	for _, id := range likeClosed() {
		if o := relay.Await(w.ctx, id, before.ID); o != nil {
			return unlessInconclusive("a subscription", o).dueTo(restsOnQueries).asSetup()
		}
	}
	if o := relay.Unsubscribe(w.ctx, closedID); o != nil {
		return inconclusive("close", o)
	}
	behind, out := posted("behind")
	if !out.held() {
		return out
	}
	for _, id := range likeClosed() {
		switch o := relay.Await(w.ctx, id, behind.ID); o.(type) {
		case nil:
		case client.TransportError:
			return inconclusive("a subscription", o)
		default:
			return violated("the subscription %q gets nothing more, when %q was closed: %v", id, closedID, o)
		}
	}
	return outcome{}
}
