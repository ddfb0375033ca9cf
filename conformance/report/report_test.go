package report_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/record/recordtest"
	"github.com/graspkit/graspkit/conformance/report"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
)

func console(w io.Writer, o report.ConsoleOptions, verdicts ...suite.Verdict) error {
	doc := record.Of(record.Execution{}, recordtest.Result(verdicts...))
	return report.Console(w, &doc.Runs[0], doc.Spec, o)
}

func TestConsole(t *testing.T) {
	var b bytes.Buffer
	if err := console(&b, report.ConsoleOptions{Verbose: true}, suite.Fail, suite.Pass, suite.Blocked, suite.PlannedOnly); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"Push authorization\n  x FAIL", "G01-PUSH-01", "- 1 planned (GRASP-01 complete)",
		"seen      seen <that> & more", "grasp-check explain G01-PUSH-01   (f.feature:3)", "clause    MUST: ",
		"MUST   0 of 2 verified, 1 violated, 1 not verifiable here", "SHOULD 1 of 1 kept",
		"unlock 1 check (1 MUST) with: --write", "exit 1 violated: G01-PUSH-01",
		"run 2 + blocked 1 + not applicable 0 + planned 1 = 4 requirements", "Verdict: NON-CONFORMANT",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b") {
		t.Error("got colors without leave")
	}
	b.Reset()
	if err := console(&b, report.ConsoleOptions{Color: true}, suite.Fail); err != nil || !strings.Contains(b.String(), "\x1b[31;1m") {
		t.Errorf("got no colors, %v", err)
	}
}

// TestConsoleWithoutVerbose: what is as it should be is not told, and what is not takes few lines.
func TestConsoleWithoutVerbose(t *testing.T) {
	var b bytes.Buffer
	if err := console(&b, report.ConsoleOptions{UTF8: true}, suite.Pass, suite.Pass, suite.Blocked); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "G01-PUSH") || strings.Contains(text, "Findings") || strings.Count(text, "\n") > 14 {
		t.Errorf("got:\n%s", text)
	}
	r := recordtest.Result(suite.Fail)
	for range 40 {
		r.Checks = append(r.Checks, r.Checks[0])
	}
	r.Checks[0].Check.Title = "a title of a check that says so much that it fills a line of a terminal, and another one"
	r.Checks[0].Reason = strings.Repeat("a long reason \x1b[31m\u202e é ", 200)
	doc := record.Of(record.Execution{}, r)
	b.Reset()
	if err := report.Console(&b, &doc.Runs[0], doc.Spec, report.ConsoleOptions{Width: 60}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.Contains(strings.Join(strings.Fields(text), " "), "and 40 more checks of this requirement") {
		t.Errorf("got no count of the checks of one requirement in:\n%s", text)
	}
	for _, line := range strings.Split(text, "\n") {
		command := strings.HasPrefix(line, "      repeat") // to be copied
		if !command && len(line) > 60 {
			t.Errorf("got a line of %d columns on a terminal of 60: %s", len(line), line)
		}
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r > 126 || r == 0x1b }) {
		t.Errorf("got characters that the terminal does not offer:\n%q", text)
	}
}

func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	if err := report.JUnit(&b, record.Of(record.Execution{}, recordtest.Result(suite.Fail, suite.Warn, suite.Inconclusive), recordtest.Result(suite.Blocked))); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Cases []struct {
				Failure *struct{} `xml:"failure"`
				Skipped *struct {
					Message string `xml:"message,attr"`
				} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Tests != 4 || doc.Failures != 1 || doc.Errors != 1 || doc.Skipped != 1 {
		t.Errorf("got %+v", doc)
	}
	if s := doc.Suites[1].Cases[0].Skipped; s == nil || !strings.Contains(s.Message, "BLOCKED") || !strings.Contains(s.Message, "--write") {
		t.Errorf("blocked check: got %+v, want a skip that names the unlock", s)
	}
}

// TestJUnitAgreesWithTheExitCode: whatever came of the checks, failures and errors are zero exactly if the exit code is.
func TestJUnitAgreesWithTheExitCode(t *testing.T) {
	verdicts := []suite.Verdict{
		suite.Pass, suite.Fail, suite.Warn, suite.Observed, suite.NotApplicable, suite.Unsupported, suite.Blocked, suite.Inconclusive,
		suite.SetupFail, suite.DependencyFail, suite.HarnessError,
	}
	for _, strict := range []bool{false, true} {
		for _, a := range verdicts {
			for _, b := range verdicts {
				for _, down := range []string{"", "no answer"} {
					r := recordtest.Result(a, b)
					r.Down = down
					r.Requirements = append(r.Requirements, r.Requirements[0])
					doc := record.Of(record.Execution{Strict: strict}, r)
					var out bytes.Buffer
					if err := report.JUnit(&out, doc); err != nil {
						t.Fatal(err)
					}
					var got struct {
						Failures int `xml:"failures,attr"`
						Errors   int `xml:"errors,attr"`
					}
					if err := xml.Unmarshal(out.Bytes(), &got); err != nil {
						t.Fatal(err)
					}
					if exit := doc.Runs[0].Exit; (exit == 0) != (got.Failures+got.Errors == 0) {
						t.Errorf("%s and %s, down %q, strict %t: exit code %d, %d failures, %d errors", a, b, down, strict, exit, got.Failures, got.Errors)
					}
				}
			}
		}
	}
}

// TestWhatNoCheckSawIsTold: what a witness saw, or the run itself beside checks that passed, is a finding in every form of the report.
func TestWhatNoCheckSawIsTold(t *testing.T) {
	forms := map[string]func(io.Writer, *record.Document) error{
		"console": func(w io.Writer, doc *record.Document) error {
			return report.Console(w, &doc.Runs[0], doc.Spec, report.ConsoleOptions{Width: 200})
		},
		"JUnit": report.JUnit, "page": report.HTML, "Markdown": report.Markdown, "SARIF": report.SARIF, "annotations": report.Annotations,
		"TAP": report.TAP,
	}
	for _, id := range []string{"INV-01", "N01-REP-01"} {
		r := recordtest.Result(suite.Pass)
		row, _ := spec.Lookup(id)
		r.Requirements = append(r.Requirements, suite.RequirementResult{Requirement: row, Verdict: suite.Fail, Reason: "it was seen", Checks: 1, Verified: 1})
		for form, write := range forms {
			var b bytes.Buffer
			if err := write(&b, record.Of(record.Execution{}, r)); err != nil || !strings.Contains(b.String(), "it was seen") {
				t.Errorf("%s in %s: got %v in:\n%s", id, form, err, b.String())
			}
		}
	}
}

// What can hurt everybody is told before what is wrong in an answer, wherever the catalogue has it.
func TestSecurityIsToldFirst(t *testing.T) {
	doc := made(t, func(c *record.Check) {
		if c.ID == "G01-ANN-01" || strings.HasPrefix(c.ID, "SEC-08.") {
			c.Verdict, c.Reason = suite.Fail, "seen"
		}
	})
	var b bytes.Buffer
	if err := report.Console(&b, &doc.Runs[0], doc.Spec, report.ConsoleOptions{}); err != nil {
		t.Fatal(err)
	}
	security, answer := strings.Index(b.String(), "FAIL SEC-08."), strings.Index(b.String(), "FAIL G01-ANN-01:")
	if security < 0 || answer < security {
		t.Errorf("got them at %d and %d in:\n%.3000s", security, answer, b.String())
	}
}
