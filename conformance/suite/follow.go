package suite

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// subscriptionsEach is how many subscriptions a check opens on one connection: few enough for most relays.
const subscriptionsEach = 12

// subscriptionsFew is how many it opens on one where it is tried again.
const subscriptionsFew = 4

// A following is a subscription that a check waits for events on.
type following struct {
	relay   *client.Relay
	sub     string
	name    string
	filters []client.Filter
	want    []string
	before  []client.Filter // of the subscription whose place it has taken, if there was one
}

// heard is what came on the subscription. What others have sent to the one before may still have been on its way when that was replaced;
// what the check has sent was not, for it came later.
func (f following) heard(own []*nostr.Event) []*nostr.Event {
	return slices.DeleteFunc(f.relay.Heard(f.sub), func(ev *nostr.Event) bool {
		return matches(f.before, ev) && !matches(f.filters, ev) && !holds(own, ev)
	})
}

// An opening is the subscription that every connection for followings begins with.
type opening struct {
	sub    string
	filter client.Filter
}

// follow opens a subscription on a connection that has room for it, and returns that. A relay tells how many it takes in its
// document, or by its refusal; where no further connection is to be had, the last one takes the rest.
func (w *world) follow(begins opening, sub string, filters ...client.Filter) (*client.Relay, outcome) {
	if _, out := w.connect(); !out.held() { // that of who publishes has to be among those that are to be had
		return nil, out
	}
	full := len(w.relay.extra) == 0 || w.relay.load >= w.roomOnConnection()
	for {
		if full && !w.relay.lastOne {
			if out := w.openExtra(begins); !out.held() {
				return nil, out
			}
		}
		relay := w.relay.extra[len(w.relay.extra)-1]
		_, o := relay.Subscribe(w.ctx, sub, filters...)
		if o == nil {
			w.relay.load++
			return relay, outcome{}
		}
		if full = w.relay.load > 1 && !w.relay.lastOne && turnedAway(relay, o); !full {
			return nil, unlessInconclusive("subscribe", o)
		}
	}
}

// turnedAway reports whether a subscription was refused, by whatever message.
func turnedAway(relay *client.Relay, o client.Observation) bool {
	switch o := o.(type) {
	case client.ClosedFrame:
		return !client.Inconclusive(o)
	case client.Silence:
		return len(relay.Notices()) > 0
	}
	return false
}

// roomOnConnection is how many subscriptions are opened on one connection. A relay may close one for another, and tell nobody how many it
// keeps: who is tried again for such an end opens fewer.
func (w *world) roomOnConnection() int {
	each := subscriptionsEach
	if w.again {
		each = subscriptionsFew
	}
	if most, stated := w.run.facts.limit("max_subscriptions"); stated {
		return min(each, int(most))
	}
	return each
}

// openExtra opens one more connection for followings.
func (w *world) openExtra(begins opening) outcome {
	relay, o := w.client.Relay(w.ctx)
	if _, limited := o.(client.RateLimited); limited && len(w.relay.extra) > 0 {
		w.relay.lastOne = true
		return outcome{}
	}
	if o != nil {
		return inconclusive("connect", o)
	}
	w.relay.extra, w.relay.load = append(w.relay.extra, relay), 1
	if _, o := relay.Subscribe(w.ctx, begins.sub, begins.filter); o != nil {
		return unlessInconclusive("subscribe", o)
	}
	return outcome{}
}
