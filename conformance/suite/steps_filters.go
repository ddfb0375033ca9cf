package suite

import (
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/conformance/client"
)

// filterSteps ask one thing in each way that a filter can be asked by: a query, a subscription, a count, a reconciliation.
func filterSteps() []step {
	return []step{
		{
			text: `these events were signed:`,
			role: setUp,
			doc:  "events of the table (name, author, kind, topic, shade, date, and perhaps further tags in JSON; two topics are separated by +) exist and were sent to nobody",
			run:  func(w *world, _ []string, table [][]string) outcome { return w.signColors(table) },
		},
		{
			text: `these events were accepted:`,
			role: setUp, sees: answers, cost: cost{events: 8},
			doc: "events of the table (name, author, kind, topic, shade, date, and perhaps further tags in JSON; two topics are separated by +) were accepted",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.signColors(table).then(w.sendSigned)
			},
		},
		{
			text: `queries by these filters hold what matches and nothing else:`,
			role: assertion, sees: servedEvents,
			doc: "for each row of the table (filter, events) a REQ brings exactly these events",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.eachFilter(table, w.queryFits)
			},
		},
		{
			text: `counts by these filters are of what matches and nothing else:`,
			role: assertion, sees: servedEvents,
			doc: "for each row of the table (filter, events) a COUNT tells how many events there are",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.eachFilter(table, w.countFits)
			},
		},
		{
			text: `reconciliations by these filters hold what matches and nothing else:`,
			role: assertion, sees: servedEvents,
			doc: "for each row of the table (filter, events) a reconciliation (NIP-77) holds exactly these events",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.eachFilter(table, w.reconciliationFits)
			},
		},
		{
			text: `subscriptions by these filters are open:`,
			role: setUp, sees: servedEvents,
			doc: "for each row of the table (filter, events; or first filter, filter, events, where the second takes the place of the first) a subscription is open",
			run: func(w *world, _ []string, table [][]string) outcome { return w.subscribeEach(table) },
		},
		{
			text: `the signed events arrive`,
			role: act, sees: answers, cost: cost{events: 8}, answered: true,
			doc: "publishes what was signed, one after the other; each has to be accepted",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.sendSigned().asSetup() },
		},
		{
			text: `each subscription gets exactly the events of its row`,
			role: assertion, sees: servedEvents, cost: cost{events: 1},
			doc: "the subscriptions get the events of the table, and no others until a later event has come",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.eachGets() },
		},
	}
}

// eachFilter judges every row of a table of filters and events.
func (w *world) eachFilter(table [][]string, judge func(name string, filters []client.Filter, want []string) outcome) outcome {
	rows, out := w.askable(table[1:])
	if !out.held() {
		return out
	}
	for _, row := range rows {
		if out := judge(row[0], w.filtersOf(row[0]), w.named(row[1])); !out.held() {
			return out
		}
	}
	return outcome{}
}

// askable are the rows of a table of filters and events whose filters the relay takes by its own words. The others are noted; where
// there are none, nothing is judged.
func (w *world) askable(rows [][]string) ([][]string, outcome) {
	taken := slices.DeleteFunc(slices.Clone(rows), func(row []string) bool {
		return slices.ContainsFunc(row[:len(row)-1], func(text string) bool { return !w.allowed(w.filtersOf(text)) })
	})
	switch left := len(rows) - len(taken); {
	case len(taken) == 0:
		return nil, outcome{verdict: Unsupported, reason: "every query here has more filters than the document allows"}
	case left > 0:
		w.note("%d of %d queries have more filters than the document allows, and were not asked", left, len(rows))
	}
	return taken, outcome{}
}

// allowed reports whether a relay takes so many filters in a query by its own words: what it does not is not asked of it.
func (w *world) allowed(filters []client.Filter) bool {
	most, stated := w.run.facts.limit("max_filters")
	return !stated || len(filters) <= int(most)
}

func (w *world) queryFits(name string, filters []client.Filter, want []string) outcome {
	got, out := w.query(filters...)
	if !out.held() {
		return out
	}
	return w.fits("a query by "+name, filters, got, want)
}

// countFits judges a count, which can only be of events of the check: its filters name authors, ids or topics.
func (w *world) countFits(name string, filters []client.Filter, want []string) outcome {
	return w.fits(name, filters, w.issuesCalled(want), want).then(func() outcome {
		out := w.counts(len(want), filters...)
		if out.verdict == Fail {
			out.reason = "by " + name + ": " + out.reason
		}
		return out
	})
}

// reconciliationFits judges a reconciliation, which has one filter.
func (w *world) reconciliationFits(name string, filters []client.Filter, want []string) outcome {
	return w.fits(name, filters, w.issuesCalled(want), want).then(func() outcome {
		return w.reconcile(filters[0], nil)
	}).then(func() outcome {
		return sameIDs("a reconciliation by "+name, w.relay.neg.result.Need, fullIDs(w.issuesCalled(want)))
	})
}

// subEnd is the subscription, on every connection, for the event that comes last.
const subEnd = "end"

// subscribeEach opens a subscription for each row, several on a connection, before anything that they are for is sent.
func (w *world) subscribeEach(table [][]string) outcome {
	begins := opening{subEnd, client.Filter{Authors: []string{w.key("owner").Pubkey}, Kinds: []int{client.KindIssue}}}
	rows, out := w.askable(table[1:])
	if !out.held() {
		return out
	}
	for i, row := range rows {
		if i == 1 && !w.relay.lastOne { // one relay may send what is new to one connection
			if out := w.openExtra(begins); !out.held() {
				return out
			}
		}
		f := following{sub: fmt.Sprintf("row-%d", i), name: row[len(row)-2], want: w.named(row[len(row)-1])}
		f.filters = w.filtersOf(f.name)
		for at, text := range row[:len(row)-1] {
			if at > 0 {
				f.name += ", in place of " + row[0]
				f.before = w.filtersOf(row[0])
				if _, o := f.relay.Subscribe(w.ctx, f.sub, w.filtersOf(text)...); o != nil {
					return unlessInconclusive("subscribe by "+text, o)
				}
				continue
			}
			var out outcome
			if f.relay, out = w.follow(begins, f.sub, w.filtersOf(text)...); !out.held() {
				return out
			}
		}
		w.relay.followed = append(w.relay.followed, f)
	}
	return outcome{}
}

// eachGets sends an event that ends the waiting on every connection, and judges what came before it.
func (w *world) eachGets() outcome {
	if out := w.postIssue("owner", "end", w.tick()).then(w.accepted).asSetup(); !out.held() {
		return out
	}
	end := w.sent.last
	for _, relay := range w.relay.extra {
		if o := relay.Await(w.ctx, subEnd, end.ID); o != nil {
			if events, asked := relay.Query(w.ctx, client.Filter{IDs: []string{end.ID}}); asked == nil && holds(events, end) {
				return violated("of several connections one does not get %s, which a query there brings", describe(end))
			}
			return unlessInconclusive("the subscription for the last event", o)
		}
		if _, o := relay.Live(w.ctx, subEnd); o != nil {
			return unlessInconclusive("the subscription for the last event", o)
		}
	}
	for _, f := range w.relay.followed {
		for _, ev := range w.issuesCalled(f.want) { // a relay may send to one subscription later than to another
			o := f.relay.Await(w.ctx, f.sub, ev.ID)
			if broken, is := o.(client.TransportError); is {
				return inconclusive("the subscription by "+f.name, broken)
			}
			if o != nil {
				return violated("the subscription by %s does not get %s: %v", f.name, describe(ev), o)
			}
		}
		if out := w.fits("the subscription by "+f.name, f.filters, f.heard(w.sent.posted), f.want); !out.held() {
			return out
		}
	}
	return outcome{}
}
