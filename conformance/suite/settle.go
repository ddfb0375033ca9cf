package suite

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
)

// settle turns the end of a check into its result: the score of each requirement decides what a
// violation is worth.
func (r *run) settle(w *world, end outcome) CheckResult {
	result := CheckResult{Check: w.check, Unlock: end.unlock, Notes: w.notes, dead: end.dead, broken: end.broken, paced: end.paced}
	if end.verdict == DependencyFail {
		result.Cause, result.told = end.cause, end.told
	}
	broken := make(map[string]string) // requirement to reason
	for _, v := range w.violations {
		broken[v.requirement] = v.reason
	}
	if len(w.check.Requirements) == 0 {
		result.Verdict, result.Reason = HarnessError, "no requirement"
		return result
	}
	primary := w.check.Requirements[0]
	if end.verdict == Fail {
		broken[primary] = end.reason
	}
	for _, id := range w.check.Requirements {
		f := Finding{ID: id, Verdict: Pass}
		row, known := spec.Lookup(id)
		reason, isBroken := broken[id]
		switch {
		case !known:
			f.Verdict, f.Reason = HarnessError, "requirement is not in the catalogue"
		case isBroken:
			f.Verdict, f.Reason = r.worth(row, w.check), reason
		case end.verdict == Fail:
			f.Verdict, f.Reason = DependencyFail, "the check ended before: "+end.reason
		case end.verdict == DependencyFail && r.foreign(row):
			f.Verdict, f.Reason = Observed, end.reason // what the check needs may be what this text or model denies
		case end.verdict != "":
			f.Verdict, f.Reason = end.verdict, end.reason
		case r.worth(row, w.check) == Observed:
			f.Verdict = Observed
		}
		result.Findings = append(result.Findings, f)
		if worst := worse(result.Verdict, f.Verdict); worst != result.Verdict {
			result.Verdict, result.Reason = worst, f.Reason
		}
	}
	if result.Verdict.Verified() && result.Reason == "" && len(w.notes) > 0 {
		result.Reason = strings.Join(w.notes, "; ")
	}
	if result.Verdict.Violated() || result.Verdict.Undecided() {
		result.Transcript = w.client.Recorder().Entries()
		result.Missed = w.missed(end, result.Reason)
		result.Steps = r.registry.cameOf(w.check, w.steps, w.blamed(end), w.shown)
		result.Log = w.logged()
	}
	result.Spent = w.client.Recorder().Spent()
	return result
}

// missed is the number of the step that a reason was given by: of several that did not hold the check tells one.
func (w *world) missed(end outcome, reason string) int {
	for _, v := range w.violations {
		if v.reason == reason {
			return v.step
		}
	}
	return end.step
}

// blamed are the numbers of the steps that did not hold.
func (w *world) blamed(end outcome) []int {
	blamed := []int{end.step}
	for _, v := range w.violations {
		blamed = append(blamed, v.step)
	}
	return blamed
}

// cameOf tells what came of each step of a check of which so many ran, and some twins behind them.
func (r *registry) cameOf(c features.Check, ran int, blamed, shown []int) []StepResult {
	all := make([]StepResult, len(c.Steps))
	for i, s := range c.Steps {
		all[i] = StepResult{Step: s, Role: r.find(s.Text).step.role.String(), Outcome: StepHeld}
		switch {
		case slices.Contains(blamed, i+1):
			all[i].Outcome = StepFailed
		case i >= ran && !slices.Contains(shown, i+1):
			all[i].Outcome = StepNotRun
		}
	}
	return all
}

// foreign reports whether only another text or another model of maintainers has the row: here it is recorded.
func (r *run) foreign(row spec.Requirement) bool {
	return !slices.Contains(row.Lineages(), r.cfg.lineage()) || slices.ContainsFunc(row.Conditions, func(c spec.Condition) bool {
		return c.Kind == spec.InProfile && c.Name != r.cfg.Model
	})
}

// worth is what a violation of the row is worth in this run.
func (r *run) worth(row spec.Requirement, c features.Check) Verdict {
	switch {
	case row.Score == spec.Observe || r.foreign(row):
		return Observed
	case row.Score == spec.Should || c.Has("score:should"):
		return Warn
	}
	return Fail
}
