package suite

import (
	"slices"
	"sync"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
)

// share is the part of the checks that one of several equal targets is judged by: in turn, but those that hold much go to
// the first one, which then holds it once.
func share(checks []features.Check, part, of int) []appointment {
	var mine []appointment
	for i, c := range checks {
		at := i % of
		if isLarge(c) {
			at = 0
		}
		if at == part {
			mine = append(mine, appointment{index: i, check: c})
		}
	}
	return mine
}

// sideBySide does the same for every run at once, and returns when all have ended.
func sideBySide(runs []*run, do func(i int)) {
	var all sync.WaitGroup
	for i := range runs {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// join takes over what other runs, which have ended, have found out about targets equal to this one.
func (r *run) join(others []*run) {
	r.told = r.learned()
	for _, other := range others {
		if r.down == "" {
			r.down = other.down
		}
		for _, fact := range other.learned() {
			if !slices.Contains(r.told, fact) {
				r.told = append(r.told, fact)
			}
		}
		r.hearsay.join(other.hearsay)
	}
}

// learned lists the facts of a run.
func (r *run) learned() []string {
	return slices.Concat(r.lighthouse.tell(), r.facts.notJudged(), r.findings(), r.limits())
}

// join adds what another witness has told: what either saw was seen.
func (h *hearsay) join(other hearsay) {
	for id, said := range other.told {
		before := h.told[id]
		h.told[id] = target.Testimony{
			ID: id, Observations: before.Observations + said.Observations, Violations: slices.Concat(before.Violations, said.Violations),
		}
	}
	for id, check := range other.during {
		if len(h.during[id]) == 0 {
			h.during[id] = check
		}
	}
}
