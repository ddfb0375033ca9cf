package suite

import (
	"fmt"
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
			doc: "a COUNT by author, and by author and each kind and letter of a tag that there is, is the number of events that a REQ by author brings before and behind it",
			run: func(w *world, a []string, _ [][]string) outcome {
				author := client.Filter{Authors: []string{w.key(a[0]).Pubkey}}
				return w.agrees(author, func(served []*nostr.Event) outcome {
					for _, filter := range partsOf(author, served) {
						if out := w.counts(len(selected(filter, served)), filter); !out.held() {
							out.reason = "by " + partName(filter) + ": " + out.reason
							return out
						}
					}
					return outcome{}
				})
			},
		},
		{
			text: `a reconciliation of the {actor}'s events is what a query brings`,
			role: assertion, sees: servedEvents,
			doc: "the ids of a reconciliation by author, and by author and each kind and letter of a tag that there is, are those of the events that a REQ by author brings before and behind it",
			run: func(w *world, a []string, _ [][]string) outcome {
				author := client.Filter{Authors: []string{w.key(a[0]).Pubkey}}
				return w.agrees(author, func(served []*nostr.Event) outcome {
					for _, filter := range partsOf(author, served) {
						out := w.reconcile(filter, nil).then(func() outcome {
							return sameIDs("the reconciliation by "+partName(filter), w.relay.neg.result.Need, fullIDs(selected(filter, served)))
						})
						if !out.held() {
							return out
						}
					}
					return outcome{}
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

// partsOf are a filter, and the same with each kind, and with the value of the first tag of each letter, that some events have.
func partsOf(whole client.Filter, events []*nostr.Event) []client.Filter {
	parts := []client.Filter{whole}
	var kinds []int
	letters := map[string]bool{}
	for _, ev := range events {
		if !slices.Contains(kinds, ev.Kind) {
			kinds = append(kinds, ev.Kind)
			part := whole
			part.Kinds = []int{ev.Kind}
			parts = append(parts, part)
		}
		for _, t := range ev.Tags {
			if len(t) < 2 || len(t[0]) != 1 || t[0] == "-" || t[1] == "" || letters[t[0]] {
				continue
			}
			letters[t[0]] = true
			part := whole
			part.Tags = map[string][]string{t[0]: {t[1]}}
			parts = append(parts, part)
		}
	}
	return parts
}

// partName tells a filter of partsOf.
func partName(f client.Filter) string {
	for letter := range f.Tags {
		return "author and #" + letter
	}
	if len(f.Kinds) > 0 {
		return fmt.Sprint("author and kind ", f.Kinds[0])
	}
	return "author"
}

// selected are the events that a filter selects.
func selected(f client.Filter, events []*nostr.Event) []*nostr.Event {
	return slices.DeleteFunc(slices.Clone(events), func(ev *nostr.Event) bool { return !matches([]client.Filter{f}, ev) })
}
