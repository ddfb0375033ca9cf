package suite

import (
	"strconv"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// Kinds of what people say about themselves, and where they write (NIP-01, NIP-65, NIP-34).
var ownKinds = map[string]int{"profile": 0, "relay list": 10002, "GRASP list": 10317}

// plusSteps speak of what participants have elsewhere (GRASP-03).
func plusSteps() []step {
	const own = `(profile|relay list|GRASP list)`
	return []step{
		{
			text: `GRASP-02 is listed if GRASP-03 is`,
			role: assertion, sees: pages,
			doc: "the document does not list sync plus without sync",
			run: func(w *world, _ []string, _ [][]string) outcome {
				if _, out := w.document(); !out.held() {
					return out
				}
				if w.run.facts.grasps[graspPlus] && !w.run.facts.grasps[graspSync] {
					return violated("GRASP-03 is listed, and GRASP-02, which it rests on, is not")
				}
				return outcome{}
			},
		},
		{
			text: `the {actor} sends its own ` + own + `{name}`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an event about itself; a relay list names the other relay, if there is one",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := w.aboutItself(a[0], a[1])
				w.remember("event", a[2], ev)
				return w.publish(ev)
			},
		},
		{
			text: `the relay list of the {actor} names the other relay( ?to write to)?`,
			role: setUp, sees: answers, cost: cost{events: 1}, needs: relayed,
			doc: "the server has taken the list (kind 10002) of relays that this actor writes to, with the mark write or without one",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publish(w.relayListOf(a[0], a[1] != "")).then(w.accepted)
			},
		},
		{
			text: `the {actor}'s own ` + own + ` is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "the same of this actor, who is a participant, is accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				out := w.publish(w.aboutItself(a[0], a[1])).then(w.accepted)
				if !out.held() {
					out.cause = restsOnParticipants // the event refers to nothing
				}
				return out
			},
		},
		{
			text: `the other relay has the {actor}'s ` + own + `{name}`,
			role: act, sees: relaysAsked, needs: relayed,
			doc: "an event of this actor about itself is there, and nowhere else",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.lodge("", "event", a[2], w.aboutItself(a[0], a[1]))
			},
		},
	}
}

// graspPlus is the number of sync plus.
const graspPlus = 3

// relayListOf is a list of relays that names the other relay, marked for writing or not.
func (w *world) relayListOf(actor string, marked bool) *nostr.Event {
	other := []string{"r", w.other("").URL()}
	if marked {
		other = append(other, "write")
	}
	return client.Build(w.key(actor), ownKinds["relay list"], append([][]string{{"r", w.client.RelayURL()}, other}, w.markers()...), "", w.latest())
}

// aboutItself is what an actor says about itself.
func (w *world) aboutItself(actor, what string) *nostr.Event {
	var tags [][]string
	content := ""
	switch what {
	case "profile":
		content = `{"name":` + strconv.Quote(w.identifier) + `}`
	case "relay list":
		tags = append(tags, []string{"r", w.client.RelayURL()})
		if w.elsewhere.byName[""] != nil {
			tags = append(tags, []string{"r", w.other("").URL()})
		}
	case "GRASP list":
		tags = append(tags, []string{"g", w.client.RelayURL()})
	}
	return client.Build(w.key(actor), ownKinds[what], append(tags, w.markers()...), content, w.latest())
}
