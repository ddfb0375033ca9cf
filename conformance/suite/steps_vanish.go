package suite

import (
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

// vanishSteps speak of requests to vanish (NIP-62).
func vanishSteps() []step {
	return []step{
		{
			text: `the {actor} asks to vanish from (this relay|this relay, with a slash behind it|all relays|another relay(?: on this host)?){date}`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes a request to vanish (NIP-62); one on this host has its name and another port",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.vanish(a[0], a[1], w.dated(a[2]))
			},
		},
		{
			text: `the {actor} vanished from (this relay|all relays){date}`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "a request to vanish was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.vanish(a[0], a[1], w.dated(a[2])).then(w.accepted)
			},
		},
		{
			text: `the same request by the {actor} for this relay takes effect on the {label}`,
			role: twin, sees: servedEvents, cost: cost{events: 1}, within: spec.ReleaseWithin, absent: true,
			doc: "the request for this relay is accepted, and the event is not served any more",
			run: func(w *world, a []string, _ [][]string) outcome {
				doomed := w.event(a[1])
				return w.vanish(a[0], "this relay", w.tick()).then(w.accepted).then(func() outcome {
					return w.notServed(doomed, false)
				})
			},
		},
		{
			text: `a younger issue by the {actor} is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "an issue younger than the request is accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postIssue(a[0], "younger", w.tick()).then(w.accepted)
			},
		},
	}
}

// vanish publishes a request to vanish. It refers to no repository, which it need not.
func (w *world) vanish(actor, from string, date int64) outcome {
	relay := w.client.RelayURL()
	switch from {
	case "this relay, with a slash behind it":
		relay = strings.TrimSuffix(relay, "/") + "/"
	case "all relays":
		relay = "ALL_RELAYS"
	case "another relay":
		relay = "wss://relay.example.invalid"
	case "another relay on this host":
		relay = w.filler(w.key(actor)).Replace("{ws}://{hostname}:{other port}")
	}
	w.decoys = decoys{set: true} // who vanishes takes them along
	ev := client.Build(w.key(actor), client.KindVanish, [][]string{{"relay", relay}}, "", date)
	w.remember("event", "request", ev)
	return w.publish(ev)
}
