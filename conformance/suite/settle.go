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
	result := CheckResult{Check: w.check, Unlock: end.unlock, Notes: w.notes, dead: end.dead}
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
		result.Transcript = w.client.Recorder().String()
	}
	return result
}

// inLineage reports whether the text of this run has the row; one that only another text has is recorded.
func (r *run) inLineage(row spec.Requirement) bool {
	return slices.Contains(row.Lineages(), r.cfg.lineage())
}

// worth is what a violation of the row is worth in this run.
func (r *run) worth(row spec.Requirement, c features.Check) Verdict {
	if !r.inLineage(row) {
		return Observed
	}
	for _, condition := range row.Conditions {
		if condition.Kind == spec.InProfile && condition.Name != r.cfg.Model {
			return Observed
		}
	}
	switch {
	case row.Score == spec.Observe:
		return Observed
	case row.Score == spec.Should || c.Has("score:should"):
		return Warn
	}
	return Fail
}
