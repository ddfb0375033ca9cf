package suite

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// subLive is the subscription that steps speak of.
const subLive = "live"

// subIDLong is as long as a subscription id may be.
var subIDLong = strings.Repeat("x", 64)

func subscriptionSteps() []step {
	return []step{
		{
			text: `a count of the {actor}'s issues is asked for under the id of the subscription`,
			role: act, sees: servedEvents,
			doc: "COUNT under the id of an open subscription is answered",
			run: func(w *world, a []string, _ [][]string) outcome {
				relay, out := w.connect()
				if !out.held() {
					return out
				}
				filter := client.Filter{Authors: []string{w.key(a[0]).Pubkey}, Kinds: []int{client.KindIssue}}
				if _, o := relay.CountAs(w.ctx, w.relay.open, filter); o != nil {
					return unable("a count under the id of a subscription", o)
				}
				return outcome{}
			},
		},
		{
			text: `a subscription for the {actor}'s issues is open`,
			role: setUp, sees: servedEvents,
			doc: "a REQ on the actors' connection got its EOSE",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.subscribe(subLive, client.Filter{Authors: []string{w.key(a[0]).Pubkey}})
			},
		},
		{
			text: `a subscription by filters that overlap is open for the {actor}'s issues`,
			role: setUp, sees: servedEvents,
			doc: "a REQ by author, by author and kind, and by author among others on the actors' connection got its EOSE",
			run: func(w *world, a []string, _ [][]string) outcome {
				author, kind := w.key(a[0]).Pubkey, []int{client.KindIssue}
				return w.subscribe(
					subLive, client.Filter{Authors: []string{author}}, client.Filter{Authors: []string{author}, Kinds: kind},
					client.Filter{Authors: []string{w.nobody(), author}},
				)
			},
		},
		{
			text: `a subscription for the {actor}'s issues is opened with limit 0`,
			role: act, sees: servedEvents,
			doc: "a REQ with limit 0",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.subscribe(subLive, client.Filter{Authors: []string{w.key(a[0]).Pubkey}, Limit: new(int)})
			},
		},
		{
			text: `the subscription is replaced by one for the {actor}'s issues`,
			role: act, sees: servedEvents,
			doc: "a REQ with the id of an open subscription",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.subscribe(subLive, client.Filter{Authors: []string{w.key(a[0]).Pubkey}})
			},
		},
		{
			text: `a subscription with an id of 64 (characters|characters beyond ASCII) is opened`,
			role: act, sees: servedEvents,
			doc: "a REQ with the longest id that NIP-01 allows",
			run: func(w *world, a []string, _ [][]string) outcome {
				id := subIDLong
				if a[0] != "characters" {
					id = strings.Repeat("\u00e9", utf8.RuneCountInString(subIDLong))
				}
				if most, stated := w.run.facts.limit("max_subid_length"); stated && int(most) < utf8.RuneCountInString(id) {
					return notApplicable("the document states max_subid_length as %.0f", most)
				}
				return w.subscribe(id, client.Filter{Authors: []string{w.key("contributor").Pubkey}})
			},
		},
		{
			text: `the subscription is closed`,
			role: act, sees: servedEvents,
			doc: "CLOSE; another subscription of the same content is opened as a control",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.unsubscribe() },
		},
		{
			text: `closing a subscription for the {actor}'s issues leaves those whose ids are like its own`,
			role: assertion, sees: servedEvents, cost: cost{events: 2},
			doc: "of five subscriptions of one connection, whose ids begin and end alike, one is closed; the others get an issue that is posted then",
			run: func(w *world, a []string, _ [][]string) outcome { return w.closesItsOwn(a[0]) },
		},
		{
			text: `the subscription began with {names}`,
			role: assertion, sees: servedEvents,
			doc: "these issues and no others came before EOSE",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.exactly("the subscription before EOSE", w.relay.subscribed, names(a[0]))
			},
		},
		{
			text: `the subscription gets exactly {names}`,
			role: assertion, sees: servedEvents,
			doc: "the subscription gets these issues and no others",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.gets(names(a[0]))
			},
		},
		{
			text: `the closed subscription gets nothing`,
			role: assertion, sees: servedEvents,
			doc: "the control subscription gets the event, the closed one does not",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.getsNothing() },
		},
		{
			text: `a listener followed the {actor}'s events`,
			role: setUp, sees: servedEvents,
			doc: "subscriptions for the actor's events and for beacons are open on a connection of their own",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.listen(a[0])
			},
		},
		{
			text: `the listener gets the {label}`,
			role: assertion, sees: servedEvents,
			doc: "the listener's subscription gets the event, or a later beacon and not the event",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := w.event(a[0])
				if holds(w.relay.heard, ev) {
					return outcome{}
				}
				o := w.relay.listener.Await(w.ctx, subWatch, ev.ID)
				if _, silent := o.(client.Silence); silent {
					return w.unheard(ev)
				}
				if o != nil {
					return unlessInconclusive("the listener", o)
				}
				return outcome{}
			},
		},
		{
			text: `the listener got nothing twice`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "until a later beacon has come, no event came to the listener's subscription a second time",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.heardOnce() },
		},
	}
}

// heardOnce judges that the listener got each event once.
func (w *world) heardOnce() outcome {
	events, out := w.heardByNow()
	if !out.held() {
		return out
	}
	seen := make(map[string]bool)
	for _, ev := range events {
		if seen[ev.ID] {
			return violated("the listener got %s twice", describe(ev))
		}
		seen[ev.ID] = true
	}
	return outcome{}
}

// subscribe opens a subscription on the actors' connection. The lighthouse is set up before, so that
// nothing but what the steps post comes.
func (w *world) subscribe(sub string, filters ...client.Filter) outcome {
	return w.needLighthouse().then(func() outcome {
		relay, out := w.connect()
		if !out.held() {
			return out
		}
		events, o := relay.Subscribe(w.ctx, sub, filters...)
		if o != nil {
			return unlessInconclusive("subscribe", o)
		}
		w.relay.subscribed = events
		w.relay.open = sub
		return outcome{}
	})
}

// gets judges what the open subscription got: the last event expected is waited for, so that what comes
// before it has come.
func (w *world) gets(want []string) outcome {
	if out := w.accepted().asSetup(); !out.held() {
		return out
	}
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	if !relay.Listens(w.relay.open) {
		return outcome{verdict: Inconclusive, reason: "the connection on which the subscription was opened has ended"}
	}
	last := w.issuesCalled(want)[len(want)-1]
	o := relay.Await(w.ctx, w.relay.open, last.ID)
	if _, silent := o.(client.Silence); silent {
		if out := w.alive(); !out.held() {
			return out
		}
		return violated("the subscription does not get %q", want[len(want)-1])
	}
	if o != nil {
		return unlessInconclusive("the subscription", o)
	}
	events, o := relay.Live(w.ctx, w.relay.open)
	if o != nil {
		return unlessInconclusive("the subscription", o)
	}
	return w.exactly("the subscription", events, want)
}

// subAfter is opened behind a closed subscription, to see that the connection still brings events.
const subAfter = "after"

// unsubscribe closes the subscription and opens another of the same content, as a control.
func (w *world) unsubscribe() outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	if o := relay.Unsubscribe(w.ctx, w.relay.open); o != nil {
		return inconclusive("close", o)
	}
	_, o := relay.Subscribe(w.ctx, subAfter, client.Filter{Authors: []string{w.key("contributor").Pubkey}})
	if o != nil {
		return unlessInconclusive("subscribe", o)
	}
	return outcome{}
}

// getsNothing waits for the event on the control subscription; frames for the closed one must not be
// among what came before or with it.
func (w *world) getsNothing() outcome {
	if out := w.accepted().asSetup(); !out.held() {
		return out
	}
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	before := strayFrames(w.client.Recorder(), w.relay.open, w.sent.last)
	if o := relay.Await(w.ctx, subAfter, w.sent.last.ID); o != nil {
		return unlessInconclusive("the control subscription", o)
	}
	if _, o := relay.Live(w.ctx, subAfter); o != nil {
		return unlessInconclusive("the control subscription", o)
	}
	if before || strayFrames(w.client.Recorder(), w.relay.open, w.sent.last) {
		return violated("the closed subscription got %s", describe(w.sent.last))
	}
	return outcome{}
}

// strayFrames reports whether an EVENT for the subscription holds the event.
func strayFrames(rec *client.Recorder, sub string, ev *nostr.Event) bool {
	for _, e := range rec.Entries() {
		if e.Dir != client.Received || !bytes.Contains(e.Bytes, []byte(ev.ID)) {
			continue
		}
		if label, to := client.Label(e.Bytes); label == "EVENT" && to == sub {
			return true
		}
	}
	return false
}

// listen opens the connection of a listener, with its subscriptions.
func (w *world) listen(actor string) outcome {
	relay, o := w.client.Relay(w.ctx)
	if o != nil {
		return inconclusive("connect", o)
	}
	w.relay.listener = relay
	return w.watch(relay, []string{w.key(actor).Pubkey}).asSetup()
}

// unheard is the outcome when the listener did not get an event: a violation, if it gets others.
func (w *world) unheard(ev *nostr.Event) outcome {
	beacon, out := w.run.lighthouse.beacon(w.ctx)
	if !out.held() {
		return out
	}
	if o := w.relay.listener.Await(w.ctx, w.beacons(), beacon.ID); o != nil {
		return inconclusive("the listener's control subscription", o)
	}
	return violated("the listener gets an event that was published later, but not %s", describe(ev))
}

// alive asks the relay something that has an answer.
func (w *world) alive() outcome {
	_, out := w.query(client.Filter{Authors: []string{w.key("stranger").Pubkey}})
	return out
}
