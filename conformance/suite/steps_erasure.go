package suite

import (
	"fmt"

	"github.com/graspkit/graspkit/conformance/client"
)

// erasureSteps speak of deletion requests that come before what they are about.
func erasureSteps() []definition {
	return []definition{
		define(`the {actor} asked for the deletion of a state before sending it:`, func(w *world, a []string, table [][]string) outcome {
			ev := w.buildState(a[0], w.tick(), table)
			w.state = table
			w.remember("state", "", ev)
			return w.erase(a[0], []string{ev.ID}, nil)
		}),
		define(`the {actor} asked for the deletion of all earlier states`, func(w *world, a []string, _ [][]string) outcome {
			w.dated("300")
			return w.erase(a[0], nil, []string{fmt.Sprintf("%d:%s:%s", client.KindState, w.key(a[0]).Pubkey, w.identifier)})
		}),
		define(`the {actor} sends a state dated before that:`, func(w *world, a []string, table [][]string) outcome {
			return w.publishState(a[0], "", w.dated("200"), table)
		}),
	}
}

// erase publishes a deletion request, which has to be accepted.
func (w *world) erase(actor string, ids, addresses []string) outcome {
	return w.publish(client.Deletion(w.key(actor), ids, addresses, w.tick())).then(w.accepted).asSetup()
}
