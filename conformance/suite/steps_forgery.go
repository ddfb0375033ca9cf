package suite

import "github.com/graspkit/graspkit/conformance/spec"

// forgerySteps speak of events that are what they should be but for their proof: id and signature.
func forgerySteps() []step {
	return []step{
		{
			text: `the {actor} publishes (an announcement of the repository|a newer announcement naming the stranger|a state|a state of what is there|a pull request|an update|a deletion request for the {label} by (?:id|address)|a request to vanish that takes the {label}) in every spoilt form`,
			role: act, sees: answers, answered: true, cost: cost{events: 10},
			doc: "sends the event with a wrong signature, that of another event, that of somebody else, a wrong id, changed content, another date, a tag more, and the signature, or the proof, of a note that was sent before",
			run: func(w *world, a []string, _ [][]string) outcome { return w.publishForged(a[0], a[1]) },
		},
		{
			text: `each of them is refused`,
			role: assertion, sees: answers, refuses: true, unmoved: true,
			doc: "the answer to each form is OK false or a NOTICE",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.forgedRefused() },
		},
		{
			text: `it has had no consequence`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, there is no repository, no push is authorized, no ref has moved, nothing is deleted, as it would be by the event",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.forgedWithoutConsequence() },
		},
		{
			text: `the event as it was signed is accepted and has its consequence`,
			role: twin, sees: answers, cost: cost{events: 1}, within: spec.ReleaseWithin,
			doc: "the event itself is accepted, and what it is to bring about is there",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.forgedApplies() },
		},
		{
			text: `the {actor} sends the {label} again with a wrong signature`,
			role: act, sees: answers, answered: true, cost: cost{events: 1},
			doc: "sends a copy of an accepted event that is spoilt, whatever the answer",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := w.event(a[1])
				relay, out := w.connect()
				if !out.held() {
					return out
				}
				w.answered(relay.PublishMalformed(w.ctx, w.spoiltAs(ev, "a wrong signature"), ev.ID))
				return outcome{}
			},
		},
	}
}
