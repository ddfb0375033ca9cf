package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/repro"
	"github.com/graspkit/graspkit/conformance/suite"
)

// ranked are the checks that are violated or undecided, the worst first, and of those what can hurt everybody; of what a root cause
// explains there is no word, for it is told there. Known failures come last.
func ranked(run *record.Run) []record.Check {
	rank := func(c record.Check) int {
		switch {
		case c.Known.Excuses():
			return 6
		case c.Verdict == suite.Fail && strings.HasPrefix(c.ID, "SEC-"):
			return 0
		case c.Verdict == suite.Fail:
			return 1
		case c.Verdict == suite.HarnessError:
			return 2
		case c.Verdict == suite.Warn:
			return 3
		case c.Score == "MUST":
			return 4
		}
		return 5
	}
	var all []record.Check
	for _, c := range run.Checks {
		if c.Verdict.Violated() || c.Verdict.Undecided() && c.Cause == "" {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b record.Check) int { return rank(a) - rank(b) })
	return all
}

// findings tells what is not as it should be: the worst at length, of the rest a line each, and how many more there are. Of several
// checks that saw one requirement violated the first one speaks for all.
func (p *printer) findings() {
	all := ranked(p.run)
	again := make(map[string]int) // by requirement and verdict, how many more there are
	var first []record.Check
	for _, c := range all {
		key := named(c) + string(c.Verdict)
		if _, told := again[key]; told && !p.o.Verbose {
			again[key]++
			continue
		}
		again[key] = 0
		first = append(first, c)
	}
	if p.seenAlone() == 0 && len(first) > 0 {
		p.line("\nFindings")
	}
	for i, c := range first {
		more := ""
		if n := again[named(c)+string(c.Verdict)]; n > 0 {
			more = fmt.Sprintf(" (and %s of this requirement)", counted(n, "more check", "more checks"))
		}
		switch {
		case i < findingsShown || p.o.Verbose:
			p.finding(c, more)
		case i < findingsShown+findingsNamed:
			p.headed(c.Verdict, fmt.Sprintf("%s: %s%s", c.ID, c.Check, more))
		case i == findingsShown+findingsNamed:
			p.line("  ... and %d more: -v tells all", len(first)-i)
		}
	}
}

// named is the requirement that a check is named for.
func named(c record.Check) string {
	id, _, _ := strings.Cut(c.ID, ".")
	return id
}

// finding tells one at length.
func (p *printer) finding(c record.Check, more string) {
	p.headed(c.Verdict, fmt.Sprintf("%s: %s%s", c.ID, c.Check, more))
	switch {
	case c.Known.Excuses():
		p.text("      known     ", c.Known.Reason)
	case c.Known != nil && c.Known.Expired:
		p.text("      known     ", "until "+c.Known.Expires+", which has passed: "+c.Known.Reason)
	}
	p.clause(named(c))
	if c.Expected != "" {
		p.text("      expected  ", c.Expected)
	}
	p.text("      seen      ", c.Reason)
	p.line("      repeat    %s", p.repeat(c.ID))
	explain, place := "      explain   grasp-check explain "+c.ID, fmt.Sprintf("(%s:%d)", c.File, c.Line)
	if len(explain)+3+len(place) <= p.width {
		explain, place = explain+"   "+place, ""
	}
	p.line("%s", explain)
	if place != "" {
		p.text("                ", place)
	}
}

// repeat is the command that repeats a check.
func (p *printer) repeat(id string) string {
	if p.o.Report != "" {
		return fmt.Sprintf("grasp-check repro %s %s", p.o.Report, id)
	}
	return repro.Again(p.run, id)
}

// seenAlone tells the violations that no check has seen, but a witness or the run itself, unless they are told as root causes, and
// returns how many there are.
func (p *printer) seenAlone() (n int) {
	for _, row := range alone(p.run) {
		if !row.Verdict.Violated() || row.Known.Excuses() || slices.ContainsFunc(p.run.Causes, func(c record.Cause) bool { return c.ID == row.ID }) {
			continue
		}
		if n == 0 {
			p.line("\nFindings")
		}
		n++
		p.headed(row.Verdict, row.ID+": "+row.Text)
		p.text("      seen      ", row.Reason)
	}
	return n
}
