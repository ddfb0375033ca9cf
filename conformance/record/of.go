package record

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
)

// An Execution is what the document says beside the results.
type Execution struct {
	By        Suite
	Written   time.Time
	Strict    bool
	Arguments []string // of the command, without the targets
	// Interrupted says that it was ended before all checks had their turn.
	Interrupted bool
	// Selection is what was judged of the catalogue; nil is all of it.
	Selection *Selection
}

// Of makes the document of results.
func Of(x Execution, results ...*suite.Result) *Document {
	doc := &Document{
		Schema: Schema, Suite: x.By, Spec: Spec{Commit: spec.Commit, Lineage: spec.DefaultLineage.String()},
		Written: x.Written.UTC().Truncate(time.Second), Strict: x.Strict, Runs: []Run{},
	}
	for _, r := range results {
		doc.Spec.Lineage = r.Lineage.String()
		run := runOf(r)
		run.Arguments, run.Interrupted, run.Selection = x.Arguments, x.Interrupted, x.Selection
		run.Conclude(Policy{Warn: x.Strict})
		doc.Runs = append(doc.Runs, run)
	}
	return doc
}

func runOf(r *suite.Result) Run {
	run := Run{
		Target: r.Target, URL: r.URL, World: r.World, Software: r.Software, Seed: r.Seed, Nonce: r.Nonce,
		Began: r.Began.UTC(), MS: r.Took.Milliseconds(), Down: r.Down, Unreachable: r.Unreachable,
		Facts: append([]string{}, r.Facts...), Causes: []Cause{}, Requirements: []Requirement{}, Checks: []Check{},
		Accounting: Accounting(r.Accounting), Cost: Cost(r.Spent),
	}
	run.Shared, _ = transcriptOf(r.Shared)
	for _, c := range r.Causes {
		run.Causes = append(run.Causes, Cause(c))
	}
	for _, row := range r.Requirements {
		run.Requirements = append(run.Requirements, requirementOf(row))
	}
	for _, c := range r.Checks {
		run.Checks = append(run.Checks, checkOf(r, c))
	}
	return run
}

// coverages are the words of what judges a row.
var coverages = map[spec.CoverageKind]string{
	spec.Checked: "check", spec.Watched: "watched", spec.Proven: "proven", spec.Unobservable: "unobservable", spec.Planned: "planned",
}

func requirementOf(r suite.RequirementResult) Requirement {
	return Requirement{
		ID: r.Requirement.ID, Score: r.Requirement.Score.String(), Verdict: r.Verdict, Section: r.Requirement.Section,
		Text: r.Requirement.Text, Reason: r.Reason, Coverage: coverages[r.Requirement.Coverage.Kind],
		Checks: r.Checks, Verified: r.Verified, Observations: r.Observations,
	}
}

func checkOf(r *suite.Result, c suite.CheckResult) Check {
	check := Check{
		ID: c.Check.ID, Check: c.Check.Title, File: c.Check.File, Line: c.Check.Line, Tags: c.Check.Tags,
		Verdict: c.Verdict, Reason: c.Reason, Cause: c.Cause, Unlock: c.Unlock, Notes: c.Notes,
		WaitMS: c.Check.Wait().Milliseconds(), MS: c.Took.Milliseconds(), Cost: Cost(c.Spent),
	}
	if row, known := spec.Lookup(primary(c)); known {
		check.Section, check.Score = row.Section, row.Score.String()
	}
	if !c.Began.IsZero() {
		check.StartMS = c.Began.Sub(r.Began).Milliseconds()
	}
	for _, f := range c.Findings {
		check.Findings = append(check.Findings, Finding{f.ID, f.Verdict, f.Reason})
	}
	for i, s := range c.Steps {
		step := Step{
			Number: i + 1, Keyword: s.Step.Keyword, Text: s.Step.Text, Table: s.Step.Table, Line: s.Step.Line, Role: s.Role,
			Outcome: outcomes[s.Outcome],
		}
		if step.Outcome == StepFailed && (i+1 == c.Missed || c.Missed == 0) {
			check.Expected = s.Step.Text
		}
		check.Steps = append(check.Steps, step)
	}
	check.Transcript, check.LeftOut = transcriptOf(c.Transcript)
	check.Log = c.Log
	return check
}

var outcomes = map[suite.StepOutcome]string{suite.StepHeld: StepHeld, suite.StepFailed: StepFailed, suite.StepNotRun: StepNotRun}

// primary is the requirement that a check is named for.
func primary(c suite.CheckResult) string {
	if len(c.Check.Requirements) == 0 {
		return ""
	}
	return c.Check.Requirements[0]
}

// Interrupted reports whether a run of the document did not come to its end.
func (d *Document) Interrupted() bool {
	return slices.ContainsFunc(d.Runs, func(r Run) bool { return r.Interrupted })
}
