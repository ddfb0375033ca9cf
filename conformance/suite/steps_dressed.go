package suite

import (
	"slices"
	"strconv"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// dressedSteps are about events in every dress: with each form of content, tag, value, identifier and date that clients write.
func dressedSteps() []step {
	each := func(w *world, judge func(*nostr.Event) outcome) outcome {
		for i, ev := range w.sent.posted {
			if out := judge(ev); !out.held() {
				out.reason = quote(w.sent.dressing.names[i]) + ": " + out.reason
				return out
			}
		}
		return outcome{}
	}
	return []step{
		{
			text: `(issues|articles|events of many kinds) of the {actor} in every dress were signed`,
			role: setUp,
			doc:  "nine events exist that have every form of content, tag, value, identifier and date that clients write, or nine kinds; they were sent to nobody",
			run:  func(w *world, a []string, _ [][]string) outcome { return w.signDressed(a[0], a[1]) },
		},
		{
			text: `(issues|articles|events of many kinds) of the {actor} in every dress were sent`,
			role: setUp, sees: answers, cost: cost{events: 9},
			doc: "nine events that have every form of content, tag, value, identifier and date that clients write, or nine kinds, were sent; those that were refused are not looked at",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.signDressed(a[0], a[1]).then(w.sendDressed)
			},
		},
		{
			text: `(issues|articles|events of many kinds) of the {actor} in every dress, which expire in {number} seconds, were sent`,
			role: setUp, sees: answers, cost: cost{events: 9},
			doc: "the same, each with an expiration so much later than now (where a check is tried again, four times as much); what came too late is not looked at",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.sent.expires = w.run.target.Now().Add(w.brief(time.Duration(number(a[2])) * time.Second)).Unix()
				return w.signDressed(a[0], a[1], []string{"expiration", strconv.FormatInt(w.sent.expires, 10)}).then(w.sendDressed)
			},
		},
		{
			text: `articles of the {actor} under identifiers that differ in (signs|letters) alone were sent`,
			role: setUp, sees: answers, cost: cost{events: 9},
			doc: "nine articles whose identifiers differ by a blank, an escape or a sign, or by the case, how a letter is written, an ending or a nought; those that were refused are not looked at",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.signAlike(a[0], a[1]).then(w.sendDressed)
			},
		},
		{
			text: `those in every dress arrive`,
			role: act, sees: answers, cost: cost{events: 9}, answered: true,
			doc: "publishes what was signed, one after the other; what is refused is not looked at any more",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.sendDressed().asSetup() },
		},
		{
			text: `a further version of each of them arrives`,
			role: act, sees: answers, cost: cost{events: 9}, answered: true,
			doc: "publishes the same addresses in the same dresses once more, with other contents and later dates",
			run: func(w *world, _ []string, _ [][]string) outcome {
				w.sent.dressing.former = w.sent.posted
				return w.sent.dressing.anew().then(w.sendDressed).asSetup()
			},
		},
		{
			text: `none of their former versions is served any more`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, no query brings a version whose successor was taken",
			run: func(w *world, _ []string, _ [][]string) outcome {
				replaced := slices.DeleteFunc(slices.Clone(w.sent.dressing.former), func(old *nostr.Event) bool {
					return !slices.ContainsFunc(w.sent.posted, func(ev *nostr.Event) bool { return addressOf(old) == addressOf(ev) })
				})
				return w.noneServed(replaced, false)
			},
		},
		{
			text: `each of them is accepted(?: when it is sent again)?`,
			role: assertion, sees: answers, cost: cost{events: 9},
			doc: "publishes each of them, perhaps for the second time, which is answered OK true",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return each(w, func(ev *nostr.Event) outcome { return w.publish(ev).then(w.accepted) })
			},
		},
		{
			text: `a comment of the {actor} on each of them is accepted`,
			role: assertion, sees: answers, cost: cost{events: 9},
			doc: "publishes a comment (NIP-22) on each of them but notes, which have answers of their own; it is taken",
			run: func(w *world, a []string, _ [][]string) outcome {
				return each(w, func(ev *nostr.Event) outcome {
					if ev.Kind == client.KindNote {
						return outcome{}
					}
					return w.publish(client.Comment(w.key(a[0]), ev, w.run.purpose(), w.tick())).then(w.accepted)
				})
			},
		},
		{
			text: `the {actor} asks in one request to delete all of them by (id|address)`,
			role: act, sees: answers, answered: true, cost: cost{events: 1},
			doc: "publishes one deletion request for what is there in every dress, by e tags or by a tags, whatever the answer",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.askToDeleteAll(a[0], w.sent.posted, a[1], w.tick())
			},
		},
		{
			text: `repositories of the owner in every dress were announced, with states in the same dresses`,
			role: setUp, sees: answers, cost: cost{events: 18},
			doc: "for each dress an announcement and a state of it, which names main, were accepted; an announcement that was refused for what it wears is left out",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.announceDressed() },
		},
		{
			text: `each of them takes its first push`,
			role: assertion, sees: reports, cost: cost{pushes: 9},
			doc: "to each of these repositories a client pushes what its state says, which succeeds",
			run: func(w *world, _ []string, _ [][]string) outcome {
				for _, name := range slices.Compact(slices.Clone(w.sent.dressing.names)) {
					if out := w.push(whose("owner", name), dressedTable(), nil).then(w.succeeded); !out.held() {
						out.reason = quote(name) + ": " + out.reason
						return out
					}
				}
				return outcome{}
			},
		},
		{
			text: `none of them was ever served`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, no query brings what was sent in every dress, where such events are held, and no subscription got it",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.noneServed(w.sent.posted, true) },
		},
		{
			text: `none of them is served any more`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, no query brings one of those in every dress",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.noneServed(w.sent.posted, false) },
		},
	}
}
