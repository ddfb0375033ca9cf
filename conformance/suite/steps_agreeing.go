package suite

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// agreeingSteps are about channels that have to tell the same: what a query brings is what is counted and reconciled, and what somebody
// is shown who has authenticated is what everybody is.
func agreeingSteps() []step {
	return []step{
		{
			text: `a count of the {actor}'s events is what a query brings`,
			role: assertion, sees: servedEvents,
			doc: "a COUNT by author is the number of events that a REQ by author brings before and behind it",
			run: func(w *world, a []string, _ [][]string) outcome {
				filter := client.Filter{Authors: []string{w.key(a[0]).Pubkey}}
				return w.agrees(filter, func(served []*nostr.Event) outcome { return w.counts(len(served), filter) })
			},
		},
		{
			text: `a reconciliation of the {actor}'s events is what a query brings`,
			role: assertion, sees: servedEvents,
			doc: "the ids of a reconciliation by author are those of the events that a REQ by author brings before and behind it",
			run: func(w *world, a []string, _ [][]string) outcome {
				filter := client.Filter{Authors: []string{w.key(a[0]).Pubkey}}
				return w.agrees(filter, func(served []*nostr.Event) outcome {
					return w.reconcile(filter, nil).then(func() outcome {
						return sameIDs("the reconciliation", w.relay.neg.result.Need, fullIDs(served))
					})
				})
			},
		},
		{
			text: `the {label} is not shown to its author, who has authenticated`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, no query by id, by author or by kind on the connection of the authentication brings the event",
			run: func(w *world, a []string, _ [][]string) outcome { return w.notShownToAuthor(w.event(a[0])) },
		},
	}
}

// agreeingRounds is how often a query is asked again that has brought something else behind the other channel than before it.
const agreeingRounds = 3

// agrees judges another channel by what a query brings. What comes or goes meanwhile accuses nobody: then both are asked again.
func (w *world) agrees(filter client.Filter, other func(served []*nostr.Event) outcome) outcome {
	for range agreeingRounds {
		before, out := w.query(filter)
		if !out.held() {
			return out.asTwin()
		}
		judged := other(once(before))
		behind, out := w.query(filter)
		if !out.held() {
			return out.asTwin()
		}
		if slices.Equal(fullIDs(once(before)), fullIDs(once(behind))) {
			return judged
		}
	}
	return notApplicable("what a query brings changes with every query")
}

// notShownToAuthor judges queries on the actors' connection, behind a barrier.
func (w *world) notShownToAuthor(ev *nostr.Event) outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	fresh.Close()
	author := []string{ev.PubKey}
	for _, filter := range []client.Filter{{IDs: []string{ev.ID}}, {Authors: author}, {Authors: author, Kinds: []int{ev.Kind}}} {
		events, out := w.query(filter)
		if !out.held() {
			return out
		}
		if holds(events, ev) {
			return violated("%s is shown to its author, who has authenticated, by %v", describe(ev), filter)
		}
	}
	return outcome{}
}
