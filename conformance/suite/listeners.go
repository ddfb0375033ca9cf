package suite

import (
	"fmt"

	"github.com/graspkit/graspkit/conformance/client"
)

// Who listens gets what is new, whatever others do who listen beside him: leave without a word, or read nothing.

// listening is another connection with a subscription for the actor's issues.
func (w *world) listening(actor string) (*client.Relay, outcome) {
	relay, out := w.beside()
	if !out.held() {
		return nil, out
	}
	if _, o := relay.Subscribe(w.ctx, subLive, client.Filter{Authors: []string{w.key(actor).Pubkey}, Kinds: []int{client.KindIssue}}); o != nil {
		return nil, unlessInconclusive("subscribe", o)
	}
	return relay, outcome{}
}

// newIssueComes posts an issue and judges that it is taken and comes to these listeners. What another connection brings late is waited for
// as long as any answer, and whose subscription or connection the relay has ended gets nothing.
func (w *world) newIssueComes(actor, name string, listeners ...*client.Relay) outcome {
	return w.postIssue(actor, name, w.tick()).then(w.accepted).then(func() outcome { return w.comesTo(listeners...) })
}

// comesTo judges that the last event comes to these listeners.
func (w *world) comesTo(listeners ...*client.Relay) outcome {
	for n, relay := range listeners {
		switch o := relay.Await(w.ctx, subLive, w.sent.last.ID).(type) {
		case nil:
		case client.Silence:
			if _, asked := relay.Query(w.ctx, client.Filter{Limit: new(int)}); asked != nil {
				return endedLater(asked)
			}
			return violated("%s does not come to listener %d of %d, whose connection is usable: %v", describe(w.sent.last), n+1, len(listeners), o)
		case client.TransportError, client.ClosedFrame:
			return endedLater(o)
		default:
			return unlessInconclusive("the subscription", o)
		}
	}
	return outcome{}
}

// newComesThoughSomeLeave opens four subscriptions, ends the connections of the middle two without a word, and judges that all of so many
// issues come to the first and the last: in whatever order a relay goes through its clients, who has left is before one of them. When it
// learns that somebody has left nobody knows, so there is more than one issue.
func (w *world) newComesThoughSomeLeave(actor string, many int) outcome {
	return w.needLighthouse().then(func() outcome {
		var all [4]*client.Relay
		for i := range all {
			var out outcome
			if all[i], out = w.listening(actor); !out.held() {
				return out
			}
		}
		if out := w.newIssueComes(actor, "before", all[:]...).asSetup(); !out.held() {
			return out
		}
		all[1].Drop()
		all[2].Drop()
		for n := range many {
			if out := w.newIssueComes(actor, fmt.Sprint("behind", n+1), all[0], all[3]); !out.held() {
				return out
			}
		}
		return outcome{}
	})
}
