package suite

import (
	"fmt"

	"github.com/graspkit/graspkit/conformance/client"
)

// Bounds of how many subscriptions a connection opens, one after the other: more than a relay lets one have at a time, as far as that
// is stated.
const (
	openingsLeast = 150
	openingsMost  = 600
)

// oftenSteps are about what is done again and again.
func oftenSteps() []step {
	return []step{
		{
			text: `a connection whose subscriptions are (replaced|closed) one by one opens as many as it likes`,
			role: assertion, sees: servedEvents,
			doc: "150 REQs on a connection, or as many more as the stated limit of those at a time, at most 600, get their EOSE, each under the same id or behind the CLOSE of the one before",
			run: func(w *world, a []string, _ [][]string) outcome { return w.opensOften(a[0] == "closed") },
		},
		{
			text: `where a connection has as many subscriptions as it may, one of them is replaced all the same`,
			role: assertion, sees: servedEvents,
			doc: "REQs with ids of their own are sent on a connection, at most 600, until one is refused or there are as many as the document says; one with the id of the first is then answered by EOSE; where none is refused the check is not applicable",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.replacesWhenFull() },
		},
	}
}

func (w *world) opensOften(closed bool) outcome {
	relay, out := w.beside()
	if !out.held() {
		return out
	}
	times := openingsLeast
	if most, stated := w.run.facts.limit("max_subscriptions"); stated {
		times = min(max(times, int(most)+1), openingsMost)
	}
	needs := times
	if closed {
		needs *= 2
	}
	if span := w.client.Span(); span > 0 && needs > span {
		return outcome{verdict: Unsupported, reason: fmt.Sprintf("connections end behind %d messages here, whatever they are, and %d would have to come on one", span, needs)}
	}
	sub, mine := "often", client.Filter{Authors: []string{w.key("owner").Pubkey}}
	for n := range times {
		if closed {
			sub = fmt.Sprint("often-", n)
		}
		_, o := relay.Subscribe(w.ctx, sub, mine)
		if _, ended := o.(client.ClosedFrame); ended && !closed {
			// It may be of the subscription before, which a relay may end whenever it likes: both have one id. Who refuses this one does
			// so again.
			_, o = relay.Subscribe(w.ctx, sub, mine)
		}
		if o != nil {
			if turnedAway(relay, o) && w.turnsAway(relay, o) {
				return violated("the subscription %d of a connection, of which one is open at a time, is refused: %v", n+1, o)
			}
			return inconclusive("subscribe", o)
		}
		if closed {
			if o := relay.Unsubscribe(w.ctx, sub); o != nil {
				return inconclusive("close", o)
			}
		}
	}
	return outcome{}
}

// replacesWhenFull judges that an id which is in use can be used again where no further one is taken.
func (w *world) replacesWhenFull() outcome {
	relay, out := w.beside()
	if !out.held() {
		return out
	}
	if span := w.client.Span(); span > 0 {
		return outcome{verdict: Unsupported, reason: fmt.Sprintf("connections end behind %d messages here, whatever they are", span)}
	}
	for n := range openingsMost {
		_, o := relay.Subscribe(w.ctx, fmt.Sprint("full-", n), client.Filter{Authors: []string{w.key("owner").Pubkey}})
		if o == nil {
			continue
		}
		_, refused := o.(client.ClosedFrame)
		if _, full := o.(client.NoRoom); n == 0 || !full && (!refused || client.Inconclusive(o)) {
			return inconclusive("subscribe", o)
		}
		_, o = relay.Subscribe(w.ctx, "full-0", client.Filter{Authors: []string{w.key("contributor").Pubkey}})
		if o == nil {
			return outcome{}
		}
		if turnedAway(relay, o) && w.turnsAway(relay, o) {
			return violated("of %d subscriptions, as many as a connection may have, the first one cannot be replaced: %v", n, o)
		}
		return inconclusive("subscribe", o)
	}
	return notApplicable("a connection may have %d subscriptions and more", openingsMost)
}
