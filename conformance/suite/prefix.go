package suite

import (
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

// refusalPrefixes are the words by which programs can tell refusals (NIP-01, and NIP-42 for the last one).
func refusalPrefixes() []string {
	return []string{"duplicate", "pow", "blocked", "rate-limited", "invalid", "restricted", "mute", "error", "auth-required"}
}

// unreadable says what keeps a program from telling what a refusal means, or "".
func unreadable(o client.Observation) string {
	ok, is := o.(client.OKFrame)
	switch {
	case !is || ok.Accepted || slices.Contains(refusalPrefixes(), ok.Prefix):
		return ""
	case ok.Prefix == "":
		return fmt.Sprintf("the refusal has no prefix: %v", ok)
	}
	return fmt.Sprintf("the refusal has a prefix that NIP-01 does not know: %v", ok)
}

// answeredOrTold holds if the last event was answered, be it by a NOTICE. Silence twice, on two connections, while queries are
// answered is no matter of chance.
func (w *world) answeredOrTold() outcome {
	if _, told := w.sent.answer.(client.NoticeFrame); told {
		return outcome{}
	}
	if unanswered(w.sent.answer) {
		if out := w.askAgain(); !out.held() {
			return out
		}
		if unanswered(w.sent.answer) {
			return w.alive().then(func() outcome {
				return violated("%s is not answered, twice: %v; a query is", describe(w.sent.last), w.sent.answer)
			})
		}
	}
	return w.answeredAtAll()
}

// overhear remembers the first refusal of the run that no program can tell, whatever the check was about.
func (r *run) overhear(check string, o client.Observation) {
	why := unreadable(o)
	if why == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.prose == "" {
		r.prose = "in the check " + check + ": " + why
	}
}

// censure gives rows what the run itself has seen, and the one about answers what was overheard, unless they are violated anyway. That somebody refuses is no matter of
// a check alone: each of them may meet a cause that no other one has.
func (r *run) censure(results []RequirementResult) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range results {
		row := &results[i]
		if why := r.accused[row.Requirement.ID]; why != "" && !row.Verdict.Violated() && !r.worthless(row.Requirement) {
			row.Verdict, row.Reason = Fail, why
			continue
		}
		if r.prose == "" || row.Requirement.ID != restsOnAnswers || row.Verdict.Violated() || r.worthless(row.Requirement) {
			continue
		}
		row.Verdict, row.Reason = Warn, r.prose
	}
}

// worthless reports whether a violation of the row counts nothing in this run.
func (r *run) worthless(row spec.Requirement) bool {
	return row.Score == spec.Observe || r.foreign(row)
}
