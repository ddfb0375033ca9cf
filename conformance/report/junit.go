package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/suite"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string `xml:"name,attr"`
	Hostname  string `xml:"hostname,attr"`
	Timestamp string `xml:"timestamp,attr"`
	Tests     int    `xml:"tests,attr"`
	Failures  int    `xml:"failures,attr"`
	Errors    int    `xml:"errors,attr"`
	Skipped   int    `xml:"skipped,attr"`
	Time      string `xml:"time,attr"`

	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
	SystemOut  string          `xml:"system-out"`
	SystemErr  string          `xml:"system-err"`
}

type junitCase struct {
	Class      string          `xml:"classname,attr"`
	Name       string          `xml:"name,attr"`
	File       string          `xml:"file,attr,omitempty"`
	Line       int             `xml:"line,attr,omitempty"`
	Time       string          `xml:"time,attr"`
	Properties *junitPropertys `xml:"properties"`
	Skipped    *junitMessage   `xml:"skipped"`
	Error      *junitMessage   `xml:"error"`
	Failure    *junitMessage   `xml:"failure"`
	SystemOut  string          `xml:"system-out,omitempty"`
}

type junitPropertys struct {
	All []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit writes a document as JUnit XML, one test suite a run and one test case a check. What did not run is skipped, with the
// reason; what proved nothing is an error; a missed SHOULD is told in the output of its case, and is a failure if the document is
// strict. What keeps the exit code from zero and is the finding of no check is a case of its own, so that failures and errors are
// zero exactly if the exit code is.
func JUnit(w io.Writer, doc *record.Document) error {
	all := junitSuites{Name: "grasp-check"}
	var total int64
	for i, run := range doc.Runs {
		s := junitOf(run, doc.Strict)
		s.Name = fmt.Sprintf("%s (%d of %d)", line(run.Target, nameBytesMax), i+1, len(doc.Runs)) // two runs may be of targets of one name
		if len(doc.Runs) == 1 {
			s.Name = line(run.Target, nameBytesMax)
		}
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
		total += run.MS
		all.Suites = append(all.Suites, s)
	}
	all.Time = seconds(total)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	return nil
}

func junitOf(run record.Run, strict bool) junitSuite {
	s := junitSuite{
		Hostname: line(run.URL, nameBytesMax), Timestamp: run.Began.UTC().Format("2006-01-02T15:04:05"), Time: seconds(run.MS),
		Properties: []junitProperty{
			{"seed", line(run.Seed, nameBytesMax)}, {"nonce", line(run.Nonce, nameBytesMax)}, {"software", line(run.Software, nameBytesMax)}, {"conformance", run.Conformance}, {"exit", fmt.Sprint(run.Exit)},
		},
		SystemOut: lines(run.Facts), SystemErr: lines(run.ExitReasons),
	}
	for _, c := range run.Checks {
		s.Cases = append(s.Cases, junitCheck(c, strict))
	}
	s.Cases = append(s.Cases, unseen(run, s.Cases, strict)...)
	for i := range s.Cases {
		c := &s.Cases[i]
		s.Tests++
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	return s
}

func junitCheck(c record.Check, strict bool) junitCase {
	one := junitCase{
		Class: c.Section, Name: c.ID + " " + c.Check, File: c.File, Line: c.Line, Time: seconds(c.MS),
		Properties: &junitPropertys{[]junitProperty{{"score", c.Score}, {"verdict", string(c.Verdict)}}},
	}
	message := &junitMessage{Message: string(c.Verdict) + " " + told(c.Reason), Type: string(c.Verdict), Text: block(transcript(c), junitTextMax)}
	switch {
	case c.Known != nil && c.Known.Stale:
		one.Failure = &junitMessage{Message: "expected to fail, and did not: " + told(c.Known.Reason), Type: "STALE"}
	case c.Known.Excuses():
		one.Skipped = &junitMessage{Message: "known: " + told(c.Known.Reason) + "; " + message.Message}
	case c.Verdict == suite.Fail || strict && c.Verdict == suite.Warn:
		one.Failure = message
	case c.Verdict == suite.Warn:
		one.SystemOut = message.Message + "\n" + message.Text
	case c.Verdict.Undecided() && (c.Score == "MUST" || c.Verdict == suite.HarnessError || c.Verdict == suite.SetupFail):
		one.Error = message
	case c.Verdict.Undecided(): // it does not count
		one.Skipped = &junitMessage{Message: message.Message}
		one.SystemOut = message.Text
	case !c.Verdict.Verified():
		one.Skipped = &junitMessage{Message: message.Message}
		if c.Unlock != "" {
			one.Skipped.Message += "; unlock: " + told(c.Unlock)
		}
	}
	return one
}

// unseen are the reasons for an exit code that no check tells: of what a witness saw, of a dead target, of stale expectations.
func unseen(run record.Run, cases []junitCase, strict bool) []junitCase {
	var all []junitCase
	seen := make(map[string]bool) // by requirement
	for i, c := range run.Checks {
		if cases[i].Failure == nil && cases[i].Error == nil {
			continue
		}
		for _, f := range c.Findings {
			seen[f.ID] = true
		}
	}
	for _, row := range run.Requirements {
		if row.Known != nil && row.Known.Stale {
			all = append(all, junitCase{
				Class: row.Section, Name: row.ID + " " + row.Text, Time: seconds(0),
				Failure: &junitMessage{Message: "expected to fail, and did not: " + told(row.Known.Reason), Type: "STALE"},
			})
		}
		if row.Known.Excuses() || seen[row.ID] || row.Verdict != suite.Fail && (!strict || row.Verdict != suite.Warn) {
			continue
		}
		all = append(all, junitCase{
			Class: row.Section, Name: row.ID + " " + row.Text, Time: seconds(0),
			Failure: &junitMessage{Message: string(row.Verdict) + " " + told(row.Reason), Type: string(row.Verdict)},
		})
	}
	failed := len(all) > 0
	for _, c := range cases {
		failed = failed || c.Failure != nil || c.Error != nil
	}
	if run.Down != "" || run.Exit != record.ExitGood && !failed {
		all = append(all, junitCase{
			Class: "The run", Name: fmt.Sprintf("exit code %d", run.Exit), Time: seconds(0),
			Error: &junitMessage{Message: told(strings.Join(run.ExitReasons, "; ")), Type: run.Conformance},
		})
	}
	return all
}

// told is a text of a server's, or of who runs the judge, as an attribute has it: one line, bounded, and of characters that XML has.
func told(s string) string { return line(s, reasonTextMax) }

// lines are texts as an element has them, one a line.
func lines(texts []string) string {
	var all []string
	for _, s := range texts {
		all = append(all, line(s, logTextMax))
	}
	return block(strings.Join(all, "\n"), junitTextMax)
}

func seconds(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }
