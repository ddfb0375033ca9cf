package suite

import (
	"fmt"

	"github.com/graspkit/graspkit/conformance/client"
)

func spellingSteps() []step {
	return []step{
		{
			text: `the {actor} posts an issue written {any}`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an issue in one of the ways in which JSON may write it",
			run: func(w *world, a []string, _ [][]string) outcome {
				form, known := spellings()[a[1]]
				if !known {
					panic("suite: invariant: unknown spelling " + a[1])
				}
				return w.postWritten(a[0], form)
			},
		},
		{
			text: `an issue of the {actor} of nothing but long characters is taken like one of as many bytes`,
			role: assertion, sees: answers, cost: cost{events: 4},
			doc: "an issue of twelve hundred letters is taken, and one of three hundred characters of four bytes; where the latter is not answered, both are sent once more",
			run: func(w *world, a []string, _ [][]string) outcome { return w.takesLong(a[0]) },
		},
		{
			text: `issues of the {actor} with half of a character are answered`,
			role: assertion, sees: answers, cost: cost{events: 4},
			doc: "an issue whose content, and one whose tag, has half of a character is answered by a message or the end of the connection; where it is not, and one without it is taken, both are sent once more",
			run: func(w *world, a []string, _ [][]string) outcome { return w.answersHalves(a[0]) },
		},
		{
			text: `issues of the {actor} whose expiration is no time are answered`,
			role: assertion, sees: answers, cost: cost{events: 16},
			doc: "issues with eight tags in place of an expiration are answered, yes or no; where one is not, and one without an expiration is taken, both are sent once more",
			run: func(w *world, a []string, _ [][]string) outcome { return w.answersOddExpirations(a[0]) },
		},
		{
			text: `the {actor} posted an issue with a field that no rule knows`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an issue with a text in an unknown field was accepted; a server that refuses it is not judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postWithFields(a[0], "a text").then(func() outcome {
					if reason, refused := client.Refusal(w.sent.answer); refused {
						return notApplicable("the server does not take events with unknown fields: %s", reason)
					}
					if notice, is := w.sent.answer.(client.NoticeFrame); is {
						return notApplicable("the server does not take events with unknown fields: %v", notice)
					}
					return w.accepted()
				})
			},
		},
		{
			text: `the {actor} posts an issue with (words|numbers|lists|objects|texts) in fields that no rule knows`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an issue that has further fields with values of this type, before its own fields and behind them",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postWithFields(a[0], a[1])
			},
		},
		{
			text: `the {actor} posts malformed issues with {any}`,
			role: act, sees: answers,
			doc: "sends an issue with each of the faults of a class",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postMisspelt(a[0], a[1])
			},
		},
		{
			text: `all malformed events are refused`,
			role: assertion, sees: answers, refuses: true, unmoved: true,
			doc: "each answer is OK false or a NOTICE",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.allRefused() },
		},
		{
			text: `a client sends malformed (queries|counts|reconciliations|authentications|messages)`,
			role: assertion, sees: answers,
			doc: "each of them is answered, and the connection is usable after it",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.sendFaulty(a[0])
			},
		},
		{
			text: `a client sends messages that may have no answer`,
			role: act,
			doc:  "sends ends of nothing, malformed ones among them, on the actors' connection",
			run: func(w *world, _ []string, _ [][]string) outcome {
				relay, out := w.connect()
				if !out.held() {
					return out
				}
				for _, message := range unanswerable() {
					if o := relay.SendRaw(w.ctx, []byte(message)); o != nil {
						return unlessInconclusive("send", o)
					}
				}
				return outcome{}
			},
		},
		{
			text: `the connection is usable`,
			role: assertion, sees: servedEvents,
			doc: "a REQ gets its EOSE on the same connection, and an event its OK",
			run: func(w *world, _ []string, _ [][]string) outcome {
				if out := w.alive(); !out.held() {
					return out
				}
				return w.postIssue("contributor", "usable", w.tick()).then(w.accepted)
			},
		},
	}
}

// postWritten publishes an issue that is written in a way of its own.
func (w *world) postWritten(actor string, form spelling) outcome {
	return w.needLighthouse().then(func() outcome {
		// A tag has the same text, for the id is the hash of all of it.
		tags := append([][]string{{"a", w.run.lighthouse.address}, {"subject", form.content}}, w.markers()...)
		ev := client.Build(w.key(actor), client.KindIssue, tags, form.content, w.tick())
		w.remember("issue", "", ev)
		return w.sendFrame(ev.ID, form.write(ev, eventMessage(ev)))
	})
}

// postWithFields publishes an issue with further fields of one type.
func (w *world) postWithFields(actor, values string) outcome {
	return w.needLighthouse().then(func() outcome {
		ev := w.issue(actor, "fields", w.tick())
		w.remember("issue", "", ev)
		return w.sendFrame(ev.ID, withFields(eventMessage(ev), unknownFields()[values]))
	})
}

// sendFrame sends the message of an event as it is written, and keeps the answer.
func (w *world) sendFrame(id, message string) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	w.answered(relay.PublishFrame(w.ctx, []byte(message), id))
	return outcome{}
}

// sendFaulty sends messages one after the other, each of which needs an answer.
func (w *world) sendFaulty(what string) outcome {
	for _, message := range malformed(what) {
		if most, stated := w.run.facts.limit("max_message_length"); stated && len(message) > int(most) {
			continue
		}
		out := w.sendMessage(message)
		if (out.verdict == Fail || out.broken) && w.client.Death() == "" && w.relay.conn != nil { // it may have had enough of this connection, and not of this message
			w.relay.conn.Close()
			w.relay.conn, w.relay.watching = nil, false
			out = w.sendMessage(message)
		}
		if !out.held() {
			out.reason = fmt.Sprintf("%.200s: %s", message, out.reason)
			return out
		}
	}
	if o := w.relay.conn.SendRaw(w.ctx, []byte(`["CLOSE","x"]`)); o != nil { // what a relay may have understood
		return unlessInconclusive("close", o)
	}
	return outcome{}
}
