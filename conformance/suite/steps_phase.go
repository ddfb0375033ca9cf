package suite

import "github.com/graspkit/graspkit/conformance/spec"

// phaseSteps bring repositories into the phases that guards have to hold in: not there, announced, waiting, served, and
// served while something newer waits.
func phaseSteps() []step {
	return []step{
		{
			text: `the {actor}'s repository{name} (is not there yet|is announced|waits|is served)(?: with main at (\w+))?(?:, and the commit (\w+) waits)?`,
			role: setUp, sees: reports, cost: cost{events: 3, pushes: 1}, within: spec.ReleaseWithin,
			doc: "announcement, state and push, as far as the phase has come, were accepted; then a newer state was",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.phase(announcing{actor: a[0], repo: a[1]}, a[2], a[3], a[4])
			},
		},
		{
			text: `a state of the {actor} of main at (\w+) was answered, yes or no`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "a state was sent by somebody who may have announced nothing",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishState(a[0], "", w.tick(), mainAt(a[1])).then(w.answeredAtAll)
			},
		},
	}
}

// mainAt is the table of a state that says nothing but main.
func mainAt(commit string) [][]string { return [][]string{{"refs/heads/main", commit}} }

// phase brings a repository into a phase.
func (w *world) phase(a announcing, how, at, next string) outcome {
	of := whose(a.actor, a.repo)
	sign := func(commit string) outcome {
		if commit == "" {
			return outcome{}
		}
		return w.publishState(of, "", w.tick(), mainAt(commit)).then(w.accepted)
	}
	switch how {
	case "is not there yet":
		return outcome{}
	case "is announced":
		return w.announce(a).then(w.accepted)
	case "waits":
		return w.announce(a).then(w.accepted).then(func() outcome { return sign(at) })
	}
	return w.serve(a, mainAt(at)).then(func() outcome { return sign(next) })
}
