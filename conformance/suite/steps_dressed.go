package suite

import (
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// dressedSteps are about issues in every dress: with each form of content, tag, value and date that clients write.
func dressedSteps() []step {
	each := func(w *world, judge func(*nostr.Event) outcome) outcome {
		for i, ev := range w.sent.posted {
			if out := judge(ev); !out.held() {
				out.reason = "the issue " + quote(w.sent.dressed[i]) + ": " + out.reason
				return out
			}
		}
		return outcome{}
	}
	return []step{
		{
			text: `issues of the {actor} in every dress were signed`,
			role: setUp,
			doc:  "nine issues exist that have every form of content, tag, value and date that clients write; they were sent to nobody",
			run:  func(w *world, a []string, _ [][]string) outcome { return w.signDressed(a[0]) },
		},
		{
			text: `issues of the {actor} in every dress were sent`,
			role: setUp, sees: answers, cost: cost{events: 9},
			doc: "nine issues that have every form of content, tag, value and date that clients write were sent; those that were refused are not looked at",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.signDressed(a[0]).then(w.sendDressed)
			},
		},
		{
			text: `the issues in every dress arrive`,
			role: act, sees: answers, cost: cost{events: 9}, answered: true,
			doc: "publishes them, one after the other; those that are refused are not looked at any more",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.sendDressed().asSetup() },
		},
		{
			text: `each of them is accepted`,
			role: assertion, sees: answers, cost: cost{events: 9},
			doc: "none of the issues that were signed is refused",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return each(w, func(ev *nostr.Event) outcome { return w.publish(ev).then(w.accepted) })
			},
		},
		{
			text: `each of them is accepted when it is sent again`,
			role: assertion, sees: answers, cost: cost{events: 9},
			doc: "publishes each of them a second time, which is answered OK true",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return each(w, func(ev *nostr.Event) outcome { return w.publish(ev).then(w.accepted) })
			},
		},
		{
			text: `a comment of the {actor} on each of them is accepted`,
			role: assertion, sees: answers, cost: cost{events: 9},
			doc: "publishes a comment (NIP-22) on each of them, which is taken",
			run: func(w *world, a []string, _ [][]string) outcome {
				return each(w, func(ev *nostr.Event) outcome {
					return w.publish(client.Comment(w.key(a[0]), ev, w.run.purpose(), w.tick())).then(w.accepted)
				})
			},
		},
		{
			text: `the {actor} asks in one request to delete all of them by id`,
			role: act, sees: answers, answered: true, cost: cost{events: 1},
			doc: "publishes one deletion request for the issues in every dress, by their e tags, whatever the answer",
			run: func(w *world, a []string, _ [][]string) outcome {
				var list strings.Builder
				for _, name := range w.sent.dressed {
					list.WriteString("the issue " + quote(name) + ", ")
				}
				return w.askToDeleteAll(a[0], list.String(), "id", w.tick())
			},
		},
		{
			text: `none of them is served any more`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, no query brings one of the issues in every dress",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return each(w, func(ev *nostr.Event) outcome { return w.notServed(ev, false) })
			},
		},
	}
}
