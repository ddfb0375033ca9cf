package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
)

// Schema names the form of the JSON report. Members are only ever added to it.
const Schema = "graspkit.run/1"

// A Suite says which build of the checks has judged.
type Suite struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
}

type document struct {
	Schema string `json:"schema"`
	Suite  Suite  `json:"suite"`
	Spec   struct {
		Commit  string `json:"commit"`
		Lineage string `json:"lineage"`
	} `json:"spec"`
	Runs []runRecord `json:"runs"`
}

type runRecord struct {
	Target       string              `json:"target"`
	URL          string              `json:"url"`
	Software     string              `json:"software"`
	Seed         string              `json:"seed"`
	Nonce        string              `json:"nonce"`
	Conformance  string              `json:"conformance"`
	Exit         int                 `json:"exit"`
	Facts        []string            `json:"facts"`
	Causes       []causeRecord       `json:"causes"`
	Requirements []requirementRecord `json:"requirements"`
	Checks       []checkRecord       `json:"checks"`
	Accounting   accountingRecord    `json:"accounting"`
}

type causeRecord struct {
	ID     string `json:"id"`
	Checks int    `json:"checks"`
	Reason string `json:"reason"`
}

type requirementRecord struct {
	ID      string `json:"id"`
	Score   string `json:"score"`
	Verdict string `json:"verdict"`
}

type checkRecord struct {
	ID      string `json:"id"`
	Check   string `json:"check"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
	Cause   string `json:"cause,omitempty"` // the requirement whose violation kept the check from being judged
	Unlock  string `json:"unlock"`
	MS      int64  `json:"ms"`
}

type accountingRecord struct {
	Run           int `json:"run"`
	Blocked       int `json:"blocked"`
	NotApplicable int `json:"not_applicable"`
	Planned       int `json:"planned"`
	Catalogue     int `json:"catalogue"`
}

// JSON writes all runs as one document of the form Schema.
func JSON(w io.Writer, by Suite, strict bool, results ...*suite.Result) error {
	doc := document{Schema: Schema, Suite: by, Runs: []runRecord{}}
	doc.Spec.Commit, doc.Spec.Lineage = spec.Commit, spec.DefaultLineage.String()
	for _, r := range results {
		doc.Spec.Lineage = r.Lineage.String()
		doc.Runs = append(doc.Runs, recordOf(r, strict))
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("write JSON report: %w", err)
	}
	return nil
}

func recordOf(r *suite.Result, strict bool) runRecord {
	record := runRecord{
		Target: r.Target, URL: r.URL, Software: r.Software, Seed: r.Seed, Nonce: r.Nonce,
		Conformance: ClaimOf(r).Word, Exit: ExitCode(r, strict), Facts: r.Facts, Causes: []causeRecord{},
		Requirements: []requirementRecord{}, Checks: []checkRecord{},
		Accounting: accountingRecord(r.Accounting),
	}
	for _, c := range r.Causes {
		record.Causes = append(record.Causes, causeRecord(c))
	}
	for _, row := range r.Requirements {
		record.Requirements = append(record.Requirements, requirementRecord{
			row.Requirement.ID, row.Requirement.Score.String(), string(row.Verdict),
		})
	}
	for _, c := range r.Checks {
		record.Checks = append(record.Checks, checkRecord{
			ID: c.Check.ID, Check: c.Check.Title, File: c.Check.File, Line: c.Check.Line,
			Verdict: string(c.Verdict), Reason: c.Reason, Cause: c.Cause, Unlock: c.Unlock, MS: c.Took.Milliseconds(),
		})
	}
	return record
}
