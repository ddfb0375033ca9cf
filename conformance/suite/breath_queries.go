package suite

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// queriesTogether asks on one connection, without waiting in between, for many issues that were posted, for the newer half of them and for two
// of them, and judges that each answer is whole and has an end. A relay may refuse to answer several at a time.
func (w *world) queriesTogether(actor string) outcome {
	posted, author := w.sent.posted, []string{w.key(actor).Pubkey}
	if len(posted) > w.whole() {
		return notApplicable("an answer may be a part of %d events", len(posted))
	}
	dates := make([]int64, len(posted))
	for i, ev := range posted {
		dates[i] = int64(ev.CreatedAt)
	}
	slices.Sort(dates)
	since, all := dates[len(dates)/2], len(posted) // without a limit some relays bring few
	questions := []client.Question{
		{Sub: "all", Filters: []client.Filter{{Authors: author, Kinds: []int{client.KindIssue}, Limit: &all}}},
		{Sub: "newer", Filters: []client.Filter{{Authors: author, Since: &since, Limit: &all}}},
		{Sub: "two", Filters: []client.Filter{{IDs: []string{posted[0].ID, posted[1].ID}}}},
	}
	relay, out := w.beside()
	if !out.held() {
		return out
	}
	stored, came := relay.SubscribeTogether(w.ctx, questions...)
	for i, q := range questions {
		if out := w.wholeAmong(q, stored[i], came[i]); !out.held() {
			return out
		}
	}
	return outcome{}
}

// wholeAmong judges the answer to a question that was asked together with others.
func (w *world) wholeAmong(q client.Question, stored []*nostr.Event, came client.Observation) outcome {
	if out := w.endsAmong(q, came); !out.held() {
		return out
	}
	for _, ev := range w.sent.posted {
		if matches(q.Filters, ev) && !holds(stored, ev) {
			return violated("of several queries in one breath the one for %s brings %d events, and not %s", q.Sub, len(stored), describe(ev))
		}
	}
	return outcome{}
}

// endsAmong judges that a question that was asked together with others was answered to its end. One that was not shows nothing by itself; that
// the same one alone is, and soon, does.
func (w *world) endsAmong(q client.Question, came client.Observation) outcome {
	switch o := came.(type) {
	case nil:
		return outcome{}
	case client.ClosedFrame, client.RateLimited:
		return notApplicable("the relay does not answer several queries at a time: %v", o)
	case client.Silence:
		var alone client.Observation
		took, ok := w.apart(func(relay *client.Relay) { _, alone = relay.Query(w.ctx, q.Filters...) })
		if !ok || alone != nil || took*overTimes > o.After {
			return inconclusive("queries in one breath", came)
		}
		return violated("of several queries in one breath the one for %s has no end, and alone it has: %v", q.Sub, o)
	}
	return unlessInconclusive("queries in one breath", came)
}

// replacedTogether opens a subscription for many issues that were posted and, without waiting, one for somebody else's in its place; under
// another id it closes the first one in between. What is posted then comes by the second one, and not by the first.
func (w *world) replacedTogether(actor, other string) outcome {
	filters := func(name string) []client.Filter {
		return []client.Filter{{Authors: []string{w.key(name).Pubkey}, Kinds: []int{client.KindIssue}}}
	}
	relay, out := w.beside()
	if !out.held() {
		return out
	}
	subs := []string{"replaced", "reopened"}
	_, came := relay.SubscribeTogether(
		w.ctx, client.Question{Sub: subs[0], Filters: filters(actor)}, client.Question{Sub: subs[0], Filters: filters(other)},
		client.Question{Sub: subs[1], Filters: filters(actor)}, client.Question{Sub: subs[1]}, client.Question{Sub: subs[1], Filters: filters(other)},
	)
	for _, o := range came {
		if out := w.endsAmong(client.Question{Sub: "somebody else's issues", Filters: filters(other)}, o); !out.held() {
			return out
		}
	}
	// What ended may have been those that were replaced; what is asked behind the last ones is answered behind them.
	if _, o := relay.Query(w.ctx, client.Filter{Limit: new(int)}); o != nil {
		return endedLater(o)
	}
	unwanted := w.issue(actor, "unwanted", w.tick())
	if out := w.publish(unwanted).then(w.accepted).asSetup(); !out.held() {
		return out
	}
	wanted := w.issue(other, "wanted", w.tick())
	if out := w.publish(wanted).then(w.accepted).asSetup(); !out.held() {
		return out
	}
	for _, sub := range subs {
		switch o := relay.Await(w.ctx, sub, wanted.ID).(type) {
		case nil:
		case client.Silence:
			if _, asked := relay.Query(w.ctx, client.Filter{Limit: new(int)}); asked != nil {
				return endedLater(asked)
			}
			return violated("a subscription that was %s in one breath does not get what its last filter is for: %v", sub, o)
		case client.TransportError, client.ClosedFrame:
			return endedLater(o)
		default:
			return unlessInconclusive("the subscription", o)
		}
		if holds(relay.Heard(sub), unwanted) {
			return violated("a subscription that was %s in one breath gets %s by the filter that it had first", sub, describe(unwanted))
		}
	}
	return outcome{}
}
