package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/suite"
)

// ConsoleOptions say what a terminal can show, and how much is wanted. The zero value is for plain files.
type ConsoleOptions struct {
	Color   bool // ANSI colors; glyph and word carry the meaning without them
	UTF8    bool // the terminal shows more than ASCII
	Width   int  // columns; zero is 100
	Verbose bool // every requirement, and every finding at length
	// Report is the file of the document, which the lines that repeat a finding name; "" if there is none.
	Report string
}

// What is told without ConsoleOptions.Verbose.
const (
	findingsShown = 6  // at length
	findingsNamed = 12 // in a line each, behind them
	factsShown    = 3
	reasonRunes   = 320 // of one text
	widthUsual    = 100
	widthLeast    = 40
)

// Console writes one run for people: what is not as it should be, root causes first, then counts that add up and what they
// allow to claim.
func Console(w io.Writer, run *record.Run, spec record.Spec, o ConsoleOptions) error {
	p := &printer{run: run, o: o, width: max(o.Width, widthLeast)}
	if o.Width == 0 {
		p.width = widthUsual
	}
	p.line("%s", title(run))
	if run.Down != "" {
		p.text("  ", "target down: "+run.Down)
	}
	if o.Verbose && (run.Accounting.Run > 0 || !run.Unreachable) { // else there is nothing to tell of any requirement
		p.sections()
	}
	p.causes()
	p.findings()
	p.headline(spec)
	if _, err := w.Write(p.out.Bytes()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func title(r *record.Run) string {
	s := plain(r.Target)
	if r.URL != r.Target {
		s += " at " + plain(r.URL)
	}
	if r.Software != "" {
		s += " (" + plain(r.Software) + ")"
	}
	return s
}

type printer struct {
	run   *record.Run
	o     ConsoleOptions
	width int
	out   bytes.Buffer
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(&p.out, format, args...)
	p.out.WriteByte('\n')
}

// text writes a foreign text behind a lead, in as many lines as it needs, which begin where the first one does.
func (p *printer) text(lead, text string) {
	text = plain(text)
	if r := []rune(text); !p.o.Verbose && len(r) > reasonRunes {
		text = string(r[:reasonRunes]) + "..."
	}
	if !p.o.UTF8 {
		text = ascii(text)
	}
	for _, line := range wrapped(text, max(p.width-len(lead), widthLeast/2)) {
		p.line("%s%s", lead, line)
		lead = strings.Repeat(" ", len(lead))
	}
}

// counts writes a line of counts.
func (p *printer) counts(lead, format string, args ...any) {
	p.text(lead, fmt.Sprintf(format, args...))
}

// wrapped breaks a text into lines at spaces, and where a word alone is too long.
func wrapped(text string, width int) []string {
	var lines []string
	rest := []rune(text)
	for len(rest) > width {
		at := width
		for i := width; i > width/2; i-- {
			if rest[i] == ' ' {
				at = i
				break
			}
		}
		lines = append(lines, strings.TrimRight(string(rest[:at]), " "))
		rest = []rune(strings.TrimLeft(string(rest[at:]), " "))
	}
	return append(lines, string(rest))
}

// ascii writes what is not ASCII as escapes.
func ascii(text string) string {
	q := fmt.Sprintf("%+q", text)
	q = q[1 : len(q)-1]
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(q)
}

// paint sets a text in the color of a verdict.
func (p *printer) paint(v record.Verdict, text string) string {
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
	if !p.o.Color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// glyph is one character for a verdict.
func (p *printer) glyph(v record.Verdict) string {
	of := func(ascii, utf8 string) string {
		if p.o.UTF8 {
			return utf8
		}
		return ascii
	}
	switch {
	case v == suite.Fail:
		return of("x", "✗")
	case v == suite.Warn:
		return "!"
	case v == suite.Observed:
		return of("o", "○")
	case v.Verified():
		return of("+", "✓")
	case v.Undecided() || v == suite.Unsupported:
		return "?"
	}
	return of("-", "–")
}

// headed writes a text of ours behind a verdict, in as many lines as it needs.
func (p *printer) headed(v record.Verdict, text string) {
	verdict := p.glyph(v) + " " + string(v)
	lead := "  " + p.paint(v, verdict) + " "
	for _, line := range wrapped(text, max(p.width-utf8.RuneCountInString(verdict)-3, widthLeast/2)) {
		p.line("%s%s", lead, line)
		lead = "      "
	}
}

// sections writes the requirements; those of a section that one work will bring are one line.
func (p *printer) sections() {
	section := ""
	var plans []string // of the section, in the order of the catalogue
	planned := make(map[string]int)
	flush := func() {
		for _, plan := range plans {
			p.line("  %s", p.paint(suite.PlannedOnly, fmt.Sprintf("%s %d planned (%s)", p.glyph(suite.PlannedOnly), planned[plan], plan)))
		}
		clear(planned)
		plans = plans[:0]
	}
	for _, row := range p.run.Requirements {
		if row.Section != section {
			flush()
			section = row.Section
			p.line("\n%s", section)
		}
		if row.Verdict == suite.PlannedOnly {
			if planned[row.Reason] == 0 {
				plans = append(plans, row.Reason)
			}
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
		p.line("  %s  %-12s %-7s %s%s", p.paint(row.Verdict, fmt.Sprintf("%s %-15s", p.glyph(row.Verdict), row.Verdict)),
			row.ID, row.Score, row.Text, count)
	}
	flush()
}

// causes tells what is broken that many checks rest on.
func (p *printer) causes() {
	for i, c := range p.run.Causes {
		if i == 0 {
			p.line("\nRoot causes")
		}
		p.line("  %s  %s could not be judged because of it", p.paint(suite.Fail, p.glyph(suite.Fail)+" "+c.ID), counted(c.Checks, "check", "checks"))
		p.clause(c.ID)
		p.text("      seen      ", c.Reason)
	}
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// clause says what a requirement demands.
func (p *printer) clause(id string) {
	at := slices.IndexFunc(p.run.Requirements, func(r record.Requirement) bool { return r.ID == id })
	if at >= 0 {
		p.text("      clause    ", p.run.Requirements[at].Score+": "+p.run.Requirements[at].Text)
	}
}
