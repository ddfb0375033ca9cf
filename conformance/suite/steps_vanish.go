package suite

import (
	"github.com/graspkit/graspkit/conformance/client"
)

// vanishSteps speak of requests to vanish (NIP-62).
func vanishSteps() []definition {
	return []definition{
		define(`the {actor} asks to vanish from (this relay|all relays|another relay){date}`, func(w *world, a []string, _ [][]string) outcome {
			return w.vanish(a[0], a[1], w.dated(a[2]))
		}),
		define(`the {actor} vanished from (this relay|all relays){date}`, func(w *world, a []string, _ [][]string) outcome {
			return w.vanish(a[0], a[1], w.dated(a[2])).then(w.accepted)
		}),
		define(`the same request by the {actor} for this relay takes effect on the {label}`, func(w *world, a []string, _ [][]string) outcome {
			doomed := w.event(a[1])
			return w.twin(w.vanish(a[0], "this relay", w.tick()).then(w.accepted).then(func() outcome {
				return w.notServed(doomed, false)
			}))
		}),
		define(`a younger issue by the {actor} is accepted`, func(w *world, a []string, _ [][]string) outcome {
			return w.twin(w.postIssue(a[0], "younger", w.tick()).then(w.accepted))
		}),
	}
}

// vanish publishes a request to vanish. It refers to no repository, which it need not.
func (w *world) vanish(actor, from string, date int64) outcome {
	relay := w.client.RelayURL()
	switch from {
	case "all relays":
		relay = "ALL_RELAYS"
	case "another relay":
		relay = "wss://relay.example.invalid"
	}
	ev := client.Build(w.key(actor), client.KindVanish, [][]string{{"relay", relay}}, "", date)
	w.remember("event", "request", ev)
	return w.publish(ev)
}
