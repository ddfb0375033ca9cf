package compare

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/suite"
)

// rowsShown bounds the rows of a text that is to fit a screen.
const rowsShown = 30

// Text writes the comparison for a terminal: the rows that differ, the worst first, as many as fit a screen; with all, every
// row in the order of the catalogue.
func Text(w io.Writer, t *Table, all bool) error {
	var out bytes.Buffer
	for _, c := range t.Columns {
		fmt.Fprintf(&out, "%s  %s: %s, judged by %s\n", c.Letter, c.File, c.Name(), cmp.Or(c.Suite, "an unknown commit"))
		fmt.Fprintf(&out, "   %s  MUST %s  SHOULD %s\n", cmp.Or(c.Word, record.Unknown), tally(c.Must), tally(c.Should))
	}
	for _, c := range t.Columns {
		if c.Base >= 0 {
			fmt.Fprintf(&out, "%s against %s: %s\n", c.Letter, t.Columns[c.Base].Letter, c.Summary())
		}
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&out, "note: %s\n", note)
	}
	rows := t.Rows
	if !all {
		rows = t.Differing()
	}
	left := 0
	if len(rows) > rowsShown && !all {
		left = len(rows) - rowsShown
		rows = rows[:rowsShown]
	}
	width := 0
	for _, r := range rows {
		for _, c := range r.Cells {
			width = max(width, utf8.RuneCountInString(c.Words()))
		}
	}
	if len(rows) > 0 {
		letters := fmt.Sprintf("  %-12s %-7s", "", "")
		for _, c := range t.Columns {
			letters += fmt.Sprintf(" %-*s", width, c.Letter)
		}
		fmt.Fprintf(&out, "\n%s\n", strings.TrimRight(letters, " "))
	}
	for _, r := range rows {
		var line strings.Builder
		fmt.Fprintf(&line, "%s %-12s %-7s", r.Change().Sign(), r.ID, r.Score)
		for _, c := range r.Cells {
			fmt.Fprintf(&line, " %-*s", width, c.Words())
		}
		line.WriteString(" " + clean(r.Text, rowTextShown))
		fmt.Fprintf(&out, "%s\n", strings.TrimRight(line.String(), " "))
	}
	if left > 0 {
		fmt.Fprintf(&out, "  ... and %d more rows that differ; --all shows every row\n", left)
	}
	if len(rows) == 0 {
		out.WriteString("no row differs\n")
	}
	_, err := w.Write(out.Bytes())
	return err //nolint:wrapcheck // the writer names itself
}

// rowTextShown is what fits beside two columns of verdicts.
const rowTextShown = 60

// Differing are the rows that differ, the worst change first.
func (t *Table) Differing() []Row {
	rows := slices.DeleteFunc(slices.Clone(t.Rows), func(r Row) bool { return !r.Differs() })
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.Change().rank(), b.Change().rank()) })
	return rows
}

// Same is how many rows do not differ.
func (t *Table) Same() int { return len(t.Rows) - len(t.Differing()) }

// Words is the cell in words, with a glyph.
func (c Cell) Words() string {
	switch {
	case c.Verdict == "":
		return "  not there"
	case c.Known:
		return c.Glyph() + " known " + c.Verdict
	}
	return c.Glyph() + " " + c.Verdict
}

// Glyph is one character for the verdict.
func (c Cell) Glyph() string {
	switch v := suite.Verdict(c.Verdict); {
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

// Summary counts the changes of a column in words.
func (c Column) Summary() string {
	var parts []string
	for _, change := range Changes() {
		word := change.String()
		if change == Other {
			word = "otherwise"
		}
		parts = append(parts, fmt.Sprintf("%d %s", c.Counts[change], word))
	}
	return strings.Join(parts, ", ")
}

func tally(t record.Tally) string {
	return fmt.Sprintf("%d of %d verified, %d violated", t.Verified, t.Total, t.Violated)
}
