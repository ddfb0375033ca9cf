package suite

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

func orderSteps() []step {
	return []step{
		{
			text: `a client asks for (the issues of two authors|what .+|two .+|the topic .+) with limit {number}`,
			role: act, sees: servedEvents,
			doc: "a REQ by several values of one field, or by several filters, each with the limit",
			run: func(w *world, a []string, _ [][]string) outcome {
				limit := int(number(a[1]))
				return w.ask(w.several(a[0], &limit)...)
			},
		},
		{
			text: `a client asks for all of (.+)`,
			role: act, sees: servedEvents,
			doc: "a REQ by several values of one field, or by several filters, without a limit",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.ask(w.several(a[0], nil)...)
			},
		},
		{
			text: `the {actor}'s issues come newest first by pages of {number}`,
			role: assertion, sees: servedEvents,
			doc: "REQs with this limit, each until the second before the oldest issue of the one before, bring all issues of the check: each the newest of those that are left, in their order, or fewer of them, but never none",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.comeByPages(a[0], int(number(a[1])))
			},
		},
		{
			text: `the {actor} posted the issue{name} with its topic and its label twice`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an issue that has two equal tags, and two tags of one name, was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postTwofold(a[0], a[1])
			},
		},
		{
			text: `{number} subscriptions for the {actor}'s issues are open on one connection`,
			role: setUp, sees: servedEvents,
			doc: "so many REQs with ids of their own got their EOSE on the actors' connection",
			run: func(w *world, a []string, _ [][]string) outcome {
				for i := range number(a[0]) {
					if out := w.subscribe(severalID(i), client.Filter{Authors: []string{w.key(a[1]).Pubkey}}); !out.held() {
						return out
					}
				}
				return outcome{}
			},
		},
		{
			text: `each of the {number} subscriptions gets exactly {names}`,
			role: assertion, sees: servedEvents,
			doc: "every one of them gets these issues and no others",
			run: func(w *world, a []string, _ [][]string) outcome {
				for i := range number(a[0]) {
					w.relay.open = severalID(i)
					if out := w.gets(names(a[1])); !out.held() {
						return out
					}
				}
				return outcome{}
			},
		},
		{
			text: `the subscription {number} of them is closed`,
			role: act, sees: servedEvents,
			doc: "CLOSE for the one of this number, counted from 0",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.relay.open = severalID(number(a[0]))
				return w.unsubscribe()
			},
		},
		{
			text: `{number} reconciliations of the {actor}'s issues are opened`,
			role: act, sees: servedEvents,
			doc: "opens so many on one connection; each is answered, at some number by an error",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.openManySets(int(number(a[0])), a[1])
			},
		},
		{
			text: `the (first|last) of them goes on`,
			role: assertion, sees: servedEvents,
			doc: "the next message of the first reconciliation, or of the last one that was opened, is answered",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.relay.neg.sub = severalID(0)
				if a[0] == "last" {
					w.relay.neg.sub = severalID(w.relay.neg.last)
				}
				w.nextNeg()
				return w.negFault()
			},
		},
	}
}

// manyIssues are the issues of the feature about order that are asked for by many values: neither as they came nor by their dates.
var manyIssues = []string{"three", "eight", "one", "six", "two", "seven", "five", "four"}

func severalID(i int64) string { return fmt.Sprintf("several-%d", i) }

// several are filters by more than one value, or more than one filter. The events are those of the feature about order.
func (w *world) several(what string, limit *int) []client.Filter {
	one, other := w.key("contributor").Pubkey, w.key("stranger").Pubkey
	both := []string{one, other}
	switch what {
	case "the issues of two authors":
		return []client.Filter{{Authors: both, Kinds: []int{client.KindIssue}, Limit: limit}}
	case "what two authors sent":
		return []client.Filter{{Authors: both, Limit: limit}}
	case "two kinds":
		return []client.Filter{{Kinds: []int{client.KindIssue, client.KindComment}, Authors: both, Limit: limit}}
	case "two topics":
		return []client.Filter{{Tags: map[string][]string{"t": {w.topic("one"), w.topic("three"), w.topic("two"), w.topic("four")}}, Limit: limit}}
	case "two ids":
		return []client.Filter{{IDs: []string{w.event(`issue "one"`).ID, w.event(`issue "four"`).ID, w.event(`issue "two"`).ID}, Limit: limit}}
	case "what many ids bring":
		var ids []string
		for _, name := range manyIssues {
			ids = append(ids, w.event(`issue "`+name+`"`).ID)
		}
		return []client.Filter{{IDs: ids, Limit: limit}}
	case "what many topics bring":
		var topics []string
		for _, name := range manyIssues {
			topics = append(topics, w.topic(name))
		}
		return []client.Filter{{Tags: map[string][]string{"t": topics}, Limit: limit}}
	case "what two filters bring":
		return []client.Filter{{Authors: []string{one}, Limit: limit}, {Authors: []string{other}, Limit: limit}}
	case "what filters bring that overlap":
		return []client.Filter{{Authors: both, Limit: limit}, {Authors: []string{other}, Limit: limit}, {Kinds: []int{client.KindIssue}, Authors: both, Limit: limit}}
	case "the topic that stands twice":
		return []client.Filter{{Tags: map[string][]string{"t": {w.topic("twice")}}, Limit: limit}}
	case "two labels of one issue":
		return []client.Filter{{Tags: map[string][]string{"l": {w.topic("warm"), w.topic("cold")}}, Limit: limit}}
	}
	panic("suite: invariant: unknown query " + what)
}

// postTwofold publishes an issue with two equal tags, and two tags of one name.
func (w *world) postTwofold(actor, name string) outcome {
	return w.needLighthouse().then(func() outcome {
		tags := [][]string{
			{"a", w.run.lighthouse.address},
			{"t", w.topic("twice")},
			{"t", w.topic("twice")},
			{"l", w.topic("warm")},
			{"l", w.topic("cold")},
		}
		ev := client.Build(w.key(actor), client.KindIssue, append(tags, w.markers()...), w.run.purpose(), w.tick())
		w.remember("issue", name, ev)
		w.sent.posted = []*nostr.Event{ev}
		return w.publish(ev).then(w.accepted)
	})
}

// openManySets opens reconciliations, each with a message that asks for nothing but an answer.
func (w *world) openManySets(n int, actor string) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	filter := client.Filter{Authors: []string{w.key(actor).Pubkey}}
	w.relay.neg = reconciling{sub: severalID(0)}
	for i := range int64(n) {
		_, o := relay.NegOpen(w.ctx, severalID(i), filter, []byte("\x61"))
		if _, refused := o.(client.NegErrFrame); refused {
			w.note("%d reconciliations are open, no more are taken", i)
			break
		}
		if o != nil {
			return unlessInconclusive(fmt.Sprintf("reconciliation %d", i+1), o)
		}
		w.relay.neg.last = i
	}
	return outcome{}
}

// inOrderOfFilters judges whether what each filter of the last query selects of these events, which are all there are, newest first,
// came in that order. What other filters bring may stand anywhere between.
func (w *world) inOrderOfFilters(all []*nostr.Event) outcome {
	for n, asked := range w.relay.filters {
		var f nostr.Filter
		if err := json.Unmarshal([]byte(asked.JSON()), &f); err != nil {
			return harnessError("read a filter: %v", err)
		}
		var selected, came []*nostr.Event
		for _, ev := range all {
			if f.Matches(ev) && (f.Limit == 0 || len(selected) < f.Limit) {
				selected = append(selected, ev)
			}
		}
		for _, ev := range w.relay.asked {
			if holds(selected, ev) {
				came = append(came, ev)
			}
		}
		if !slices.Equal(ids(came), ids(selected)) {
			return violated("the events of filter %d came as %v, want %v", n+1, ids(came), ids(selected))
		}
	}
	return outcome{}
}
