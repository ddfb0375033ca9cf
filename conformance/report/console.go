package report

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
)

// failuresShown bounds the violations that are told at length.
const failuresShown = 5

// reasonBytesMax bounds one reason on the terminal.
const reasonBytesMax = 400

// Console writes one run for people: requirements by section in the catalogue's order, what was found,
// and counts that add up. color permits ANSI colors; glyph and word carry the meaning without them.
func Console(w io.Writer, r *suite.Result, color bool) error {
	p := &printer{color: color}
	p.line("%s", title(r))
	if r.Down != "" {
		p.line("target down: %s", r.Down)
	}
	if r.Accounting.Run > 0 || !r.Unreachable { // else there is nothing to tell of any requirement
		p.sections(r)
	}
	p.causes(r)
	p.failures(r)
	p.headline(r)
	_, err := w.Write(p.out.Bytes())
	return err
}

func title(r *suite.Result) string {
	s := r.Target
	if r.URL != r.Target {
		s += " at " + r.URL
	}
	if r.Software != "" {
		s += " (" + r.Software + ")"
	}
	return s
}

type printer struct {
	out   bytes.Buffer
	color bool
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(&p.out, format, args...)
	p.out.WriteByte('\n')
}

// paint sets a text in the color of a verdict.
func (p *printer) paint(v suite.Verdict, text string) string {
	code := ""
	switch {
	case v == suite.Fail:
		code = "31;1"
	case v == suite.Warn || v.Undecided():
		code = "33"
	case v.Verified():
		code = "32"
	default:
		code = "2"
	}
	if !p.color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// glyph is one character for a verdict.
func glyph(v suite.Verdict) string {
	switch {
	case v == suite.Fail:
		return "x"
	case v == suite.Warn:
		return "!"
	case v == suite.Observed:
		return "o"
	case v.Verified():
		return "+"
	case v.Undecided() || v == suite.Unsupported:
		return "?"
	}
	return "-"
}

// sections writes the requirements; those of a section that one work will bring are one line.
func (p *printer) sections(r *suite.Result) {
	section, planned := "", map[string]int{}
	flush := func() {
		for _, plan := range slices.Sorted(maps.Keys(planned)) {
			p.line("  %s", p.paint(suite.PlannedOnly, fmt.Sprintf("- %d planned (%s)", planned[plan], plan)))
		}
		clear(planned)
	}
	for _, row := range r.Requirements {
		if row.Requirement.Section != section {
			flush()
			section = row.Requirement.Section
			p.line("\n%s", section)
		}
		if row.Verdict == suite.PlannedOnly {
			planned[row.Reason]++
			continue
		}
		count := ""
		if row.Checks > 1 {
			count = fmt.Sprintf(" (%d of %d checks)", row.Verified, row.Checks)
		}
		if row.Observations > 0 {
			count = fmt.Sprintf(" (%d observations)", row.Observations)
		}
		p.line("  %s  %-12s %-7s %s%s", p.paint(row.Verdict, fmt.Sprintf("%s %-15s", glyph(row.Verdict), row.Verdict)),
			row.Requirement.ID, row.Requirement.Score, row.Requirement.Text, count)
	}
	flush()
}

// causes tells what is broken that many checks rest on.
func (p *printer) causes(r *suite.Result) {
	for i, c := range r.Causes {
		if i == 0 {
			p.line("\nRoot causes")
		}
		p.line("  %s  %d checks could not be judged because of it", p.paint(suite.Fail, "x "+c.ID), c.Checks)
		p.line("      %s", clip(c.Reason))
	}
}

// failures tells the worst checks at length.
func (p *printer) failures(r *suite.Result) {
	var worst []suite.CheckResult
	for _, accept := range []func(suite.Verdict) bool{
		func(v suite.Verdict) bool { return v == suite.Fail },
		func(v suite.Verdict) bool { return v == suite.HarnessError },
		func(v suite.Verdict) bool { return v == suite.Warn },
		func(v suite.Verdict) bool { return v.Undecided() && v != suite.HarnessError },
	} {
		for _, c := range r.Checks {
			if accept(c.Verdict) {
				worst = append(worst, c)
			}
		}
	}
	for i, c := range worst {
		if i == 0 {
			p.line("\nFindings")
		}
		if i == failuresShown {
			p.line("  ... and %d more; --json has them all", len(worst)-i)
			break
		}
		p.line("  %s %s: %s", p.paint(c.Verdict, glyph(c.Verdict)+" "+string(c.Verdict)), c.Check.ID, c.Check.Title)
		p.line("      seen: %s", clip(c.Reason))
		p.line("      %s:%d; grasp-check explain %s", c.Check.File, c.Check.Line, c.Check.ID)
	}
	p.watched(r, len(worst) == 0)
}

// watched tells the violations that no check but a witness has seen.
func (p *printer) watched(r *suite.Result, first bool) {
	for _, row := range r.Requirements {
		if row.Verdict != suite.Fail || row.Requirement.Coverage.Kind != spec.Watched {
			continue
		}
		if first {
			p.line("\nFindings")
			first = false
		}
		p.line("  %s %s: %s", p.paint(row.Verdict, glyph(row.Verdict)+" "+string(row.Verdict)), row.Requirement.ID, row.Requirement.Text)
		p.line("      seen: %s", clip(row.Reason))
	}
}

func clip(s string) string {
	if len(s) > reasonBytesMax {
		return s[:reasonBytesMax] + "..."
	}
	return s
}

// headline ends the report: claims with denominators, what would unlock more, and the accounting.
func (p *printer) headline(r *suite.Result) {
	c := ClaimOf(r)
	p.line("\nGRASP-01 @ %.7s (lineage %v), %s", spec.Commit, r.Lineage, origin(r.Seed, r.Nonce))
	p.line("  MUST   %d of %d verified, %d violated, %d not verifiable here", c.Must.Verified, c.Must.Total, c.Must.Violated, c.Must.Unverified)
	p.line("  SHOULD %d of %d kept, %d missed, %d not verifiable here", c.Should.Verified, c.Should.Total, c.Should.Violated, c.Should.Unverified)
	for _, fact := range r.Facts {
		p.line("  fact   %s", fact)
	}
	unlocks := make(map[string]int)
	for _, check := range r.Checks {
		if check.Unlock != "" {
			unlocks[check.Unlock]++
		}
	}
	for _, hint := range slices.Sorted(maps.Keys(unlocks)) {
		p.line("  unlock %d checks with: %s", unlocks[hint], hint)
	}
	a := r.Accounting
	p.line("  run %d + blocked %d + not applicable %d + planned %d = %d requirements", a.Run, a.Blocked, a.NotApplicable, a.Planned, a.Catalogue)
	word := suite.Pass
	switch c.Word {
	case NonConformant:
		word = suite.Fail
	case Partial, Unknown:
		word = suite.Warn
	}
	p.line("Verdict: %s%s", p.paint(word, c.Word), remark(c.Word, a))
}

// origin says what the keys and identifiers of a run were made of.
func origin(seed, nonce string) string {
	if nonce == "" {
		return "seed " + seed
	}
	return "seed " + seed + ", nonce " + nonce
}

// remark says what the word does not.
func remark(word string, a suite.Accounting) string {
	switch {
	case word == Partial:
		return " (no violation found)"
	case word == Conformant && a.Planned > 0:
		return fmt.Sprintf(" (to the %d requirements judged; %d more are planned)", a.Catalogue-a.Planned, a.Planned)
	}
	return ""
}
