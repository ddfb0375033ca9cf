package suite

import (
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/target"
)

// hearsay is what the witness of a target has told so far, if it has one.
type hearsay struct {
	watching bool
	told     map[string]target.Testimony // by requirement
	during   map[string]string           // the check in which the first violation of a requirement came up, if that is known
	checks   int                         // that have ended
	asked    int                         // checks that had ended when the witness was asked last
}

// A witness looks at all that a target has, which takes longer the more checks there were: after the first askedEach
// checks it is asked after every askedThen-th only.
const (
	askedEach = 32
	askedThen = 16
)

// listen asks the witness, after a check or at the end, when check is "".
func (r *run) listen(check string) {
	witness, is := r.target.(target.Witness)
	if !is {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	h := &r.hearsay
	if !h.watching {
		h.watching, h.told, h.during = true, make(map[string]target.Testimony), make(map[string]string)
	}
	if check != "" {
		if h.checks++; h.checks > askedEach && h.checks%askedThen > 0 {
			return
		}
	}
	exact := h.checks == h.asked+1
	h.asked = h.checks
	for _, said := range witness.Testify() {
		if exact && len(said.Violations) > 0 && len(h.told[said.ID].Violations) == 0 {
			h.during[said.ID] = check
		}
		h.told[said.ID] = said
	}
}

// testify gives the rows that no check can judge by itself their verdicts: those that hold in the reference worlds only
// do not apply elsewhere, and those that a monitor watches are as its witness says.
func (r *run) testify(results []RequirementResult) {
	world := worldOf(r.target)
	for i := range results {
		result := &results[i]
		if world == "live" && ofReference(result.Requirement) {
			result.Verdict, result.Reason = NotApplicable, fmt.Sprintf("condition does not hold: %v", spec.Condition{Kind: spec.ReferenceWorld})
			continue
		}
		if result.Requirement.Coverage.Kind != spec.Watched {
			continue
		}
		said, known := r.hearsay.told[result.Requirement.ID]
		switch {
		case !r.hearsay.watching:
			result.Verdict, result.Reason = NotApplicable, "watched in the simulated world only"
		case !known:
			result.Verdict, result.Reason = Blocked, "nothing watches it"
		case len(said.Violations) > 0:
			result.Verdict, result.Reason = Fail, r.accuse(said)
		case said.Observations == 0:
			result.Verdict, result.Reason = Blocked, "the selected checks did not put it to the test"
		default:
			result.Verdict, result.Observations = Pass, said.Observations
		}
	}
}

// ofReference reports whether a row is about this project's own server alone.
func ofReference(row spec.Requirement) bool {
	return slices.ContainsFunc(row.Conditions, func(c spec.Condition) bool { return c.Kind == spec.ReferenceWorld })
}

// accuse tells the first violation, and how to see it again.
func (r *run) accuse(said target.Testimony) string {
	reason := said.Violations[0]
	if more := len(said.Violations) - 1; more > 0 {
		reason += fmt.Sprintf(" (and %d more)", more)
	}
	again := fmt.Sprintf("grasp-check %s --seed %s", r.target.Name(), r.seed)
	if r.cfg.Nonce != "" {
		again += " --nonce " + r.cfg.Nonce
	}
	if check := r.hearsay.during[said.ID]; check != "" {
		return fmt.Sprintf("%s, in the check %s; to see it again: %s --id %s", reason, check, again, check)
	}
	return fmt.Sprintf("%s; to see it again: %s", reason, again)
}
