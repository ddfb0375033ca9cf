package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
)

// A Policy says what a run fails for beside violated and undecided MUSTs.
type Policy struct {
	Warn         bool // a missed SHOULD counts like a violated MUST
	Blocked      bool // what could have been judged and was not
	Inconclusive bool // every check that proved nothing, those of a SHOULD too
}

// ParsePolicy reads words with commas between them: blocked, warn, inconclusive. "" asks for nothing more. wrong is the first
// unknown word, where ok is false.
func ParsePolicy(text string) (p Policy, wrong string, ok bool) {
	if text == "" {
		return p, "", true
	}
	for word := range strings.SplitSeq(text, ",") {
		switch strings.TrimSpace(word) {
		case "blocked":
			p.Blocked = true
		case "warn":
			p.Warn = true
		case "inconclusive":
			p.Inconclusive = true
		default:
			return Policy{}, word, false
		}
	}
	return p, "", true
}

// Conclude concludes every run of the document by a policy and returns the exit code of all together, with the reasons of each.
func (d *Document) Conclude(p Policy) (code int, reasons []string) {
	var codes []int
	for i := range d.Runs {
		run := &d.Runs[i]
		run.Conclude(p)
		codes = append(codes, run.Exit)
		for _, reason := range run.ExitReasons {
			if len(d.Runs) > 1 {
				reason = run.Target + ": " + reason
			}
			reasons = append(reasons, reason)
		}
	}
	return WorstExit(codes...), reasons
}

// worst are the exit codes of runs, the one that counts most first: a violation counts more than a dead target, and that more than
// what proved nothing. What did not come to its end says nothing of all that.
var worst = []int{ExitInterrupted, ExitViolated, ExitUnreachable, ExitHarness, ExitStale, ExitBlocked}

// WorstExit is the exit code of several runs together.
func WorstExit(codes ...int) int {
	for _, code := range worst {
		if slices.Contains(codes, code) {
			return code
		}
	}
	return ExitGood
}

// exit is the exit code, and every reason why one is not zero, those of the code first. A failure that is known counts for
// nothing; one that was expected and did not come does.
func (r *Run) exit(p Policy) (code int, reasons []string) {
	var violated, undecided, unsupported, proved, stale, blocked []string
	for _, row := range r.Requirements {
		v := row.Verdict
		if row.Known != nil && row.Known.Stale {
			stale = append(stale, row.ID)
		}
		switch {
		case row.Known.Excuses():
		case v == suite.Fail || p.Warn && v == suite.Warn:
			violated = append(violated, row.ID)
		case v == suite.HarnessError || v == suite.SetupFail || v.Undecided() && row.Score == spec.Must.String():
			undecided = append(undecided, row.ID)
		case v == suite.Unsupported:
			unsupported = append(unsupported, row.ID)
		case v == suite.Blocked: // what another world alone can show is nobody's omission
			blocked = append(blocked, row.ID)
		}
	}
	for _, c := range r.Checks {
		if c.Known != nil && c.Known.Stale {
			stale = append(stale, c.ID)
		}
		if c.Verdict.Undecided() && !c.Known.Excuses() {
			proved = append(proved, c.ID)
		}
	}
	reasons = []string{}
	if r.Interrupted {
		code, reasons = ExitInterrupted, append(reasons, "interrupted: the run did not come to its end")
	}
	say := func(worth int, wanted bool, what string, ids []string) {
		if !wanted || len(ids) == 0 {
			return
		}
		if code == ExitGood {
			code = worth
		}
		reasons = append(reasons, fmt.Sprintf(what, enumerated(ids)))
	}
	say(ExitViolated, true, "violated: %s", violated)
	if r.Down != "" {
		if code == ExitGood {
			code = ExitUnreachable
		}
		reasons = append(reasons, "the target is down: "+r.Down)
	}
	say(ExitHarness, true, "not decided: %s", undecided)
	say(ExitHarness, p.Inconclusive, "proved nothing: the checks of %s", proved)
	say(ExitHarness, r.Conformance == Unknown, "not supported by the target: %s, and too little else was verified", unsupported)
	say(ExitStale, true, "expected to fail, and did not: %s", stale)
	say(ExitBlocked, p.Blocked, "not judged: %s", slices.Concat(blocked, unsupported))
	return code, reasons
}

// enumeratedMax bounds the ids that one sentence names.
const enumeratedMax = 12

func enumerated(ids []string) string {
	if len(ids) == 1 {
		return ids[0]
	}
	text := fmt.Sprintf("%d (", len(ids))
	for i, id := range ids {
		if i == enumeratedMax {
			return text + fmt.Sprintf(", and %d more)", len(ids)-i)
		}
		if i > 0 {
			text += ", "
		}
		text += id
	}
	return text + ")"
}
