package suite

import (
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// A tie is two states of one second that differ in main, of which the one with the lower id counts.
type tie struct {
	lower, higher version
}

// A version is one of two.
type version struct {
	actor string // who signs
	state [][]string
}

// of returns the version with the lower or the higher id.
func (t tie) of(which string) version {
	if which == "lower" {
		return t.lower
	}
	return t.higher
}

// tieDate is when both versions are from, in seconds from the start of the check.
const tieDate = "300"

// tieSteps speak of two events of one second and their loser, which counts for nothing at any time.
func tieSteps() []step {
	const states = `the (lower|higher) of two states of one time by {actors}`
	return []step{
		{
			text: states + ` arrived`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "of two states with one created_at, by one author or two, the one with this id was answered",
			run: func(w *world, a []string, _ [][]string) outcome { return w.stateOfTie(a[0], a[1]) },
		},
		{
			text: states + ` arrives`,
			role: act, sees: answers, answered: true, cost: cost{events: 1},
			doc: "of two states with one created_at, by one author or two, the one with this id is answered",
			run: func(w *world, a []string, _ [][]string) outcome { return w.stateOfTie(a[0], a[1]) },
		},
		{
			text: `a client pushed what the state with the (lower|higher) id says`,
			role: setUp, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "the refs are those of this state, by a push if the server has not moved them by itself",
			run: func(w *world, a []string, _ [][]string) outcome {
				rows := w.git.tied.of(a[0]).state
				return w.pushTwin("owner", rows).then(func() outcome { return w.hasWithin(refsWithin, rows) })
			},
		},
		{
			text: `a client pushes what the state with the higher id says`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes the refs of the state that loses by its id",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.push("owner", w.git.tied.higher.state, nil)
			},
		},
		{
			text: `the repository still has exactly what the state with the lower id says`,
			role: assertion, sees: advertised, absent: true,
			doc: "behind a barrier, the refs are those of the state that wins by its id",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.keeps("owner", w.git.tied.lower.state) },
		},
		{
			text: `the repository comes to have what the state with the lower id says`,
			role: assertion, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "the refs are those of the state that wins by its id, by a push if the server has not moved them by itself",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.pushTwin("owner", w.git.tied.lower.state) },
		},
		{
			text: `a push of what the state with the lower id says succeeds`,
			role: twin, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "a push of the refs of the state that wins by its id succeeds",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.pushTwin("owner", w.git.tied.lower.state) },
		},
		{
			text: `the same push is accepted once the {actor} published such a state`,
			role: twin, sees: reports, cost: cost{events: 1, pushes: 1}, within: refsWithin,
			doc: "the refused push succeeds once a state of its refs is there",
			run: func(w *world, a []string, _ [][]string) outcome {
				p := w.git.pushed
				_, name, _ := strings.Cut(p.actor, ` "`)
				return w.publishState(whose(a[0], strings.TrimSuffix(name, `"`)), "", w.tick(), p.rows).then(w.accepted).then(func() outcome {
					return w.pushTwin(p.actor, p.rows)
				})
			},
		},
	}
}

// ordered makes a tie of two versions and of what builds their events.
func ordered(one, other version, build func(version) *nostr.Event) tie {
	if build(other).ID < build(one).ID {
		one, other = other, one
	}
	return tie{lower: one, higher: other}
}

// stateOfTie publishes one of two states of one time by one author or two.
func (w *world) stateOfTie(which, authors string) outcome {
	actors := actorsOf(authors)
	date := w.dated(tieDate)
	w.git.tied = ordered(
		version{actor: actors[0], state: [][]string{{"refs/heads/main", "side"}}},
		version{actor: actors[len(actors)-1], state: [][]string{{"refs/heads/main", "second"}}},
		func(v version) *nostr.Event { return w.buildState(v.actor, date, v.state) },
	)
	v := w.git.tied.of(which)
	return w.publishState(v.actor, "", date, v.state).then(w.answeredAtAll)
}
