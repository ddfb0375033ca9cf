package suite

import (
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// apartSteps speak of what is open on two connections, or under two ids of one, and has to stay apart.
func apartSteps() []step {
	return []step{
		{
			text: `another client opens one of the {actor}'s issues under that id`,
			role: act, sees: servedEvents,
			doc: "NEG-OPEN under the id of the open reconciliation, on another connection",
			run: func(w *world, a []string, _ [][]string) outcome {
				relay, out := w.beside()
				if !out.held() {
					return out
				}
				filter := client.Filter{Authors: []string{w.key(a[0]).Pubkey}}
				if _, o := relay.NegOpen(w.ctx, w.relay.neg.sub, filter, []byte{client.NegVersion}); o != nil {
					return inconclusive("a reconciliation on another connection", o)
				}
				return outcome{}
			},
		},
		{
			text: `a subscription for the {actor}'s issues is opened under that id`,
			role: act, sees: servedEvents,
			doc: "a REQ under the id of the open reconciliation, on its connection, got its EOSE",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.subscribe(w.relay.neg.sub, client.Filter{Authors: []string{w.key(a[0]).Pubkey}})
			},
		},
		{
			text: `the {actor} posts the issue{name} again on another connection`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "sends the issue of this name once more, on a connection of its own",
			run: func(w *world, a []string, _ [][]string) outcome { return w.postBeside("issue " + quote(a[1])) },
		},
		{
			text: `subscriptions for the {actor}'s issues are open under ids that differ (` + strings.Join(idDifferences(), "|") + `)`,
			role: setUp, sees: servedEvents,
			doc: "two REQs of one content on the actors' connection got their EOSE",
			run: func(w *world, a []string, _ [][]string) outcome {
				if most, stated := w.run.facts.limit("max_subid_length"); a[1] == longerApart && stated && most < float64(len(subIDLong)) {
					return notApplicable("the document states max_subid_length as %.0f", most)
				}
				filter := client.Filter{Authors: []string{w.key(a[0]).Pubkey}}
				for _, id := range idsApart(a[1]) {
					if out := w.subscribe(id, filter); !out.held() {
						return out
					}
				}
				w.relay.pair = a[1]
				return outcome{}
			},
		},
		{
			text: `each of them gets exactly {names}`,
			role: assertion, sees: servedEvents,
			doc: "both subscriptions get these issues and no others, the one that was opened last first",
			run: func(w *world, a []string, _ [][]string) outcome {
				ids := idsApart(w.relay.pair)
				for n := len(ids) - 1; n >= 0; n-- {
					w.relay.open = ids[n]
					if out := w.gets(names(a[0])); !out.held() {
						return out
					}
				}
				return outcome{}
			},
		},
		{
			text: `the {actor} authenticates on a connection beside it, too`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "sends an AUTH message without a fault on another connection",
			run: func(w *world, a []string, _ [][]string) outcome { return w.authenticateBeside(a[0]) },
		},
		{
			text: `the connection of the first one still answers`,
			role: assertion, sees: answers,
			doc: "a query on the actors' connection, as it is, is answered",
			run: func(w *world, _ []string, _ [][]string) outcome {
				_, o := w.relay.conn.Query(w.ctx, client.Filter{Limit: new(int)})
				if lostConnection(o) {
					return violated("the connection has ended: %v", o)
				}
				if o != nil {
					return unlessInconclusive("a query on the first connection", o)
				}
				return outcome{}
			},
		},
	}
}

// longerApart is how two ids of the greatest length differ that every relay takes.
const longerApart = "at their ends alone"

// idDifferences are the ways in which two ids of subscriptions differ.
func idDifferences() []string {
	return []string{"in case alone", longerApart, "by a blank alone", "and mean something to programs"}
}

// idsApart are two ids that differ so.
func idsApart(how string) []string {
	switch how {
	case "in case alone":
		return []string{"apart", "APART"}
	case longerApart:
		long := strings.Repeat("a", len(subIDLong)-1)
		return []string{long + "b", long + "c"}
	case "and mean something to programs":
		return []string{"__proto__", "constructor"}
	}
	return []string{"apart", "apart "}
}

// beside opens another connection.
func (w *world) beside() (*client.Relay, outcome) {
	relay, o := w.client.Relay(w.ctx)
	if o != nil {
		return nil, inconclusive("connect", o)
	}
	w.relay.extra = append(w.relay.extra, relay)
	return relay, outcome{}
}

// postBeside sends an event that was accepted once more, on a connection of its own.
func (w *world) postBeside(label string) outcome {
	if out := w.accepted().asSetup(); !out.held() {
		return out
	}
	relay, out := w.beside()
	if !out.held() {
		return out
	}
	ev := w.event(label)
	w.sent.last = ev
	w.sent.again = func() outcome { return w.postBeside(label) }
	w.answered(w.sendInto(relay, ev))
	return outcome{}
}

// authenticateBeside authenticates on another connection.
func (w *world) authenticateBeside(actor string) outcome {
	challenge, out := w.challengedBeside(actor)
	if !out.held() {
		return out
	}
	ev, raw := w.proof(actor, challenge, "")
	w.remember("event", "proof beside", ev)
	w.answered(w.relay.extra[len(w.relay.extra)-1].Authenticate(w.ctx, raw, ev.ID))
	return outcome{}
}
