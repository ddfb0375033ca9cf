package suite

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/graspkit/graspkit/conformance/client"
)

func transportSteps() []step {
	return []step{
		{
			text: `the owner published a state of {number} branches`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "a state of so many branches was answered",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.git.many = branches(int(number(a[0])))
				return w.publishState("owner", "", w.tick(), w.git.many).then(w.answeredAtAll)
			},
		},
		{
			text: `a client pushes all of them`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes the refs of that state",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.push("owner", w.git.many, nil)
			},
		},
		{
			text: `the owner published a state of {number} branches, if so many are taken`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "a state of so many branches was accepted, or not answered yet; a server that refuses it is not judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.git.many = branches(int(number(a[0])))
				return w.publishState("owner", "", w.tick(), w.git.many).then(func() outcome {
					if unanswered(w.sent.answer) {
						return outcome{} // a server may move the refs first: they show whether it has taken it
					}
					return w.answeredAtAll()
				}).then(func() outcome {
					if ok, is := w.sent.answer.(client.OKFrame); is && !ok.Accepted {
						return notApplicable("a state of %s branches is refused: %v", a[0], ok)
					}
					return outcome{}
				})
			},
		},
		{
			text: `the repository has all of them, once it has any`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the refs of that state are there, all of them; as long as more come, or where none comes, nothing is judged",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.hasAll(w.git.many) },
		},
		{
			text: `a client pushes all of them, and a branch that no state names behind them`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes the refs of that state and one more, refs/heads/unnamed, which is the last one of the list",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.push("owner", append(slices.Clone(w.git.many), []string{"refs/heads/unnamed", "second"}), nil)
			},
		},
		{
			text: `a push of those that it names is accepted`,
			role: twin, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "a push of the refs of that state succeeds",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.pushTwin("owner", w.git.many) },
		},
		{
			text: `the push works or is refused with a clear error`,
			role: assertion, sees: reports, within: refsWithin,
			doc: "the push is accepted, or refused in words, and then no ref moved",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.worksOrTells()
			},
		},
		{
			text: `what was pushed can be cloned in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "all of an accepted push can be fetched",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.cloneable(int(number(a[0])))
			},
		},
		{
			text: `what was pushed can be cloned in protocol version {number}, and again once {number} clients have left in the middle of that`,
			role: assertion, sees: fetched,
			doc: "all of an accepted push can be fetched, and still can when so many clients, one after the other, have hung up behind the first bytes of such an answer; no answer, twice, is none where the first clone and the advertisement took a third of that at most",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.clonedOnceLeft(int(number(a[0])), int(number(a[1])))
			},
		},
		{
			text: `a fetch since the (first|second|third) commit brings {number} commits in protocol version {number}, if that is offered`,
			role: assertion, sees: fetched,
			doc: "the pack holds so many commits; where that is not offered the check is not applicable",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchSince(a[0], a[1], int(number(a[2])))
			},
		},
	}
}

// Sizes of the files of a bulk.
const bulkFileBytes = 1 << 20

var bulkFiles = map[string]int{"bulky": 5, "weighty": 20, "huge": 50} // files of bulkFileBytes

// branches is a state of main and others, in turn at the first and the second commit.
func branches(n int) [][]string {
	rows := [][]string{{"refs/heads/main", "second"}}
	for i := 1; i < n; i++ {
		rows = append(rows, []string{fmt.Sprintf("refs/heads/release/%04d", i), []string{"first", "second"}[i%2]})
	}
	return rows
}

// manyRounds bounds how often more refs are waited for as long as some come.
const manyRounds = 20

// hasAll judges that the refs of a table come, and not a part of them: a slow server has the time that it takes, as long as more come.
func (w *world) hasAll(rows [][]string) outcome {
	at := make(map[string]string, len(rows))
	for _, row := range rows {
		at[row[0]] = w.git.history.oid(row[1])
	}
	const first = 1 // main was there before
	there := first
	for range manyRounds {
		before := there
		done, o := w.client.Poll(w.ctx, refsWithin, func() (bool, client.Observation) {
			o := w.client.Advertise(w.ctx, w.path("owner"), client.UploadPack, 0)
			advert, is := o.(client.Advert)
			if !is {
				return false, o
			}
			there = 0
			for _, ref := range advert.Refs {
				if at[ref.Name] != "" && at[ref.Name] == ref.OID {
					there++
				}
			}
			return there == len(rows), o
		})
		_, late := o.(client.Late)
		switch {
		case done || late:
			return outcome{}
		case client.Inconclusive(o):
			return inconclusive("advertisement", o)
		case there == before && there > first:
			return violated("%d of the %d refs of the state are there, and no more come", there, len(rows))
		case there == before:
			return outcome{verdict: Inconclusive, reason: fmt.Sprintf("of the %d refs of the state none has come", len(rows)-first)}
		}
	}
	return outcome{verdict: Inconclusive, reason: fmt.Sprintf("%d of the %d refs of the state are there, and more come", there, len(rows))}
}

// worksOrTells judges a push that may be too much for a server: it is accepted, or its refusal has words for the git
// user, or the HTTP status for it, and changes nothing.
func (w *world) worksOrTells() outcome {
	if out := w.pushedAgain(); !out.held() {
		return out
	}
	if report, is := w.git.pushed.answer.(client.PushReport); is && report.Accepted() {
		return w.succeeded()
	}
	if _, silent := w.git.pushed.answer.(client.Silence); silent {
		return inconclusive("a large push", w.git.pushed.answer) // it may have been done, and take longer still
	}
	if out := w.unchanged(); !out.held() {
		return out
	}
	w.note("the push is refused: %.200v", w.git.pushed.answer)
	if answer, is := w.git.pushed.answer.(client.HTTPAnswer); is && answer.Status == http.StatusRequestEntityTooLarge {
		return outcome{}
	}
	if _, refused := client.Refusal(w.git.pushed.answer); !refused {
		return unlessInconclusive("a large push", w.git.pushed.answer)
	}
	return w.tellsReason()
}

// cloneable judges that a push that was accepted can be got back whole; there is nothing to judge about another.
func (w *world) cloneable(version int) outcome {
	if report, is := w.git.pushed.answer.(client.PushReport); !is || !report.Accepted() {
		return outcome{}
	}
	tips := w.tipsPushed()
	objects, out := w.fetched("clone of what was pushed", w.path(w.git.pushed.actor), version, tips, client.FetchOpts{})
	if !out.held() {
		return out
	}
	return connected(objects, tips)
}

// tipsPushed are the new values of the last push.
func (w *world) tipsPushed() []string {
	var tips []string
	for _, row := range w.git.pushed.rows {
		tips = append(tips, w.git.history.oid(row[1]))
	}
	return tips
}

// connected judges that a clone holds all that its tips need.
func connected(objects *client.Objects, tips []string) outcome {
	for _, tip := range tips {
		if err := objects.Connected(tip); err != nil {
			return violated("the clone is incomplete: %v", err)
		}
	}
	return outcome{}
}

// fetchSince gets what is not older than a commit of the lighthouse.
func (w *world) fetchSince(commit, want string, version int) outcome {
	advert, out := w.listLighthouse(version)
	if !out.held() {
		return out
	}
	if out := offersDepths(advert); !out.held() {
		return out
	}
	if _, offered := advert.Cap("deepen-since"); !offered && advert.Version < 2 {
		return notApplicable("deepen-since is not offered: the capabilities are %v", advert.Caps)
	}
	at := map[string]int{"first": 0, "second": 1, "third": 2}[commit]
	opts := client.FetchOpts{DeepenSince: client.HistoryTime(at)}
	return w.fetchCounted(version, opts, []string{want})
}

// twoValues names each ref a second time, with another object than the first.
func twoValues(w *world, opts *client.PushOpts) {
	tips := []string{w.git.history.oid("side")}
	for _, c := range opts.Commands {
		if c.New != client.ZeroOID {
			tips = append(tips, c.New)
		}
		c.New = w.git.history.oid("side")
		opts.Commands = append(opts.Commands, c)
	}
	opts.Pack = w.git.history.Pack(tips, nil)
}

// shallowBetween puts a line about a shallow clone behind each command.
func shallowBetween(w *world, opts *client.PushOpts) {
	divided(pkt("shallow "+w.git.history.oid("first")))(w, opts)
}
