package compare

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// markdownRows bounds the rows of a page: where such pages go, a megabyte is the limit.
const markdownRows = 1000

// Markdown writes the comparison as a page in Markdown: the columns, and the rows that differ, the worst first; with all, every
// row.
func Markdown(w io.Writer, t *Table, all bool) error {
	var out bytes.Buffer
	out.WriteString("# Runs compared\n\n| run | what | claim | MUST | SHOULD | changes |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, c := range t.Columns {
		changes := "base"
		if c.Base >= 0 {
			changes = fmt.Sprintf("against %s: %s", t.Columns[c.Base].Letter, c.Summary())
		}
		fmt.Fprintf(&out, "| %s | %s: %s, judged by %s | %s | %s | %s | %s |\n", c.Letter, escape(c.File), escape(c.Name()), escape(c.Suite),
			escape(c.Word), tally(c.Must), tally(c.Should), changes)
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&out, "\n%s\n", escape(note))
	}
	rows := t.Differing()
	if all {
		rows = t.Rows
	}
	if len(rows) == 0 {
		out.WriteString("\nNo row differs.\n")
	} else {
		out.WriteString("\n| requirement | score | change |")
		for _, c := range t.Columns {
			fmt.Fprintf(&out, " %s |", c.Letter)
		}
		out.WriteString(" text |\n| --- | --- | --- |" + strings.Repeat(" --- |", len(t.Columns)) + " --- |\n")
	}
	for _, r := range rows[:min(len(rows), markdownRows)] {
		fmt.Fprintf(&out, "| %s | %s | %s |", escape(r.ID), escape(r.Score), r.Change())
		for _, c := range r.Cells {
			fmt.Fprintf(&out, " %s |", escape(strings.TrimSpace(c.Words())))
		}
		fmt.Fprintf(&out, " %s |\n", escape(r.Text))
	}
	if len(rows) > markdownRows {
		fmt.Fprintf(&out, "\n%d more rows are left out.\n", len(rows)-markdownRows)
	}
	_, err := w.Write(out.Bytes())
	return err //nolint:wrapcheck // the writer names itself
}

// escape keeps a text in one cell, and from being anything but a text.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 && strings.ContainsRune("\\`*_{}[]<>#|!~&$@", r) {
			if r == '@' || r == '<' || r == '>' || r == '&' {
				fmt.Fprintf(&b, "&#%d;", r) // a backslash does not keep names from being told, nor tags everywhere
				continue
			}
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
