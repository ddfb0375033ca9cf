package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

func eventSteps() []step {
	return []step{
		{
			text: `the {actor} posts an issue`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an issue on the lighthouse",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postIssue(a[0], "plain", w.tick())
			},
		},
		{
			text: `the {actor} posts the issue{name}`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an issue on the lighthouse, known by this name",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postIssue(a[0], a[1], w.tick())
			},
		},
		{
			text: `the {actor} posted the issue{name}{date}`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an issue on the lighthouse, known by this name, was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postIssue(a[0], a[1], w.dated(a[2])).then(w.accepted)
			},
		},
		{
			text: `the {actor} posts the issue{name} again`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "sends the issue of this name once more",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publish(w.event("issue " + quote(a[1])))
			},
		},
		{
			text: `the {actor} posted a comment{name} on the issue{name}{date}`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "a comment (NIP-22) on an issue was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := client.Comment(w.key(a[0]), w.event("issue "+quote(a[2])), w.run.purpose(), w.dated(a[3]))
				w.remember("issue", a[1], ev)
				return w.publish(ev).then(w.accepted)
			},
		},
		{
			text: `the {actor} posted {number} issues of one time`,
			role: setUp, sees: answers, cost: cost{events: 1, each: true},
			doc: "so many issues with one created_at were accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postTies(int(number(a[1])), a[0])
			},
		},
		{
			text: `the {actor} and the {actor} posted {number} issues of one time, by turns`,
			role: setUp, sees: answers, cost: cost{events: 1, each: true},
			doc: "so many issues with one created_at, each by another of the two than the one before, were accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postTies(int(number(a[2])), a[0], a[1])
			},
		},
		{
			text: `the {actor} posts a malformed issue with {any}`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "sends an issue with the one fault named",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postMalformed(a[0], a[1])
			},
		},
		{
			text: `the malformed event is refused`,
			role: assertion, sees: answers, refuses: true, unmoved: true,
			doc: "the answer is OK false, a NOTICE or the end of the connection",
			run: func(w *world, _ []string, _ [][]string) outcome {
				switch w.sent.answer.(type) {
				case client.NoticeFrame, client.TransportError: // who hangs up on nonsense answers the proper event all the same
					return outcome{}
				}
				return w.eventRefused()
			},
		},
		{
			text: `the refusal has a machine-readable prefix`,
			role: assertion, sees: answers,
			doc: "if the event is refused, then with one of the machine-readable prefixes of NIP-01",
			run: func(w *world, _ []string, _ [][]string) outcome {
				if why := unreadable(w.sent.answer); why != "" {
					return violated("%s", why)
				}
				return w.answeredOrTold()
			},
		},
		{
			text: `the well-formed issue is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "the same issue without the fault is accepted",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.publish(w.event("issue")).then(w.accepted)
			},
		},
		{
			text: `the event is accepted`,
			role: assertion, sees: answers,
			doc: "the answer is OK true",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.accepted() },
		},
		{
			text: `the event is accepted, waiting for git data`,
			role: assertion, sees: answers,
			doc: "the answer is OK true with the prefix purgatory",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.accepted().then(w.waits)
			},
		},
		{
			text: `the event is accepted, waiting for nothing`,
			role: assertion, sees: answers,
			doc: "the answer is OK true without the prefix purgatory",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.accepted().then(w.waitsNot)
			},
		},
		{
			text: `the event is refused`,
			role: assertion, sees: answers, refuses: true, unmoved: true,
			doc: "the answer is OK false",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.eventRefused() },
		},
		{
			text: `the answer to the event is recorded`,
			role: record, sees: answers,
			doc: "the event is answered, and the answer noted",
			run: func(w *world, _ []string, _ [][]string) outcome {
				w.note("%s: %v", describe(w.sent.last), w.sent.answer)
				return w.answeredAtAll()
			},
		},
		{
			text: `the event is accepted, or such events are not taken`,
			role: assertion, sees: answers,
			doc: "the answer is OK true; a refusal makes the check not applicable",
			run: func(w *world, _ []string, _ [][]string) outcome {
				if reason, refused := client.Refusal(w.sent.answer); refused {
					return notApplicable("the server does not take events of kind %d: %s", w.sent.last.Kind, reason)
				}
				return w.accepted()
			},
		},
		{
			text: `the event is answered without a failure`,
			role: assertion, sees: answers,
			doc: "the event is answered, and not with the prefix error and words about a fault of the server",
			run: func(w *world, _ []string, _ [][]string) outcome {
				if ok, is := w.sent.answer.(client.OKFrame); is && !ok.Accepted && ok.Prefix == "error" && ownFault.MatchString(ok.Text) {
					return violated("the event makes the server fail: %v", ok)
				}
				return w.answeredAtAll()
			},
		},
		{
			text: `the event is refused, or accepted and waiting`,
			role: assertion, sees: answers,
			doc: "the event is answered, yes or no",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.answeredAtAll()
			},
		},
	}
}

// ownFault tells the refusals that speak of the server itself: the prefix error alone is for whatever no other one fits (NIP-01), and who
// says of the reason that it is unknown says nothing of a fault.
var ownFault = regexp.MustCompile(`(?i)\b(?:internal|panic\w*|exception|crash\w*|database|disk|storage|unknown error|server error|` +
	`could not be (?:made|created|stored|saved|written)|fail\w* to (?:make|create|store|save|write|open|insert|process))\b`)

// needLighthouse sets the lighthouse up for a check that refers to it.
func (w *world) needLighthouse() outcome { return w.run.lighthouse.ready(w.ctx) }

// issue builds an issue on the lighthouse whose topic is its name in this check.
func (w *world) issue(actor, name string, date int64) *nostr.Event {
	tags := [][]string{
		{"a", w.run.lighthouse.address}, {"subject", name}, {"t", w.topic(name)},
	}
	return client.Build(w.key(actor), client.KindIssue, append(tags, w.markers()...), w.run.purpose(), date)
}

// topic is the t tag of an issue, in this check alone.
func (w *world) topic(name string) string { return w.identifier + "-" + name }

func (w *world) postIssue(actor, name string, date int64) outcome {
	return w.needLighthouse().then(func() outcome {
		ev := w.issue(actor, name, date)
		w.remember("issue", name, ev)
		return w.publish(ev)
	})
}

// postTies publishes n issues of one time by actors in turn, in the order of their names.
func (w *world) postTies(n int, actors ...string) outcome {
	date := w.tick()
	for i := range n {
		out := w.postIssue(actors[i%len(actors)], fmt.Sprintf("tie%c", 'a'+i), date).then(w.accepted).asSetup()
		if !out.held() {
			return out
		}
		w.sent.posted = append(w.sent.posted, w.sent.last)
	}
	return outcome{}
}

// eventRefused judges the answer to an event that has to be refused.
func (w *world) eventRefused() outcome {
	what := "an event that has to be refused"
	if ok, is := w.sent.answer.(client.OKFrame); is && ok.Accepted {
		return violated("%s was accepted: %v", what, ok)
	}
	if _, refused := client.Refusal(w.sent.answer); refused {
		return outcome{}
	}
	if _, silent := w.sent.answer.(client.Silence); silent {
		if again := w.askAgain(); !again.held() {
			return again
		}
		if _, silent = w.sent.answer.(client.Silence); !silent {
			return w.eventRefused()
		}
		return w.refusedBadly(what, w.sent.answer)
	}
	if refusedBadly(w.sent.answer) {
		return w.refusedBadly(what, w.sent.answer)
	}
	return unlessInconclusive(what, w.sent.answer)
}

// The words of an event that waits; the prefix counts, the text is noted.
const (
	waitingPrefix = "purgatory"
	waitingText   = "won't be served until git data arrives"
)

func (w *world) waits() outcome {
	ok, _ := w.sent.answer.(client.OKFrame)
	if ok.Prefix != waitingPrefix {
		return violated("accepted without the prefix %q: %v", waitingPrefix+":", ok)
	}
	if ok.Text != waitingText {
		w.note("the text is %q, not %q", ok.Text, waitingText)
	}
	return outcome{}
}

func (w *world) waitsNot() outcome {
	if ok, _ := w.sent.answer.(client.OKFrame); ok.Prefix == waitingPrefix {
		return violated("the event waits, although its git data is there: %v", ok)
	}
	return outcome{}
}

// postMalformed spoils a well-formed issue, which is remembered for the twin, and sends it.
func (w *world) postMalformed(actor, fault string) outcome {
	return w.needLighthouse().then(func() outcome {
		ev := w.issue(actor, "spoilt", w.tick())
		w.remember("issue", "", ev)
		return w.sendMalformed(spoil(client.EventJSON(ev), fault))
	})
}

// sendMalformed sends what is no proper event.
func (w *world) sendMalformed(raw []byte) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	w.sent.again = func() outcome { return w.sendMalformed(raw) }
	w.answered(relay.PublishMalformed(w.ctx, raw, ""))
	return outcome{}
}

// spoil changes one thing of an event.
func spoil(good []byte, fault string) []byte {
	var event map[string]any
	var own struct {
		ID      string `json:"id"`
		Pubkey  string `json:"pubkey"`
		Sig     string `json:"sig"`
		Content string `json:"content"`
		Tags    []any  `json:"tags"`

		CreatedAt int64 `json:"created_at"`
	}
	if err := errors.Join(json.Unmarshal(good, &event), json.Unmarshal(good, &own)); err != nil {
		panic("suite: invariant: own event: " + err.Error())
	}
	switch fault {
	case "a wrong signature":
		event["sig"] = flip(own.Sig)
	case "a wrong id":
		event["id"] = flip(own.ID)
	case "changed content":
		event["content"] = own.Content + "!"
	case "another date":
		event["created_at"] = own.CreatedAt - 1
	case "one tag more":
		event["tags"] = append(own.Tags, []any{"x", "y"})
	case "a signature cut short":
		event["sig"] = own.Sig[:len(own.Sig)-2]
	case "a public key cut short":
		event["pubkey"] = own.Pubkey[:len(own.Pubkey)-2]
	case "an id in upper case":
		event["id"] = strings.ToUpper(own.ID)
	case "a negative kind":
		event["kind"] = -1
	case "a fractional kind":
		event["kind"] = 1621.5
	case "tags that are no lists":
		event["tags"] = []any{"a", "b"}
	case "a number inside a tag":
		event["tags"] = append(own.Tags, []any{"x", 7})
	default:
		panic("suite: invariant: unknown fault " + fault)
	}
	bad, err := json.Marshal(event)
	if err != nil {
		panic("suite: invariant: spoilt event: " + err.Error())
	}
	return bad
}

// flip changes the last hexadecimal digit.
func flip(hex string) string {
	digit := "0"
	if strings.HasSuffix(hex, digit) {
		digit = "1"
	}
	return hex[:len(hex)-1] + digit
}
