package report

import (
	"fmt"
	"io"

	"github.com/goccy/go-yaml"

	"github.com/graspkit/graspkit/conformance/record"
)

// A claim as implementers publish it.
type claimFile struct {
	API    string         `yaml:"apiVersion"`
	Kind   string         `yaml:"kind"`
	Date   string         `yaml:"date"`
	Suite  claimSuite     `yaml:"suite"`
	Spec   claimSpec      `yaml:"spec"`
	Claims []claimSection `yaml:"claims"`
}

type claimSuite struct {
	Version string `yaml:"version"`
	Commit  string `yaml:"commit,omitempty"`
}

type claimSpec struct {
	Commit  string `yaml:"commit"`
	Lineage string `yaml:"lineage"`
}

type claimSection struct {
	Implementation claimSubject    `yaml:"implementation"`
	Mode           string          `yaml:"mode"`
	Profile        string          `yaml:"profile"` // what was selected, "all" if that was everything
	Began          string          `yaml:"began,omitempty"`
	Result         string          `yaml:"result"`
	Whole          bool            `yaml:"whole"` // everything was selected, and the run came to its end
	Exit           int             `yaml:"exitCode"`
	Statistics     claimStatistics `yaml:"statistics"`
	Documents      []claimDocument `yaml:"documents"`
	Violated       []claimRow      `yaml:"violated,omitempty"`
	Skipped        []claimRow      `yaml:"skipped,omitempty"`
	Reproduce      string          `yaml:"reproduce"`
}

type claimSubject struct {
	Name     string `yaml:"name"`
	URL      string `yaml:"url"`
	Software string `yaml:"software,omitempty"`
}

type claimStatistics struct {
	Must     claimTally `yaml:"must"`
	Should   claimTally `yaml:"should"`
	Observed int        `yaml:"observed"`
	Planned  int        `yaml:"planned"`
	Checks   int        `yaml:"checks"`
}

type claimTally struct {
	Total      int `yaml:"total"`
	Verified   int `yaml:"verified"`
	Violated   int `yaml:"violated"`
	Unverified int `yaml:"unverified"`
}

type claimDocument struct {
	Document string     `yaml:"document"`
	Result   string     `yaml:"result"`
	Must     claimTally `yaml:"must"`
	Should   claimTally `yaml:"should"`
}

type claimRow struct {
	ID      string `yaml:"id"`
	Verdict string `yaml:"verdict"`
	Reason  string `yaml:"reason,omitempty"`
}

// ClaimYAML writes what a document allows to claim, for people who publish it: with denominators, what was skipped and why, and
// the command that repeats it.
func ClaimYAML(w io.Writer, doc *record.Document) error {
	file := claimFile{
		API: "graspkit.claim/1", Kind: "ConformanceClaim", Suite: claimSuite{line(doc.Suite.Version, nameBytesMax), line(doc.Suite.Commit, nameBytesMax)},
		Spec: claimSpec{line(doc.Spec.Commit, nameBytesMax), line(doc.Spec.Lineage, nameBytesMax)}, Claims: []claimSection{},
	}
	if !doc.Written.IsZero() {
		file.Date = doc.Written.UTC().Format("2006-01-02")
	}
	for i := range doc.Runs {
		file.Claims = append(file.Claims, claimOf(&doc.Runs[i]))
	}
	text, err := yaml.Marshal(file)
	if err != nil {
		return fmt.Errorf("make claim: %w", err)
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write claim: %w", err)
	}
	return nil
}

func claimOf(r *record.Run) claimSection {
	c := claimSection{
		Implementation: claimSubject{line(r.Target, nameBytesMax), line(r.URL, nameBytesMax), line(r.Software, nameBytesMax)},
		Mode:           r.World, Result: r.Conformance, Whole: whole(r), Exit: r.Exit, Reproduce: again(r, ""),
		Statistics: claimStatistics{
			Must: claimTally(r.Claim.Must), Should: claimTally(r.Claim.Should), Observed: r.Claim.Observed, Planned: r.Accounting.Planned, Checks: len(r.Checks),
		},
	}
	c.Profile = "all"
	if r.Selection != nil {
		c.Profile = line(r.Selection.String(), nameBytesMax)
	}
	if !r.Began.IsZero() {
		c.Began = moment(r.Began)
	}
	at, failed := map[string]int{}, map[string]bool{}
	for i := range r.Requirements {
		row := &r.Requirements[i]
		s := standingOf(row.Verdict)
		one := claimRow{row.ID, string(row.Verdict), line(row.Reason, reasonTextMax)}
		switch {
		case s == violated || s == missed:
			c.Violated = append(c.Violated, one)
		case !s.proved():
			c.Skipped = append(c.Skipped, one)
		}
		if s == outside || s == recorded || row.Score == "OBSERVE" {
			continue
		}
		name := documentOf(row.ID)
		if _, known := at[name]; !known {
			at[name] = len(c.Documents)
			c.Documents = append(c.Documents, claimDocument{Document: name})
		}
		d := &c.Documents[at[name]]
		failed[name] = failed[name] || s == violated // a WARN on a MUST comes from a position on the text
		t := &d.Must
		if row.Score == "SHOULD" {
			t = &d.Should
		}
		t.Total++
		switch s {
		case verified:
			t.Verified++
		case violated, missed:
			t.Violated++
		default:
			t.Unverified++
		}
	}
	for i := range c.Documents {
		c.Documents[i].Result = resultOf(c.Documents[i], failed[c.Documents[i].Document], r.Down != "")
	}
	return c
}

// resultOf is the word of the claim for one document.
func resultOf(d claimDocument, failed, down bool) string {
	switch {
	case failed:
		return record.NonConformant
	case down || 2*(d.Must.Verified+d.Should.Verified) < d.Must.Total+d.Should.Total:
		return record.Unknown
	case d.Must.Verified < d.Must.Total:
		return record.Partial
	}
	return record.Conformant
}

// documentOf names the text that a requirement comes from.
func documentOf(id string) string {
	switch {
	case len(id) > 3 && id[0] == 'G':
		return "GRASP-" + id[1:3]
	case len(id) > 3 && id[0] == 'N':
		return "NIP-" + id[1:3]
	}
	return "graspkit"
}
