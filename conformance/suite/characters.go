package suite

import (
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/conformance/client"
)

// everyCharacter are texts of characters that somebody may cut, trim, compose or take for something else when an event is kept or loaded. Of
// the last ones, which are below the blank and have no short escape, the id of an event is made in two ways (see edgesOfUnits): a server may
// refuse them.
func everyCharacter() []dress {
	return []dress{
		{name: "blanks", content: " \t\u00a0\u3000 at both ends \u3000\u00a0\t "},
		{name: "returns", content: "one\r\ntwo\rthree\n\r\n"},
		{name: "short escapes", content: "\b\f \"quoted\" \\ /"},
		{name: "lines", content: "one\u2028two\u2029three\u0085"},
		{name: "deletes", content: "\x7f\u0080\u009f"},
		{name: "directions", content: "\ufeff\u200b\u200e\u202e\u2066"},
		{name: "beyond", content: "\U0001f680\U0010ffff\ufffd\ufffe\uffff"},
		{name: "composed", content: "e\u0301 \u00e9 \ufb01 \u212b \u1100\u1161"},
		{name: "words", content: `\u0000 \x00 \0 %00 &#0; \n ' '' -- ; $1 ? {} \N`},
		{name: "zero", content: "before\x00behind"},
		{name: "controls", content: "\x01\x0b\x1a\x1b\x1f"},
	}
}

// signCharacters signs issues that have each of these texts as their content, in a tag and as a value to ask by, and sends none.
func (w *world) signCharacters(actor string) outcome {
	return w.needLighthouse().then(func() outcome {
		w.sent.posted, w.sent.dressing.names = nil, nil
		for _, d := range everyCharacter() {
			tags := [][]string{{"a", w.run.lighthouse.address}, {"subject", d.content}, {"l", w.topic(d.name) + d.content}}
			ev := client.Build(w.key(actor), client.KindIssue, append(tags, w.markers()...), d.content, w.tick())
			w.remember("issue", d.name, ev)
			w.sent.posted, w.sent.dressing.names = append(w.sent.posted, ev), append(w.sent.dressing.names, d.name)
		}
		return outcome{}
	})
}

// foundAsSigned judges that what a query brings of some events has their ids for good reason, and notes what it does not bring.
func (w *world) foundAsSigned() outcome {
	for i, ev := range w.sent.posted {
		got, out := w.query(client.Filter{IDs: []string{ev.ID}})
		switch {
		case !out.held():
			out.reason = quote(w.sent.dressing.names[i]) + ": " + out.reason
			return out
		case !holds(got, ev):
			w.note("%s is not there any more", quote(w.sent.dressing.names[i]))
		}
	}
	return outcome{}
}

// foundByCharacters judges that each of the events is found by its value. A query by a character that cannot be in one of some databases may
// be refused.
func (w *world) foundByCharacters() outcome {
	for i, ev := range w.sent.posted {
		relay, out := w.connect()
		if !out.held() {
			return out
		}
		got, o := relay.Query(w.ctx, client.Filter{Kinds: []int{ev.Kind}, Tags: map[string][]string{"l": {ev.Tags.Find("l")[1]}}})
		name := w.sent.dressing.names[i]
		switch {
		case o != nil && slices.Contains([]string{"zero", "controls"}, name) && w.turnsAway(relay, o):
			w.note("a query by %q is refused: %v", name, o)
		case o != nil:
			return w.unanswering(o)
		case !holds(got, ev):
			return violated("a query by its value does not bring the issue %q", name)
		}
	}
	return outcome{}
}

// characterSteps are about texts of every character.
func characterSteps() []step {
	sum := len(everyCharacter())
	return []step{
		{
			text: `issues of the {actor} with characters of every sort were sent`,
			role: setUp, sees: answers, cost: cost{events: sum},
			doc: fmt.Sprintf("%d issues, whose content and tags have blanks at their ends, line breaks of every kind, characters without width, beyond 16 bits and below the blank, were answered; those that were refused are left out", sum),
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.signCharacters(a[0]).then(w.sendDressed).asSetup()
			},
		},
		{
			text: `what is found of them is as it was signed`,
			role: assertion, sees: servedEvents,
			doc: "a query by the id of each brings the event with its id and signature, or nothing, which is noted",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.foundAsSigned() },
		},
		{
			text: `each of them is found by its value`,
			role: assertion, sees: servedEvents,
			doc: "a query by the tag of each, which ends in the same characters, brings it; one by a character below the blank may be refused",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.foundByCharacters() },
		},
	}
}
