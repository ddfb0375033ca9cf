package suite

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/graspkit/graspkit/conformance/client"
)

// escapedSteps speak of ids of queries that have to be escaped in JSON, or are beyond ASCII: NIP-01 leaves clients every
// character.
func escapedSteps() []step {
	return []step{
		{
			text: `counts under ids of every sort of character are {number}`,
			role: assertion, sees: servedEvents,
			doc: "COUNTs of the contributor's events under ids of one character and of forty, with quotes, control characters and others beyond ASCII tell so many; a refusal of such an id is noted",
			run: func(w *world, a []string, _ [][]string) outcome {
				want := int(number(a[0]))
				return w.underEachID("a count", func(relay *client.Relay, id string) (client.Observation, string) {
					got, o := relay.CountAs(w.ctx, id, client.Filter{Authors: []string{w.key("contributor").Pubkey}})
					if got.Rough {
						return o, ""
					}
					return o, differing("tells", got.N, want)
				})
			},
		},
		{
			text: `a query for it is answered under ids of every sort of character`,
			role: assertion, sees: servedEvents,
			doc: "REQs for the last event under ids of one character and of forty, with quotes, control characters and others beyond ASCII bring it and end; a refusal of such an id is noted",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.underEachID("a query", func(relay *client.Relay, id string) (client.Observation, string) {
					events, o := relay.Subscribe(w.ctx, id, client.Filter{IDs: []string{w.sent.last.ID}})
					if o == nil && w.roomOnConnection() < subscriptionsEach {
						o = relay.Unsubscribe(w.ctx, id)
					}
					return o, differing("brings", len(events), 1)
				})
			},
		},
		{
			text: `reconciliations of the {actor}'s issues are answered under ids of every sort of character`,
			role: assertion, sees: servedEvents,
			doc: "NEG-OPEN under ids of one character and of forty, with quotes, control characters and others beyond ASCII is answered; a refusal of such an id is noted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.underEachID("a reconciliation", func(relay *client.Relay, id string) (client.Observation, string) {
					_, o := relay.NegOpen(w.ctx, id, client.Filter{Authors: []string{w.key(a[0]).Pubkey}}, []byte{client.NegVersion})
					return o, ""
				})
			},
		},
	}
}

func differing(does string, got, want int) string {
	if got == want {
		return ""
	}
	return fmt.Sprintf("%s %d, want %d", does, got, want)
}

// underEachID asks under each of such ids; ask returns what came instead of an answer, and what is wrong with the answer.
func (w *world) underEachID(what string, ask func(relay *client.Relay, id string) (client.Observation, string)) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	for _, id := range []string{"x", strings.Repeat("long-", 8), `"quoted" \ /`, "\b\t\n\f\r", "\x01 \x1f \x7f", "\u00e9 \u2028 \U0001f600"} {
		if most, stated := w.run.facts.limit("max_subid_length"); stated && int(most) < utf8.RuneCountInString(id) {
			w.note("%s under the id %q is not asked for: the document states max_subid_length as %.0f", what, id, most)
			continue
		}
		o, wrong := ask(relay, id)
		switch o.(type) {
		case client.ClosedFrame, client.NegErrFrame:
			w.note("%s under the id %q is refused: %v", what, id, o)
			continue
		}
		if o != nil {
			return unlessInconclusive(fmt.Sprintf("%s under the id %q", what, id), o)
		}
		if wrong != "" {
			return violated("%s under the id %q %s", what, id, wrong)
		}
	}
	return outcome{}
}
