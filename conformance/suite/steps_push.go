package suite

import (
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

func pushSteps() []definition {
	return []definition{
		define(`a client pushes:`, func(w *world, _ []string, table [][]string) outcome {
			return w.push("owner", table, nil)
		}),
		define(`a client pushes to the {actor}'s repository:`, func(w *world, a []string, table [][]string) outcome {
			return w.push(a[0], table, nil)
		}),
		define(`a client pushed:`, func(w *world, _ []string, table [][]string) outcome {
			return w.asPrecondition(func() outcome { return w.push("owner", table, nil).then(w.succeeded) })
		}),
		define(`a client pushes (`+forms()+`):`, func(w *world, a []string, table [][]string) outcome {
			return w.push("owner", table, spoilers()[a[0]])
		}),
		define(`a client that saw the refs as they were before pushes:`, func(w *world, _ []string, table [][]string) outcome {
			return w.push("owner", table, outdated(w.pushed.before))
		}),
		define(`{number} clients push at once:`, func(w *world, a []string, table [][]string) outcome {
			return w.pushAtOnce(int(number(a[0])), table)
		}),
		define(`a client pushes while the owner's next state arrives:`, func(w *world, _ []string, table [][]string) outcome {
			return w.pushDuring(table)
		}),
		define(`the push changes nothing`, func(w *world, _ []string, _ [][]string) outcome { return w.changedNothing() }),
		define(`no ref moved but as a state says`, func(w *world, _ []string, _ [][]string) outcome { return w.movedAsSigned() }),
		define(`the push is accepted or refused`, func(w *world, _ []string, _ [][]string) outcome { return w.recordPush() }),
		define(`at most one of the two pushes was accepted`, func(w *world, _ []string, _ [][]string) outcome {
			return w.acceptedOnce()
		}),
		define(`the commit (\w+) cannot be fetched`, func(w *world, a []string, _ [][]string) outcome {
			return w.unfetchable(w.history.oid(a[0]))
		}),
		define(`a client pushes what the state with the lower id says`, func(w *world, _ []string, _ [][]string) outcome {
			return w.push("owner", w.lowest, nil)
		}),
		define(`the push succeeds`, func(w *world, _ []string, _ [][]string) outcome { return w.succeeded() }),
		define(`the push is refused`, func(w *world, _ []string, _ [][]string) outcome { return w.refused() }),
		define(`the ref (refs/.+) is refused`, func(w *world, a []string, _ [][]string) outcome { return w.refRefused(a[0]) }),
		define(`the refusal tells a reason`, func(w *world, _ []string, _ [][]string) outcome { return w.tellsReason() }),
		define(`this push is accepted:`, func(w *world, _ []string, table [][]string) outcome {
			return w.twin(w.pushTwin("owner", table))
		}),
		define(`a push of the (?:whole pack|latest state) then succeeds:`, func(w *world, _ []string, table [][]string) outcome {
			out := w.pushTwin("owner", table)
			if out.verdict == Fail {
				return out // that a correct retry works is part of the requirement
			}
			return w.twin(out)
		}),
		define(`the same push is accepted once the {actor} published the state{date}:`, func(w *world, a []string, table [][]string) outcome {
			p := w.pushed
			return w.twin(w.publishState(a[0], "", w.dated(a[1]), table).then(w.accepted).then(func() outcome {
				return w.pushTwin(p.actor, p.rows)
			}))
		}),
		define(`the same push is accepted once the {actor} announced the repository and published the state:`, func(w *world, a []string, table [][]string) outcome {
			p := w.pushed
			return w.twin(w.announce(announcing{actor: a[0]}).then(w.accepted).then(func() outcome {
				return w.publishState(a[0], "", w.tick(), table).then(w.accepted)
			}).then(func() outcome { return w.pushTwin(p.actor, p.rows) }))
		}),
		define(`(?:another )?{number} minutes pass`, func(w *world, a []string, _ [][]string) outcome {
			w.close() // no connection has to live through the wait
			return passed(w.client.Wait(w.ctx, time.Duration(number(a[0]))*time.Minute))
		}),
	}
}

// tellsReason judges that the refusal of the last push has words.
func (w *world) tellsReason() outcome {
	reason, _ := client.Refusal(w.pushed.answer)
	switch o := w.pushed.answer.(type) {
	case client.PushReport:
		reason = o.Messages
		for _, ref := range o.Refs {
			reason += ref.Reason
		}
		if o.Unpack != "ok" {
			reason += o.Unpack
		}
	case client.ErrPkt:
		reason = o.Text
	case client.HTTPAnswer:
		reason = string(o.Body)
	}
	if reason == "" {
		return violated("the push was refused without a word: %v", w.pushed.answer)
	}
	return outcome{}
}
