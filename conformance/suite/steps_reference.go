package suite

import (
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// moment is the shortest time that there is: checks of the reference look at both sides of a deadline.
const moment = time.Nanosecond

// expirySteps speak of instants: they are for worlds whose clock stands still until it is moved.
func expirySteps() []step {
	wait := func(w *world, d time.Duration) outcome {
		w.close() // no connection has to live through the wait
		return passed(w.client.Wait(w.ctx, d))
	}
	unit := map[string]time.Duration{"minutes": time.Minute, "hours": time.Hour}
	return []step{
		{
			text: `a moment less than {number} (minutes|hours) pass`,
			role: act, sees: passing, needs: []string{"clock"},
			doc: "time passes up to a nanosecond before",
			run: func(w *world, a []string, _ [][]string) outcome {
				return wait(w, time.Duration(number(a[0]))*unit[a[1]]-moment)
			},
		},
		{
			text: `that moment passes`,
			role: act, sees: passing, needs: []string{"clock"},
			doc: "a nanosecond passes",
			run: func(w *world, _ []string, _ [][]string) outcome { return wait(w, moment) },
		},
		{
			text: `{number} hours pass`,
			role: act, sees: passing,
			doc: "time passes",
			run: func(w *world, a []string, _ [][]string) outcome {
				return wait(w, time.Duration(number(a[0]))*time.Hour)
			},
		},
		{
			text: `the event is known already`,
			role: assertion, sees: answers,
			doc: "the answer is OK true with the prefix duplicate",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.accepted().then(func() outcome {
					if ok, is := w.sent.answer.(client.OKFrame); is && ok.Prefix != "duplicate" {
						return violated("%s is not known any more: %v", describe(w.sent.last), ok)
					}
					return outcome{}
				})
			},
		},
		{
			text: `(` + strings.Join(arrivals(), "|") + `) comes`,
			role: act, sees: reports, cost: cost{pushes: 1}, answered: true,
			doc: "what is no reason to do anything comes",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.arrive(a[0])
			},
		},
		{
			text: `a client pushes( half a pack)? and takes {number} minutes for it:`,
			role: act, sees: reports, cost: cost{pushes: 1}, needs: []string{"stall"},
			doc: "time passes between the commands of a push and the end of its pack",
			run: func(w *world, a []string, table [][]string) outcome {
				var spoil spoiler
				if a[0] != "" {
					spoil = truncated
				}
				return w.pushSlowly(time.Duration(number(a[1]))*time.Minute, table, spoil)
			},
		},
		{
			text: `{number} states of the {actor} wait, the last one with:`,
			role: setUp, sees: answers, cost: cost{events: 1, each: true},
			doc: "so many states were accepted and wait",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.publishMany(a[1], int(number(a[0])), table)
			},
		},
		{
			text: `the repository follows the state with the lower id`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the refs are those of the state that wins by its id",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.hasExactly(w.git.lowest)
			},
		},
	}
}

// arrivals are what may come to a held announcement without being a reason to do anything for it.
func arrivals() []string {
	return []string{
		"the same announcement", "an older announcement", "the state of a stranger", "a push that no state authorizes",
		"a push to the ref of an unknown event", "a push of nothing", "a push of half a pack",
	}
}

// arrive sends one of arrivals. What the server says to it is judged where it has to be a refusal.
func (w *world) arrive(what string) outcome {
	main := [][]string{{"refs/heads/main", "first"}}
	switch what {
	case "the same announcement":
		return w.sendAgain(w.event("announcement")).then(w.answeredAtAll)
	case "an older announcement":
		return w.publish(w.build(announcing{actor: "owner", date: w.start})).then(w.answeredAtAll)
	case "the state of a stranger":
		return w.publish(w.buildState("stranger", w.tick(), main)).then(w.eventRefused)
	case "a push that no state authorizes":
		return w.push("owner", [][]string{{"refs/heads/main", "unrelated"}}, nil).then(w.refused)
	case "a push to the ref of an unknown event":
		return w.push("owner", [][]string{{eventRefs + strings.Repeat("5", 64), "unrelated"}}, nil)
	case "a push of nothing":
		return w.push("owner", nil, func(_ *world, o *client.PushOpts) { o.RawBody = []byte("0000") })
	case "a push of half a pack":
		return w.push("owner", main, truncated)
	}
	panic("suite: invariant: unknown arrival " + what)
}

// pushSlowly pushes, with time passing between the judging of the commands and the pack.
func (w *world) pushSlowly(d time.Duration, table [][]string, spoil spoiler) outcome {
	staller, is := w.run.target.(target.Staller)
	if !is {
		return blocked("no push of the target can be made to take its time", "judge the simulated or the served reference")
	}
	w.close()
	staller.Stall(d)
	defer staller.Stall(0)
	return w.push("owner", table, spoil)
}

// publishMany publishes states that differ, each newer than the one before.
func (w *world) publishMany(actor string, n int, last [][]string) outcome {
	for i := range n {
		table := last
		if i < n-1 {
			table = [][]string{{"refs/heads/main", "unrelated"}}
		}
		if out := w.publishState(actor, "", w.tick(), table).then(w.accepted).then(w.waits).asSetup(); !out.held() {
			return out
		}
	}
	return outcome{}
}
