package suite

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// subNeg is the reconciliation that steps speak of, unless it has the id of the subscription.
const subNeg = "reconciliation"

// A reconciling is what a check knows of its reconciliations.
type reconciling struct {
	sub    string
	last   int64 // of several that were opened, the number of the last one
	filter client.Filter
	own    []*nostr.Event // what the client has
	result client.Reconciled
	answer []byte             // the relay's last message
	fault  client.Observation // instead of it
}

func reconciliationSteps() []step {
	return []step{
		{
			text: `a client that has {any} reconciles the {actor}'s issues`,
			role: act, sees: servedEvents,
			doc: "a reconciliation (NIP-77) from start to end",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.reconcile(client.Filter{Authors: []string{w.key(a[1]).Pubkey}}, w.ownOf(a[1], a[0]))
			},
		},
		{
			text: `a client that has nothing reconciles by {any}`,
			role: act, sees: servedEvents,
			doc: "a reconciliation of a client that has nothing",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.reconcile(w.filters(a[0])[0], nil)
			},
		},
		{
			text: `it learns exactly what either side lacks`,
			role: assertion, sees: servedEvents,
			doc: "ids that the client needs, and has alone, are the right ones, and agree with a REQ",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.learnt() },
		},
		{
			text: `the reconciliation holds exactly {names}`,
			role: assertion, sees: servedEvents,
			doc: "ids that the client needs are those of the issues",
			run: func(w *world, a []string, _ [][]string) outcome {
				return sameIDs("the reconciliation", w.relay.neg.result.Need, fullIDs(w.issuesCalled(names(a[0]))))
			},
		},
		{
			text: `the relay sent several messages of at most {number} bytes`,
			role: assertion, sees: servedEvents,
			doc: "messages of the relay, by number and length",
			run: func(w *world, a []string, _ [][]string) outcome {
				r := w.relay.neg.result
				if r.Rounds < 2 || r.Longest > int(number(a[0])) {
					return violated("the relay sent %d messages, the longest of %d bytes", r.Rounds, r.Longest)
				}
				w.note("%d messages, the longest of %d bytes", r.Rounds, r.Longest)
				return outcome{}
			},
		},
		{
			text: `a client opens a reconciliation in protocol version 2`,
			role: act, sees: servedEvents,
			doc: "NEG-OPEN with a version that does not exist",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.openNeg(subNeg, "stranger", []byte{client.NegVersion + 1})
			},
		},
		{
			text: `the answer is the byte of protocol version 1 alone`,
			role: assertion, sees: servedEvents,
			doc: "the answer is 61",
			run: func(w *world, _ []string, _ [][]string) outcome {
				if w.relay.neg.fault == nil && !bytes.Equal(w.relay.neg.answer, []byte{client.NegVersion}) {
					return violated("the answer is %.40x", w.relay.neg.answer)
				}
				return w.negFault()
			},
		},
		{
			text: `a client opens a reconciliation with (` + oddNames() + `)`,
			role: act, sees: servedEvents,
			doc: "NEG-OPEN with the one fault named",
			run: func(w *world, a []string, _ [][]string) outcome { return w.openOdd(subNeg, "stranger", a[0]) },
		},
		{
			text: `a client goes on in a reconciliation with (` + oddNames() + `)`,
			role: act, sees: servedEvents,
			doc: "NEG-OPEN without a fault, and NEG-MSG with the one named",
			run: func(w *world, a []string, _ [][]string) outcome { return w.goOnOdd(a[0]) },
		},
		{
			text: `the answer is an error with a machine-readable prefix`,
			role: assertion, sees: servedEvents, refuses: true,
			doc: "the answer is NEG-ERR with a machine-readable prefix",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.negError()
			},
		},
		{
			text: `a reconciliation of the {actor}'s issues is open`,
			role: setUp, sees: servedEvents,
			doc: "NEG-OPEN was answered",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.openNeg(subNeg, a[0], []byte{client.NegVersion}).then(w.negFault)
			},
		},
		{
			text: `a reconciliation of the {actor}'s issues is open under the id of the subscription`,
			role: setUp, sees: servedEvents,
			doc: "NEG-OPEN under the id of a subscription was answered",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.openNeg(w.relay.open, a[0], []byte{client.NegVersion}).then(w.negFault)
			},
		},
		{
			text: `it is replaced by one of the {actor}'s issues`,
			role: act, sees: servedEvents,
			doc: "NEG-OPEN under the id of an open reconciliation",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.openNeg(w.relay.neg.sub, a[0], []byte{client.NegVersion}).then(w.negFault)
			},
		},
		{
			text: `a well-formed reconciliation is answered`,
			role: twin, sees: servedEvents,
			doc: "NEG-OPEN without a fault is answered",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.openNeg(subNeg, "stranger", []byte{client.NegVersion}).then(w.negFault)
			},
		},
		{
			text: `one of the {actor}'s issues is opened under the id of the subscription with (` + oddNames() + `)`,
			role: act, sees: servedEvents,
			doc: "NEG-OPEN under the id of a subscription, with a first message that breaks the protocol",
			run: func(w *world, a []string, _ [][]string) outcome { return w.openOdd(w.relay.open, a[0], a[1]) },
		},
		{
			text: `the reconciliation is closed`,
			role: act, sees: servedEvents,
			doc: "NEG-CLOSE",
			run: func(w *world, _ []string, _ [][]string) outcome {
				if o := w.relay.conn.NegClose(w.ctx, w.relay.neg.sub); o != nil {
					return inconclusive("close the reconciliation", o)
				}
				return outcome{}
			},
		},
		{
			text: `its next message is answered with an error`,
			role: assertion, sees: servedEvents, refuses: true,
			doc: "NEG-MSG is answered with NEG-ERR",
			run: func(w *world, _ []string, _ [][]string) outcome {
				w.nextNeg()
				return w.negError()
			},
		},
		{
			text: `its next message is answered with exactly {names}`,
			role: assertion, sees: servedEvents,
			doc: "NEG-MSG is answered with the list of these issues",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.nextNeg()
				return w.negFault().then(func() outcome { return w.answerLists(w.issuesCalled(names(a[0]))) })
			},
		},
		{
			text: `the {label} is part of a reconciliation`,
			role: assertion, sees: servedEvents,
			doc: "reconciliations by id and by author hold the event",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.partOf(w.event(a[0]), true)
			},
		},
		{
			text: `the {label} is no part of a reconciliation`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "reconciliations by id and by author do not hold the event; where it is still served that is judged elsewhere",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.partOf(w.event(a[0]), false)
			},
		},
	}
}

// unknownMax is how many issues a client may have that nobody knows.
const unknownMax = 3

// ownOf chooses what a client has of the issues that the actor posted.
func (w *world) ownOf(actor, choice string) []*nostr.Event {
	var own []*nostr.Event
	for i, ev := range w.sent.posted {
		switch {
		case strings.HasPrefix(choice, "all of"), strings.HasPrefix(choice, "every other") && i%2 == 0,
			strings.HasPrefix(choice, "one of") && i == len(w.sent.posted)/2:
			own = append(own, ev)
		}
	}
	if strings.Contains(choice, "3 ") {
		for i := range unknownMax {
			own = append(own, w.issue(actor, fmt.Sprintf("unknown%c", 'a'+i), w.start+int64(i)))
		}
	}
	return own
}

// reconcile runs a whole reconciliation.
func (w *world) reconcile(filter client.Filter, own []*nostr.Event) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	result, o := relay.Reconcile(w.ctx, subNeg, filter, own)
	w.relay.neg = reconciling{sub: subNeg, filter: filter, own: own, result: result}
	if o != nil {
		return unlessInconclusive("reconcile", o)
	}
	return outcome{}
}

// learnt judges a reconciliation of what the check posted: the client needs what it has not, and has what was never
// posted.
func (w *world) learnt() outcome {
	var have, need []*nostr.Event
	for _, ev := range w.relay.neg.own {
		if !holds(w.sent.posted, ev) {
			have = append(have, ev)
		}
	}
	for _, ev := range w.sent.posted {
		if !holds(w.relay.neg.own, ev) {
			need = append(need, ev)
		}
	}
	return sameIDs("what the client needs", w.relay.neg.result.Need, fullIDs(need)).then(func() outcome {
		return sameIDs("what only the client has", w.relay.neg.result.Have, fullIDs(have))
	}).then(func() outcome {
		if len(w.sent.posted) > queriedMax {
			return outcome{}
		}
		served, out := w.queryWhole(w.relay.neg.filter, w.sent.posted)
		if !out.held() {
			return out.asTwin()
		}
		return sameIDs("what a REQ brings", fullIDs(served), fullIDs(w.sent.posted)).asTwin()
	})
}

// queryWhole asks for events by a filter that selects all of them. A relay may give less where no number is asked for, and one that says
// how many it gives at most is asked for so many by their ids, too.
func (w *world) queryWhole(filter client.Filter, all []*nostr.Event) ([]*nostr.Event, outcome) {
	most, stated := w.run.facts.limit("max_limit")
	if !stated || most < 1 || int(most) >= len(all) || filter.IDs != nil || filter.Limit != nil {
		if more := len(all) + 1; filter.Limit == nil {
			filter.Limit = &more
		}
		return w.query(filter)
	}
	var served []*nostr.Event
	for some := range slices.Chunk(all, int(most)) {
		filter.IDs = fullIDs(some)
		events, out := w.query(filter)
		if !out.held() {
			return nil, out
		}
		served = append(served, events...)
	}
	return served, outcome{}
}

// queriedMax bounds the events that one query is expected to bring whole.
const queriedMax = 100

func fullIDs(events []*nostr.Event) []string {
	var out []string
	for _, ev := range events {
		out = append(out, ev.ID)
	}
	slices.Sort(out)
	return out
}

// sameIDs judges two sorted lists.
func sameIDs(what string, got, want []string) outcome {
	if slices.Equal(got, want) {
		return outcome{}
	}
	for _, id := range want {
		if !slices.Contains(got, id) {
			return violated("%s lacks %.12s: %d ids, want %d", what, id, len(got), len(want))
		}
	}
	for _, id := range got {
		if !slices.Contains(want, id) {
			return violated("%s holds %.12s, which it should not: %d ids, want %d", what, id, len(got), len(want))
		}
	}
	return violated("%s names an id twice: %d ids, want %d", what, len(got), len(want))
}

// openNeg opens a reconciliation of an actor's events and keeps the relay's answer.
func (w *world) openNeg(sub, actor string, first []byte) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	w.relay.neg = reconciling{sub: sub}
	w.relay.neg.answer, w.relay.neg.fault = relay.NegOpen(w.ctx, sub, client.Filter{Authors: []string{w.key(actor).Pubkey}}, first)
	return outcome{}
}

// nextNeg asks in an open reconciliation for the ids of everything.
func (w *world) nextNeg() {
	const allOfIt = "\x61\x00\x00\x02\x00"
	w.relay.neg.answer, w.relay.neg.fault = w.relay.conn.NegMsg(w.ctx, w.relay.neg.sub, []byte(allOfIt))
}

// negFault is the outcome of what came instead of an answer.
func (w *world) negFault() outcome {
	if w.relay.neg.fault == nil {
		return outcome{}
	}
	return unlessInconclusive("negentropy", w.relay.neg.fault)
}

func (w *world) negError() outcome {
	refusal, is := w.relay.neg.fault.(client.NegErrFrame)
	switch {
	case w.relay.neg.fault == nil:
		return violated("the answer is %.40x, not an error", w.relay.neg.answer)
	case !is:
		return w.unheardNeg()
	case refusal.Prefix == "":
		return violated("the error has no machine-readable prefix: %v", refusal)
	}
	return outcome{}
}

// answerLists judges an answer that lists all of a small set.
func (w *world) answerLists(want []*nostr.Event) outcome {
	slices.SortFunc(want, func(a, b *nostr.Event) int { return int(a.CreatedAt - b.CreatedAt) })
	text := fmt.Sprintf("61000002%02x", len(want))
	for _, ev := range want {
		text += ev.ID
	}
	if got := hex.EncodeToString(w.relay.neg.answer); got != text {
		return violated("the answer is %.100s, want %.100s", got, text)
	}
	return outcome{}
}

// partOf judges whether an event is in the set that the relay reconciles, by its id and by its author.
func (w *world) partOf(ev *nostr.Event, want bool) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	return w.inSet(relay, ev, want)
}

func (w *world) inSet(relay *client.Relay, ev *nostr.Event, want bool) outcome {
	for _, filter := range []client.Filter{{IDs: []string{ev.ID}}, {Kinds: []int{ev.Kind}, Authors: []string{ev.PubKey}}} {
		result, o := relay.Reconcile(w.ctx, subNeg, filter, nil)
		if o != nil {
			return unable("reconcile", o)
		}
		switch is := slices.Contains(result.Need, ev.ID); {
		case is && !want:
			if events, o := relay.Query(w.ctx, client.Filter{IDs: []string{ev.ID}}); o == nil && holds(events, ev) {
				return notApplicable("%s is still served, and so it is part of reconciliations", describe(ev))
			}
			return violated("%s is not served, but part of a reconciliation by %s", describe(ev), filter.JSON())
		case !is && want:
			return violated("%s is served, but no part of a reconciliation by %s", describe(ev), filter.JSON())
		}
	}
	return outcome{}
}
