package suite

import (
	histories "github.com/graspkit/graspkit/conformance/history"
)

// raceSteps let clients do things at once, and look for an order that explains what they saw.
func raceSteps() []step {
	const explains = `some order of the signed states explains what the clients saw`
	race := func(w *world, clients string, c course) outcome {
		w.git.race = w.newRace(c)
		return w.git.race.run(int(number(clients)))
	}
	return []step{
		{
			text: `{number} clients race with pushes and states by {actors}`,
			role: act, sees: reports, cost: cost{events: 2, pushes: 3, each: true},
			doc: "several clients publish states, push, read and query at once; then a last state is published and pushed",
			run: func(w *world, a []string, _ [][]string) outcome {
				return race(w, a[0], course{authors: actorsOf(a[1])})
			},
		},
		{
			text: `{number} clients race with pushes, states and deletions by {actors}`,
			role: act, sees: reports, cost: cost{events: 3, pushes: 3, each: true},
			doc: "the same, and every second state is deleted by its id while others push it",
			run: func(w *world, a []string, _ [][]string) outcome {
				return race(w, a[0], course{authors: actorsOf(a[1]), deletes: true})
			},
		},
		{
			text: `{number} clients race with pushes and states by {actors} while the server restarts`,
			role: act, sees: reports, cost: cost{events: 2, pushes: 3, each: true}, needs: []string{"restart"},
			doc: "the same, and the server ends in order and starts again in the middle",
			run: func(w *world, a []string, _ [][]string) outcome {
				return race(w, a[0], course{authors: actorsOf(a[1]), restarts: true})
			},
		},
		{
			text: explains,
			role: assertion, sees: reports,
			doc: "each answer, report, advertisement and query has a moment between its question and its end, so that a server could have done all of it one after the other; what was not answered may have happened or not",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.git.race.explained(histories.Rules{}) },
		},
		{
			text: explains + `, of which the latest alone authorizes`,
			role: assertion, sees: reports,
			doc: "the same, where nothing but the latest state that was taken authorizes a push",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.git.race.explained(histories.Rules{Latest: true})
			},
		},
		{
			text: explains + `, of which those that were deleted while they waited authorize nothing`,
			role: assertion, sees: reports,
			doc: "the same, where a state that was deleted before it was carried out authorizes no push and is not served",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.git.race.explained(histories.Rules{Deleted: true})
			},
		},
	}
}
