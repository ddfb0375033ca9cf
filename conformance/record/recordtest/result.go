// Package recordtest makes results for the tests of documents and of what is written from them. It judges nothing.
package recordtest

import (
	"time"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
)

// Result makes a run over a few rows with the verdicts given, in order, of which there are four at most.
func Result(verdicts ...suite.Verdict) *suite.Result {
	ids := []string{"G01-PUSH-01", "G01-PUSH-16", "G01-HEAD-01", "G01-PR-01"}
	r := &suite.Result{Target: "fake", URL: "http://x", Seed: "7", Lineage: spec.LineageC, Software: "s 1"}
	for i, v := range verdicts {
		row, _ := spec.Lookup(ids[i])
		reason := ""
		if v == suite.PlannedOnly {
			reason = "GRASP-01 complete" // whatever the catalogue says of this row by now
		} else if v != suite.Pass {
			reason = "seen <that> & more"
		}
		r.Requirements = append(r.Requirements, suite.RequirementResult{Requirement: row, Verdict: v, Reason: reason, Checks: 1})
		switch {
		case v == suite.PlannedOnly:
			r.Accounting.Planned++
		case v.NotRun():
			r.Accounting.Blocked++
		case v == suite.NotApplicable:
			r.Accounting.NotApplicable++
		default:
			r.Accounting.Run++
		}
		r.Accounting.Catalogue++
		if v == suite.PlannedOnly {
			continue
		}
		unlock := ""
		if v == suite.Blocked {
			unlock = "--write"
		}
		r.Checks = append(r.Checks, suite.CheckResult{
			Check:   features.Check{ID: row.ID, Title: "title " + row.ID, File: "f.feature", Line: i + 3, Requirements: []string{row.ID}},
			Verdict: v, Reason: reason, Unlock: unlock, Took: 12 * time.Millisecond,
			Findings: []suite.Finding{{ID: row.ID, Verdict: v, Reason: reason}},
		})
	}
	return r
}
