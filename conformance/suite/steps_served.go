package suite

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

func servedSteps() []step {
	return []step{
		{
			text: `the {label} is served`,
			role: assertion, sees: servedEvents, within: patienceMax,
			doc: "a query by id brings the event, sooner or later",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.served(w.event(a[0]))
			},
		},
		{
			text: `the {label} is served within 5 seconds`,
			role: assertion, sees: servedEvents, within: spec.ReleaseWithin,
			doc: "a query by id brings the event within the bound of a release",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.servedWithin(w.event(a[0]), spec.ReleaseWithin)
			},
		},
		{
			text: `the {label} is not served`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, neither a query nor any subscription since the start of the check brings the event",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.notServed(w.event(a[0]), true)
			},
		},
		{
			text: `the {label} is not served any more`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, no query brings the event",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.notServed(w.event(a[0]), false)
			},
		},
		{
			text: `the {label} is not served any more, unless the request was refused`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, no query brings the event; where the last deletion request was refused as a whole the check is not applicable",
			run: func(w *world, a []string, _ [][]string) outcome {
				if answer, is := w.sent.answer.(client.OKFrame); is && !answer.Accepted {
					return notApplicable("the request is refused as a whole: %s", answer.Text)
				}
				return w.notServed(w.event(a[0]), false)
			},
		},
		{
			text: `the {label} does not show in {any}`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, the event, if its kind is held here, does not show in this channel",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.notShown(w.event(a[0]), a[1])
			},
		},
		{
			text: `nothing by the {actor} is served`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, no query by author and no subscription brings anything",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.nothingBy(a[0])
			},
		},
		{
			text: `only the version with the lower id is served`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "a query brings the version with the lower id, and none the other",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.served(w.event(`announcement "lower"`)).then(func() outcome {
					return w.notServed(w.event(`announcement "higher"`), false)
				})
			},
		},
		{
			text: `the lighthouse is served`,
			role: setUp, sees: servedEvents,
			doc: "the repository that all checks share is there",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.needLighthouse() },
		},
	}
}

// served waits for an event, for as long as it takes.
func (w *world) served(ev *nostr.Event) outcome { return w.servedWithin(ev, 0) }

// servedWithin judges that an event is served within a bound, if there is one.
func (w *world) servedWithin(ev *nostr.Event, judged time.Duration) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	out = w.run.servedWithin(w.ctx, w.client, relay, ev, judged)
	if out.held() {
		w.sent.shown[ev.ID] = true
	}
	return out
}

// barrier publishes a beacon and waits for it on both connections: what is not visible behind it is not
// served. It returns a new connection.
func (w *world) barrier() (*client.Relay, outcome) {
	if out := w.needLighthouse(); !out.held() {
		return nil, out
	}
	old, out := w.connect()
	if !out.held() {
		return nil, out
	}
	beacon, out := w.run.lighthouse.beacon(w.ctx)
	if !out.held() {
		return nil, out
	}
	if w.relay.watching {
		o := w.hearBehind(old, beacon)
		if old.HadEnough(o) { // all that was sent there has come
			w.relay.heard = append(w.relay.heard, w.withoutBeacons(old.Heard(subWatch))...)
			w.hangUp()
			return w.barrier() // on a new one, on which nothing was refused
		}
		if o != nil {
			return nil, missing("barrier on the old connection", o)
		}
	}
	fresh, o := w.client.Relay(w.ctx)
	if o != nil {
		return nil, inconclusive("barrier on a new connection", o)
	}
	if out := w.run.servedWithin(w.ctx, w.client, fresh, beacon, 0); !out.held() {
		fresh.Close()
		return nil, out.asTwin()
	}
	return fresh, outcome{}
}

// missing is the outcome of a barrier that did not come: nothing is proven.
func missing(what string, o client.Observation) outcome {
	out := inconclusive(what, o)
	out.dead = false
	return out
}

// notServed judges that an event is absent by id and by address, on an old and a new connection, and, if
// never, that no open subscription got it.
func (w *world) notServed(ev *nostr.Event, never bool) outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	defer fresh.Close()
	return w.notServedBehind(fresh, ev, never)
}

// notServedBehind is notServed behind a barrier, with the connection that is new.
func (w *world) notServedBehind(fresh *client.Relay, ev *nostr.Event, never bool) outcome {
	free := w.mayShow(ev)
	if never && !free && holds(w.relay.heard, ev) {
		return violated("%s was sent to an open subscription", describe(ev))
	}
	filters := []client.Filter{{IDs: []string{ev.ID}}, address(ev)}
	if ev.Tags.GetD() == "" {
		filters[1] = client.Filter{Kinds: []int{ev.Kind}, Authors: []string{ev.PubKey}}
	}
	for _, on := range []struct {
		relay *client.Relay
		name  string
	}{{w.relay.conn, "an old"}, {fresh, "a new"}} {
		for _, filter := range filters {
			events, o := on.relay.Query(w.ctx, filter)
			if bad, is := o.(client.BadEvent); is && bad.ID == ev.ID {
				return violated("%s is served to a query on %s connection, and not as it was signed: %s", describe(ev), on.name, bad.Why)
			}
			if o != nil {
				return unable("query", o)
			}
			if holds(events, ev) && free && !w.sent.erased {
				w.note("%s is served at once: its kind is not held here", describe(ev))
				return outcome{}
			}
			if holds(events, ev) {
				return violated("%s is served to a query on %s connection", describe(ev), on.name)
			}
		}
	}
	return outcome{}
}

// nothingBy judges that no event of an actor is served at all.
func (w *world) nothingBy(actor string) outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	defer fresh.Close()
	author := w.key(actor).Pubkey
	for _, ev := range w.relay.heard {
		if ev.PubKey == author && !w.mayShow(ev) {
			return violated("%s was sent to an open subscription", describe(ev))
		}
	}
	for _, relay := range []*client.Relay{w.relay.conn, fresh} {
		events, o := relay.Query(w.ctx, client.Filter{Authors: []string{author}})
		if o != nil {
			return unable("query", o)
		}
		for _, ev := range events {
			if w.sent.erased || !w.mayShow(ev) {
				return violated("%s is served", describe(ev))
			}
		}
	}
	return outcome{}
}

// notShown judges that a held event does not show in one channel.
func (w *world) notShown(ev *nostr.Event, channel string) outcome {
	if w.mayShow(ev) {
		return notApplicable("the server does not hold events of kind %d", ev.Kind)
	}
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	defer fresh.Close()
	switch channel {
	case "a query by id":
		return w.absent(fresh, client.Filter{IDs: []string{ev.ID}}, ev)
	case "a query by address":
		return w.absent(fresh, address(ev), ev)
	case "the open subscription":
		return w.listenerLacks(ev)
	case "a count":
		return w.notCounted(fresh, ev)
	case "a reconciliation":
		return w.inSet(fresh, ev, false)
	}
	panic("suite: invariant: unknown channel " + channel)
}

func (w *world) absent(relay *client.Relay, filter client.Filter, ev *nostr.Event) outcome {
	events, o := relay.Query(w.ctx, filter)
	if o != nil {
		return unable("query", o)
	}
	if holds(events, ev) {
		return violated("%s waits for git data, but is served", describe(ev))
	}
	return outcome{}
}

// heardByNow waits for a beacon on the listener's connection, and returns what came to its subscription until then.
func (w *world) heardByNow() ([]*nostr.Event, outcome) {
	beacon, out := w.run.lighthouse.beacon(w.ctx)
	if !out.held() {
		return nil, out
	}
	if o := w.relay.listener.Await(w.ctx, w.beacons(), beacon.ID); o != nil {
		return nil, missing("barrier on the listener's connection", o)
	}
	events, o := w.cameFor(w.relay.listener)
	if o != nil {
		return nil, unable("the listener", o)
	}
	return events, outcome{}
}

// listenerLacks judges that an event is not among what the listener got.
func (w *world) listenerLacks(ev *nostr.Event) outcome {
	events, out := w.heardByNow()
	if out.held() && holds(events, ev) {
		return violated("%s waits for git data, but is sent to an open subscription", describe(ev))
	}
	return out
}

// notCounted asks for a count (NIP-45) of the event.
func (w *world) notCounted(relay *client.Relay, ev *nostr.Event) outcome {
	for _, filter := range []client.Filter{{IDs: []string{ev.ID}}, address(ev)} {
		n, o := relay.Count(w.ctx, filter)
		if o != nil {
			return unlessInconclusive("count", o)
		}
		if n.N != 0 && !n.Rough {
			return violated("%s waits for git data, but is counted", describe(ev))
		}
	}
	return outcome{}
}
