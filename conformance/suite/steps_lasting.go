package suite

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// lastingSteps are about what a subscription outlives: the ones of other clients, what goes wrong beside it, many events, time.
func lastingSteps() []step {
	return []step{
		{
			text: `another client has a subscription for the {actor}'s issues under the same id`,
			role: setUp, sees: servedEvents,
			doc: "a REQ under the id of the open subscription got its EOSE on another connection",
			run: func(w *world, a []string, _ [][]string) outcome {
				relay, o := w.client.Relay(w.ctx)
				if o != nil {
					return inconclusive("connect", o)
				}
				w.relay.extra = append(w.relay.extra, relay)
				_, o = relay.Subscribe(w.ctx, w.relay.open, client.Filter{Authors: []string{w.key(a[0]).Pubkey}, Kinds: []int{client.KindIssue}})
				if o != nil {
					return unlessInconclusive("subscribe", o)
				}
				return outcome{}
			},
		},
		{
			text: `the other client (goes on listening|closes its subscription|leaves)`,
			role: act, sees: servedEvents,
			doc: "nothing, CLOSE, or the end of the other connection",
			run: func(w *world, a []string, _ [][]string) outcome {
				relay := w.relay.extra[len(w.relay.extra)-1]
				switch a[0] {
				case "closes its subscription":
					if o := relay.Unsubscribe(w.ctx, w.relay.open); o != nil {
						return inconclusive("close", o)
					}
				case "leaves":
					relay.Close()
					w.relay.extra = w.relay.extra[:len(w.relay.extra)-1]
				}
				return outcome{}
			},
		},
		{
			text: `a subscription for the {actor}'s issues is opened under the id that was closed`,
			role: act, sees: servedEvents,
			doc: "a REQ under the id of the subscription that was closed got its EOSE",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.subscribe(w.relay.open, client.Filter{Authors: []string{w.key(a[0]).Pubkey}})
			},
		},
		{
			text: `an issue by the {actor} on an unknown repository is answered`,
			role: act, sees: answers, answered: true, cost: cost{events: 1},
			doc: "publishes an issue that most servers refuse, on the actors' connection, whatever the answer",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishRelated(a[0], "an issue", "an unknown repository", "").then(w.answeredAtAll)
			},
		},
		{
			text: `a client sends nonsense on that connection`,
			role: act, sees: servedEvents,
			doc: "sends a query that is no JSON on the actors' connection; where that ends it, the check is not applicable",
			run: func(w *world, _ []string, _ [][]string) outcome {
				relay, out := w.connect()
				if !out.held() {
					return out
				}
				if o := relay.SendRaw(w.ctx, []byte(`["REQ","nonsense",{"kinds":[1}`)); o != nil {
					return inconclusive("send", o)
				}
				if _, o := relay.Query(w.ctx, client.Filter{Limit: new(int)}); o != nil {
					return endedHere(o)
				}
				return outcome{}
			},
		},
		{
			text: `a client ends a subscription that is not open`,
			role: act, sees: servedEvents,
			doc: "CLOSE for an id that was never used, on the actors' connection",
			run: func(w *world, _ []string, _ [][]string) outcome {
				relay, out := w.connect()
				if !out.held() {
					return out
				}
				if o := relay.SendRaw(w.ctx, closeOfNothing); o != nil {
					return inconclusive("send", o)
				}
				return outcome{}
			},
		},
		{
			text: `a connection is usable behind the end of a subscription that is not open`,
			role: assertion, sees: servedEvents,
			doc: "a query behind a CLOSE for an id that was never used is answered on the same connection; one that ends does so twice, and not without the CLOSE",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.staysOpenBehind("the end of a subscription that is not open", func(relay *client.Relay) outcome {
					if o := relay.SendRaw(w.ctx, closeOfNothing); o != nil {
						return inconclusive("send", o)
					}
					return outcome{}
				})
			},
		},
		{
			text: `the {actor} posts {number} issues`,
			role: act, sees: answers, cost: cost{events: 1, each: true},
			doc: "publishes so many issues on the lighthouse, each accepted before the next one",
			run: func(w *world, a []string, _ [][]string) outcome { return w.postMany(a[0], int(number(a[1])), 0) },
		},
		{
			text: `the subscription gets all of these issues`,
			role: assertion, sees: servedEvents,
			doc: "the subscription gets every one of the issues that were posted by their number; a connection that ends in between makes the check not applicable",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.getsAll(w.sent.posted) },
		},
		{
			text: `{number} minutes pass on the open connection`,
			role: act, sees: passing,
			doc: "time passes, and the connections of the check stay open",
			run: func(w *world, a []string, _ [][]string) outcome {
				minutes := number(a[0])
				w.ticks += minutes * 60
				return passed(w.client.Wait(w.ctx, time.Duration(minutes)*time.Minute))
			},
		},
		{
			text: `the subscription gets the issue{name}, or the relay has ended it`,
			role: assertion, sees: servedEvents, cost: cost{events: 1},
			doc: "the issue that another client posts comes, or CLOSED or the end of the connection did: a subscription does not end without a word",
			run: func(w *world, a []string, _ [][]string) outcome { return w.getsOrEnded(a[0]) },
		},
		{
			text: `{number} issues of the {actor} come to all who listen, though some beside them have left without a word`,
			role: assertion, sees: servedEvents, cost: cost{events: 4},
			doc: "four connections have a subscription, and two of them end by a reset, where the world has that; each issue that is posted then is accepted and comes to the others",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.newComesThoughSomeLeave(a[1], int(number(a[0])))
			},
		},
		{
			text: `two events of kind {number} by the {actor} of one time arrive, the (lower|higher) id first`,
			role: act, sees: answers, cost: cost{events: 2},
			doc: "publishes two versions, called lower and higher, that differ in their content alone and refer to the lighthouse; a refusal of the first makes the check not applicable",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postTied(int(number(a[0])), a[1], a[2] == "lower")
			},
		},
	}
}

// closeOfNothing is a CLOSE for an id that is never used.
var closeOfNothing = []byte(`["CLOSE","never-opened"]`)

// endedHere is the outcome of a connection that the relay has ended because of what came on it, as it may.
func endedHere(o client.Observation) outcome {
	if _, ended := o.(client.TransportError); ended {
		return notApplicable("the relay ends a connection on which nonsense came: %v", o)
	}
	return unlessInconclusive("query", o)
}

// getsAll waits for every one of some events on the open subscription.
func (w *world) getsAll(want []*nostr.Event) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	if !relay.Listens(w.relay.open) {
		return notApplicable("the relay ended the connection of the subscription while %d events were sent on it", len(want))
	}
	for i, ev := range want {
		switch o := relay.Await(w.ctx, w.relay.open, ev.ID).(type) {
		case nil:
		case client.Silence:
			if out := w.alive(); !out.held() {
				return out
			}
			return violated("of %d events the subscription gets %d, and the connection is usable: %v", len(want), i, o)
		case client.TransportError, client.ClosedFrame:
			return notApplicable("the relay ends the subscription behind %d events: %v", i, o)
		default:
			return unlessInconclusive("the subscription", o)
		}
	}
	return outcome{}
}

// getsOrEnded posts an issue on a connection of its own, and judges that the open subscription gets it or was ended.
func (w *world) getsOrEnded(name string) outcome {
	old := w.relay.conn
	w.relay.conn = nil // that of who posts is a new one
	out := w.postIssue("contributor", name, w.tick()).then(w.accepted).asSetup()
	fresh := w.relay.conn
	w.relay.conn = old
	if fresh != nil {
		defer fresh.Close()
	}
	if !out.held() {
		return out
	}
	switch o := old.Await(w.ctx, w.relay.open, w.sent.last.ID).(type) {
	case nil:
		return outcome{}
	case client.Silence:
		if _, asked := old.Query(w.ctx, client.Filter{Limit: new(int)}); asked != nil {
			return endedLater(asked)
		}
		return violated("the subscription does not get an event, and nobody has said that it is over; its connection is usable: %v", o)
	case client.TransportError, client.ClosedFrame:
		return endedLater(o)
	default:
		return unlessInconclusive("the subscription", o)
	}
}

// endedLater is the outcome of a subscription, or its connection, that the relay has ended.
func endedLater(o client.Observation) outcome {
	switch o.(type) {
	case client.TransportError, client.ClosedFrame:
		return notApplicable("the relay has ended the subscription: %v", o)
	}
	return unlessInconclusive("query", o)
}

// postTied publishes two versions of one time, known as lower and higher by their ids.
func (w *world) postTied(kind int, actor string, lowerFirst bool) outcome {
	return w.needLighthouse().then(func() outcome {
		date := w.tick()
		tags := append([][]string{{"a", w.run.lighthouse.address}}, w.markers()...)
		if nostr.IsAddressableKind(kind) {
			tags = append(tags, []string{"d", w.identifier})
		}
		lower, higher := client.Build(w.key(actor), kind, tags, "one", date), client.Build(w.key(actor), kind, tags, "other", date)
		if lower.ID > higher.ID {
			lower, higher = higher, lower
		}
		w.remember("event", "lower", lower)
		w.remember("event", "higher", higher)
		order := []*nostr.Event{lower, higher}
		if !lowerFirst {
			order = []*nostr.Event{higher, lower}
		}
		for i, ev := range order {
			if out := w.publish(ev).then(w.answeredAtAll); !out.held() {
				return out
			}
			if reason, refused := client.Refusal(w.sent.answer); refused && i == 0 {
				return notApplicable("the server does not take events of kind %d: %s", kind, reason)
			}
		}
		return outcome{}
	})
}

// staysOpenBehind judges that a connection is usable behind something. One that ends may have ended by chance; a second one that ends
// at the same place has not, if a third one on which nothing but queries come lasts.
func (w *world) staysOpenBehind(what string, does func(relay *client.Relay) outcome) outcome {
	var broken client.Observation
	for range muteTries {
		relay, o := w.client.Relay(w.ctx)
		if o != nil {
			return inconclusive("connect", o)
		}
		out := does(relay).then(func() outcome {
			_, o = relay.Query(w.ctx, client.Filter{Limit: new(int)})
			return outcome{}
		})
		relay.Close()
		if !out.held() {
			return out
		}
		if _, is := o.(client.TransportError); !is {
			return unlessEnded(o)
		}
		broken = o
	}
	return w.lasts().then(func() outcome {
		return violated("the connection ends behind %s, twice: %v; without it the connection lasts", what, broken)
	})
}

// lasts finds out whether a connection on which nothing but queries come lasts.
func (w *world) lasts() outcome {
	lasting, o := w.client.Relay(w.ctx)
	if o != nil {
		return inconclusive("connect", o)
	}
	defer lasting.Close()
	for range muteTries {
		if _, o := lasting.Query(w.ctx, client.Filter{Limit: new(int)}); o != nil {
			return inconclusive("query on a connection without it", o)
		}
	}
	return outcome{}
}
