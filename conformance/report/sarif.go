package report

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/graspkit/graspkit/conformance/record"
)

// What a SARIF log names itself by.
const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Automation  sarifAutomation   `json:"automationDetails"`
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
	Properties  map[string]any    `json:"properties"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID         string         `json:"id"`
	Short      sarifText      `json:"shortDescription"`
	Default    sarifLevel     `json:"defaultConfiguration"`
	Properties map[string]any `json:"properties"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifAutomation struct {
	ID string `json:"id"`
}

type sarifInvocation struct {
	Successful bool   `json:"executionSuccessful"`
	Command    string `json:"commandLine,omitempty"`
	ExitCode   int    `json:"exitCode"`
	Why        string `json:"exitCodeDescription,omitempty"`
	Start      string `json:"startTimeUtc,omitempty"`
	End        string `json:"endTimeUtc,omitempty"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    *int               `json:"ruleIndex,omitempty"`
	Kind         string             `json:"kind"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations,omitempty"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Properties   map[string]any     `json:"properties"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification,omitempty"`
}

// SARIF writes a document as a log of SARIF 2.1.0: a rule is a requirement, a result what a check says of it, and a location
// the check. What is suppressed was expected.
func SARIF(w io.Writer, doc *record.Document) error {
	log := sarifLog{Schema: sarifSchema, Version: sarifVersion, Runs: []sarifRun{}}
	for i := range doc.Runs {
		log.Runs = append(log.Runs, sarifOf(doc, i))
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	if err := enc.Encode(log); err != nil {
		return fmt.Errorf("write SARIF report: %w", err)
	}
	return nil
}

func sarifOf(doc *record.Document, number int) sarifRun {
	r := &doc.Runs[number]
	run := sarifRun{
		ColumnKind: "utf16CodeUnits", Results: []sarifResult{},
		// Runs with one name replace each other where they are uploaded.
		Automation: sarifAutomation{fmt.Sprintf("grasp-check/%d/%s", number+1, line(r.Target, nameBytesMax))},
		Properties: map[string]any{
			"target": line(r.Target, nameBytesMax), "url": line(r.URL, nameBytesMax), "software": line(r.Software, nameBytesMax), "world": r.World, "seed": r.Seed,
			"nonce": r.Nonce, "conformance": r.Conformance, "must": r.Claim.Must, "should": r.Claim.Should,
		},
	}
	call := sarifInvocation{Successful: r.Exit == record.ExitGood || r.Exit == record.ExitViolated, Command: again(r, ""), ExitCode: r.Exit, Why: sarifReasons(r)}
	if !r.Began.IsZero() {
		call.Start = r.Began.UTC().Format(time.RFC3339Nano)
		call.End = r.Began.Add(time.Duration(r.MS) * time.Millisecond).UTC().Format(time.RFC3339Nano)
	}
	run.Invocations = []sarifInvocation{call}
	at := map[string]int{}
	rules := []sarifRule{}
	for _, row := range r.Requirements {
		at[row.ID] = len(rules)
		level := "error"
		if row.Score != "MUST" {
			level = "warning"
		}
		rules = append(rules, sarifRule{
			ID: row.ID, Short: sarifText{line(row.Text, reasonTextMax)}, Default: sarifLevel{level}, Properties: map[string]any{"score": row.Score, "section": row.Section},
		})
	}
	run.Tool.Driver = sarifDriver{Name: "grasp-check", Version: line(doc.Suite.Version, nameBytesMax), Rules: rules}
	add := func(id, key string, verdict record.Verdict, text string, known *record.Known, where []sarifLocation, properties map[string]any) {
		result := sarifResult{RuleID: id, Message: sarifText{text}, Locations: where, Fingerprints: map[string]string{"check/v1": key + " " + id}, Properties: properties}
		if index, ok := at[id]; ok {
			result.RuleIndex = &index
		}
		result.Kind, result.Level = sarifKind(verdict, known)
		if excused(known) && result.Kind == "fail" {
			result.Suppressions = []sarifSuppression{{"external", line(known.Reason, reasonTextMax)}}
		}
		properties["verdict"] = verdict
		run.Results = append(run.Results, result)
	}
	for i := range r.Checks {
		c := &r.Checks[i]
		where := []sarifLocation{{sarifPhysical{Artifact: sarifArtifact{place(c)}}}}
		if c.Line > 0 {
			where[0].Physical.Region = &sarifRegion{c.Line}
		}
		for _, f := range c.Findings {
			text := c.ID + ": " + c.Check
			if f.Reason != "" {
				text += "; seen: " + f.Reason
			}
			if c.Expected != "" && !standingOf(f.Verdict).proved() {
				text += "; expected: " + c.Expected
			}
			properties := map[string]any{"check": c.ID}
			if c.Unlock != "" {
				properties["unlock"] = line(c.Unlock, reasonTextMax)
			}
			add(f.ID, c.ID, f.Verdict, line(text, 2*reasonTextMax), c.Known, where, properties)
		}
	}
	for _, row := range alone(r) {
		text := row.Text
		if row.Reason != "" {
			text += "; seen: " + row.Reason
		}
		add(row.ID, row.ID, row.Verdict, line(text, 2*reasonTextMax), row.Known, nil, map[string]any{})
	}
	return run
}

func sarifReasons(r *record.Run) string {
	text := ""
	for _, reason := range r.ExitReasons {
		if text != "" {
			text += "; "
		}
		text += reason
	}
	return line(text, 2*reasonTextMax)
}

// sarifKind says a verdict as SARIF does; only what failed has a level.
func sarifKind(verdict record.Verdict, known *record.Known) (kind, level string) {
	if known != nil && known.Stale {
		return "fail", "error"
	}
	switch standingOf(verdict) {
	case violated:
		return "fail", "error"
	case missed:
		return "fail", "warning"
	case verified:
		return "pass", "none"
	case recorded:
		return "informational", "none"
	case undecided:
		return "review", "none"
	case outside:
		return "notApplicable", "none"
	case refused, notRun, unreached, faulty:
		return "open", "none"
	}
	return "review", "none"
}
