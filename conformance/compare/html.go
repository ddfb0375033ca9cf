package compare

import (
	_ "embed" // the page
	"fmt"
	"html/template"
	"io"

	"github.com/graspkit/graspkit/conformance/suite"
)

//go:embed compare.html
var page string

// A group is the rows of one change, or of one section.
type group struct {
	Title string
	Open  bool
	Rows  []Row
}

// HTML writes the comparison as one page that needs nothing else: no network, no script.
func HTML(w io.Writer, t *Table) error {
	names := map[Change]string{
		Worse: "Worse", Other: "Changed otherwise", Better: "Better", New: "New", Gone: "Gone",
		Same: "Different, and compared with nothing",
	}
	var groups, sections []group
	for _, row := range t.Differing() {
		title := names[row.Change()]
		if len(groups) == 0 || groups[len(groups)-1].Title != title {
			groups = append(groups, group{Title: title, Open: true})
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, row)
	}
	for _, row := range t.Rows {
		if len(sections) == 0 || sections[len(sections)-1].Title != row.Section {
			sections = append(sections, group{Title: row.Section})
		}
		last := &sections[len(sections)-1]
		last.Rows = append(last.Rows, row)
	}
	parsed := template.Must(template.New("compare").Funcs(template.FuncMap{
		"class": func(c Cell) string { return class(suite.Verdict(c.Verdict)) }, "tally": tally,
		"changes": Changes, "counts": func(c Column, change Change) int { return c.Counts[change] },
		"table":  func(rows []Row) map[string]any { return map[string]any{"Columns": t.Columns, "Rows": rows} },
		"letter": func(i int) string { return t.Columns[i].Letter },
	}).Parse(page))
	err := parsed.Execute(w, map[string]any{"Table": t, "Groups": groups, "Sections": sections})
	if err != nil {
		return fmt.Errorf("write comparison: %w", err)
	}
	return nil
}

// class is the color of a verdict.
func class(v suite.Verdict) string {
	switch {
	case v == "":
		return "absent"
	case v == suite.Fail:
		return "violated"
	case v == suite.Warn:
		return "missed"
	case v.Verified():
		return "verified"
	case v.Undecided() || v == suite.Unsupported:
		return "undecided"
	}
	return "aside"
}
