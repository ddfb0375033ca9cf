package suite

import (
	"fmt"

	"github.com/graspkit/graspkit/conformance/client"
)

// erasureSteps speak of deletion requests that come before what they are about.
func erasureSteps() []step {
	return []step{
		{
			text: `the {actor} asked for the deletion of a state before sending it:`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "a deletion request for a state that nobody has seen was accepted",
			run: func(w *world, a []string, table [][]string) outcome {
				ev := w.buildState(a[0], w.tick(), table)
				w.git.state = table
				w.remember("state", "", ev)
				return w.erase(a[0], []string{ev.ID}, nil)
			},
		},
		{
			text: `the {actor} asked for the deletion of all earlier states`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "a deletion request for the address of the actor's states was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.dated("300")
				return w.erase(a[0], nil, []string{fmt.Sprintf("%d:%s:%s", client.KindState, w.key(a[0]).Pubkey, w.identifier)})
			},
		},
		{
			text: `the {actor} sends a state dated before that:`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes a state older than the deletion request",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.publishState(a[0], "", w.dated("200"), table)
			},
		},
	}
}

// erase publishes a deletion request, which has to be accepted.
func (w *world) erase(actor string, ids, addresses []string) outcome {
	return w.publish(client.Deletion(w.key(actor), ids, addresses, w.tick())).then(w.accepted).asSetup()
}
