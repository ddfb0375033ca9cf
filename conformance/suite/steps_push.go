package suite

import (
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

func pushSteps() []step {
	return []step{
		{
			text: `a client pushes:`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes the refs of the table, with the old values that are advertised; (delete) deletes",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.push("owner", table, nil)
			},
		},
		{
			text: `a client pushes to the {actor}'s repository{name}:`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes the refs of the table to this repository",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.push(whose(a[0], a[1]), table, nil)
			},
		},
		{
			text: `a client pushed:`,
			role: setUp, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "a push of the refs of the table succeeded",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.push("owner", table, nil).then(w.succeeded)
			},
		},
		{
			text: `the same push to the {actor}'s repository{name} is accepted`,
			role: twin, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "the refused push succeeds where it is signed",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.pushTwin(whose(a[0], a[1]), w.git.pushed.rows)
			},
		},
		{
			text: `the same push to the {actor}'s repository{name} is accepted once the {actor} published its state`,
			role: twin, sees: reports, cost: cost{events: 1, pushes: 1}, within: refsWithin,
			doc: "the refused push succeeds in this repository once its state by the second actor is there",
			run: func(w *world, a []string, _ [][]string) outcome {
				rows := w.git.pushed.rows
				return w.publishState(whose(a[2], a[1]), "", w.tick(), rows).then(w.accepted).then(func() outcome {
					return w.pushTwin(whose(a[0], a[1]), rows)
				})
			},
		},
		{
			text: `a client pushed to the {actor}'s repository{name}:`,
			role: setUp, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "a push of the refs of the table to this repository succeeded",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.push(whose(a[0], a[1]), table, nil).then(w.succeeded)
			},
		},
		{
			text: `a client brought what was missing of:`,
			role: setUp, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "the refs of the table are there, by a push of those that the server has not moved by itself",
			run: func(w *world, _ []string, table [][]string) outcome { return w.pushTwin("owner", table) },
		},
		{
			text: `a client pushes (` + forms() + `):`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes the refs of the table in this form",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.takesForm("owner", a[0]).then(func() outcome { return w.push("owner", table, spoilers()[a[0]]) })
			},
		},
		{
			text: `a client that saw the refs as they were before pushes:`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes with the old values of the push before",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.push("owner", table, outdated(w.git.pushed.before))
			},
		},
		{
			text: `{number} clients push at once:`,
			role: act, sees: reports, cost: cost{pushes: 1, each: true},
			doc: "so many connections send the same push at the same time",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.pushAtOnce(int(number(a[0])), table)
			},
		},
		{
			text: `none of the pushes is answered by a failure`,
			role: assertion, sees: reports,
			doc: "no push that was sent at once with an accepted one got a status from 500 on, an answer that is none, or a cut connection",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.answeredTogether() },
		},
		{
			text: `while a push to the {actor}'s repository{name} is under way, another goes to the {actor}'s repository{name}:`,
			role: act, sees: reports, cost: cost{pushes: 2},
			doc: "half of the first push is sent, then the other one, then the rest; the table has a ref and its commits in both",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.pushBesides(whose(a[0], a[1]), whose(a[2], a[3]), table)
			},
		},
		{
			text: `{number} clients leave in the middle of their pushes to the repository:`,
			role: act,
			doc:  "sends half of a push of the table so many times, one after the other, and hangs up there",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.leaveHalfway(int(number(a[0])), table)
			},
		},
		{
			text: `both pushes succeed`,
			role: assertion, sees: reports, within: refsWithin,
			doc: "the reports accept every command of both, and the refs are there",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.bothSucceeded() },
		},
		{
			text: `a client pushes while the owner's next state arrives:`,
			role: act, sees: reports, cost: cost{events: 1, pushes: 1},
			doc: "the owner's state and the push are under way at the same time",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.pushDuring(table)
			},
		},
		{
			text: `a client asks for the refs, and pushes when the owner's next state has come:`,
			role: act, sees: reports, cost: cost{events: 1, pushes: 1},
			doc: "pushes, without asking again, the refs of the second column; the state has those of the third",
			run: func(w *world, _ []string, table [][]string) outcome { return w.behindState(table) },
		},
		{
			text: `the push changes nothing`,
			role: assertion, sees: advertised, unmoved: true,
			doc: "the push was answered and the advertisement is the one before",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.changedNothing() },
		},
		{
			text: `no ref moved but as a state says`,
			role: assertion, sees: advertised,
			doc: "every ref is where a state of the check has it",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.movedAsSigned() },
		},
		{
			text: `the push is accepted or refused`,
			role: record, sees: reports,
			doc: "the push is answered; what became of it is noted",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.recordPush() },
		},
		{
			text: `at most one of the two pushes was accepted`,
			role: assertion, sees: reports,
			doc: "of two equal pushes at most one was applied",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.acceptedOnce()
			},
		},
		{
			text: `the commit (\w+) cannot be fetched`,
			role: assertion, sees: fetched, refuses: true,
			doc: "a want of the commit is refused, or no advertised ref reaches it",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.unfetchable(w.git.history.oid(a[0]))
			},
		},
		{
			text: `a client pushes what the state with the lower id says`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes the refs of the state that wins by its id",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.push("owner", w.git.lowest, nil)
			},
		},
		{
			text: `the push succeeds`,
			role: assertion, sees: reports, within: refsWithin,
			doc: "the report is ok for each ref, and the refs are there",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.succeeded() },
		},
		{
			text: `the report names each ref of the push`,
			role: assertion, sees: reports,
			doc: "the report of the last push has a line for each of its refs; git takes a ref without one for failed",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.reportsEach() },
		},
		{
			text: `pushes to the repository may have the capability (\S+)`,
			role: setUp, sees: advertised,
			doc: "the advertisement for pushes offers it; else not applicable",
			run: func(w *world, a []string, _ [][]string) outcome { return w.mayHave(a[0]) },
		},
		{
			text: `the push is refused`,
			role: assertion, sees: reports, refuses: true, unmoved: true,
			doc: "the report, the protocol or the status refuses the push, and no ref moved",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.refused() },
		},
		{
			text: `the ref (refs/.+) is refused`,
			role: assertion, sees: reports, refuses: true,
			doc: "the ref is what it was before, or not there, and not reported as done, whatever became of the others",
			run: func(w *world, a []string, _ [][]string) outcome { return w.refRefused(a[0]) },
		},
		{
			text: `the refusal tells a reason`,
			role: assertion, sees: reports,
			doc: "the refusal has words",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.tellsReason() },
		},
		{
			text: `this push is accepted:`,
			role: twin, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "a push of the table succeeds",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.pushTwin("owner", table)
			},
		},
		{
			text: `a push of the (?:whole pack|latest state) then succeeds:`,
			role: twin, scores: true, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "a push of the table succeeds; that it does is part of the requirement",
			run: func(w *world, _ []string, table [][]string) outcome { return w.pushTwin("owner", table) },
		},
		{
			text: `the same push is accepted once the {actor} published the state{date}:`,
			role: twin, sees: reports, cost: cost{events: 1, pushes: 1}, within: refsWithin,
			doc: "the refused push succeeds once the state is there",
			run: func(w *world, a []string, table [][]string) outcome {
				p := w.git.pushed
				return w.publishState(a[0], "", w.dated(a[1]), table).then(w.accepted).then(func() outcome {
					return w.pushTwin(p.actor, p.rows)
				})
			},
		},
		{
			text: `the same push is accepted once the {actor} announced the repository and published the state:`,
			role: twin, sees: reports, cost: cost{events: 2, pushes: 1}, within: refsWithin,
			doc: "the refused push succeeds once announcement and state are there",
			run: func(w *world, a []string, table [][]string) outcome {
				p := w.git.pushed
				return w.announce(announcing{actor: a[0]}).then(w.accepted).then(func() outcome {
					return w.publishState(a[0], "", w.tick(), table).then(w.accepted)
				}).then(func() outcome { return w.pushTwin(p.actor, p.rows) })
			},
		},
		{
			text: `(?:another )?{number} minutes pass`,
			role: act, sees: passing,
			doc: "time passes",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.close() // no connection has to live through the wait
				w.ticks += number(a[0]) * 60
				return passed(w.client.Wait(w.ctx, time.Duration(number(a[0]))*time.Minute))
			},
		},
	}
}

// tellsReason judges that the refusal of the last push has words.
func (w *world) tellsReason() outcome {
	reason, refused := client.Refusal(w.git.pushed.answer)
	if !refused && client.Inconclusive(w.git.pushed.answer) {
		return w.refusedBadly("a push that has to be refused in words", w.git.pushed.answer)
	}
	switch o := w.git.pushed.answer.(type) {
	case client.PushReport:
		words := []string{o.Messages}
		for _, ref := range o.Refs { // there may be thousands
			words = append(words, ref.Reason)
		}
		if o.Unpack != "ok" {
			words = append(words, o.Unpack)
		}
		reason = strings.Join(words, "")
	case client.ErrPkt:
		reason = o.Text
	case client.HTTPAnswer:
		reason = string(o.Body)
	case client.BadAnswer:
		return violated("git cannot read the refusal: %s: %v", o.Text, o.HTTP)
	}
	if reason == "" {
		return violated("the push was refused without a word: %v", w.git.pushed.answer)
	}
	return outcome{}
}
