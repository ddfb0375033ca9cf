package report

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`

	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitCase struct {
	Class      string          `xml:"classname,attr"`
	Name       string          `xml:"name,attr"`
	File       string          `xml:"file,attr"`
	Line       int             `xml:"line,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property,omitempty"`
	Skipped    *junitMessage   `xml:"skipped"`
	Failure    *junitMessage   `xml:"failure"`
	Error      *junitMessage   `xml:"error"`
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

// JUnit writes all runs as JUnit XML, one test suite a target and one test case a check. What did not run
// is skipped, with the reason; what proved nothing is an error. strict makes a violated SHOULD a failure.
func JUnit(w io.Writer, strict bool, results ...*suite.Result) error {
	var doc junitSuites
	for _, r := range results {
		s := junitOf(r, strict)
		doc.Tests += s.Tests
		doc.Failures += s.Failures
		doc.Errors += s.Errors
		doc.Skipped += s.Skipped
		doc.Suites = append(doc.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitOf(r *suite.Result, strict bool) junitSuite {
	s := junitSuite{
		Name: r.Target, Tests: len(r.Checks), Properties: []junitProperty{{"seed", r.Seed}, {"nonce", r.Nonce}},
	}
	var total int64
	for _, c := range r.Checks {
		row, _ := spec.Lookup(c.Findings[0].ID)
		one := junitCase{
			Class: row.Section, Name: c.Check.ID + " " + c.Check.Title,
			File: c.Check.File, Line: c.Check.Line, Time: seconds(c.Took.Milliseconds()),
			Properties: []junitProperty{{"score", row.Score.String()}, {"verdict", string(c.Verdict)}},
		}
		total += c.Took.Milliseconds()
		message := &junitMessage{Message: string(c.Verdict) + " " + c.Reason, Type: string(c.Verdict), Text: c.Transcript}
		switch {
		case c.Verdict == suite.Fail || (strict && c.Verdict == suite.Warn):
			one.Failure = message
			s.Failures++
		case c.Verdict == suite.Warn:
			one.Properties = append(one.Properties, junitProperty{"reason", c.Reason})
		case c.Verdict.Undecided():
			one.Error = message
			s.Errors++
		case !c.Verdict.Verified():
			if c.Unlock != "" {
				message.Message += "; unlock: " + c.Unlock
			}
			message.Type, message.Text = "", ""
			one.Skipped = message
			s.Skipped++
		}
		s.Cases = append(s.Cases, one)
	}
	s.Time = seconds(total)
	return s
}

func seconds(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }
