// Package compare lays runs beside each other, requirement by requirement: what got better, what got worse, what is new and what
// is gone. It reads documents of conformance/record and writes text, JSON, Markdown and HTML.
//
// It judges nothing anew and decides no exit code. Documents come from anywhere: what they say is cleaned, bounded and escaped.
package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/spec"
)

// A File is one document with the name that it is told by.
type File struct {
	Name string
	Doc  *record.Document
}

// A Table is runs beside each other.
type Table struct {
	Columns []Column
	Rows    []Row // in the order of the catalogue
	Notes   []string
}

// A Column is one run.
type Column struct {
	Letter      string // by which it is told in tables: "a", "b"
	File        string
	Target, URL string
	Software    string
	Suite       string // commit of the suite, or its version
	Word        string // of the claim
	Must        record.Tally
	Should      record.Tally
	// Base is the column that this one is compared with, -1 if there is none.
	Base   int
	Counts map[Change]int
}

// A Row is one requirement in all runs.
type Row struct {
	ID, Score, Section, Text string

	Cells []Cell // by column
}

// A Cell is one requirement in one run.
type Cell struct {
	Verdict string // "" if the run does not have the requirement
	Reason  string
	Known   bool // the failure was expected
	Change  Change
}

// Differs reports whether not all runs say the same of the requirement.
func (r Row) Differs() bool {
	return slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Verdict != r.Cells[0].Verdict || c.Known != r.Cells[0].Known })
}

// Change is the change of the row that matters most.
func (r Row) Change() Change {
	return slices.MinFunc(r.Cells, func(a, b Cell) int { return cmp.Compare(a.Change.rank(), b.Change.rank()) }).Change
}

// The limits of a comparison.
const (
	ColumnsMax = 12
	RowsMax    = 5000
)

// Why documents cannot be compared.
var (
	ErrLineage = errors.New("judged by another lineage of the text")
	ErrFew     = errors.New("fewer than two runs")
	ErrMany    = errors.New("too much to compare")
)

// Of lays the runs of the files beside each other. Runs of later files are compared with those of the first one: with the only
// one, or with that of the same target. The runs of a single file are compared with its first one.
func Of(files []File) (*Table, error) {
	t := &Table{}
	var runs []*record.Run
	for i, f := range files {
		if first := files[0]; f.Doc.Spec.Lineage != first.Doc.Spec.Lineage {
			return nil, fmt.Errorf("%s: %w: %q, and %s by %q", f.Name, ErrLineage, clean(f.Doc.Spec.Lineage, 20), first.Name, clean(first.Doc.Spec.Lineage, 20))
		} else if f.Doc.Spec.Commit != first.Doc.Spec.Commit {
			t.Notes = append(t.Notes, fmt.Sprintf("%s and %s were judged by different versions of the text, %s and %s",
				first.Name, f.Name, clean(first.Doc.Spec.Commit, commitShown), clean(f.Doc.Spec.Commit, commitShown)))
		}
		if len(runs)+len(f.Doc.Runs) > ColumnsMax {
			return nil, fmt.Errorf("%s: %w: more than %d runs", f.Name, ErrMany, ColumnsMax)
		}
		for j := range f.Doc.Runs {
			run := &f.Doc.Runs[j]
			c := columnOf(f, run, len(t.Columns))
			switch {
			case len(files) == 1 && j > 0:
				c.Base = 0
			case i > 0:
				c.Base = baseOf(files[0].Doc, f.Doc, run)
			}
			t.Columns = append(t.Columns, c)
			runs = append(runs, run)
		}
	}
	if len(runs) < 2 {
		return nil, fmt.Errorf("%w: %d", ErrFew, len(runs))
	}
	t.noteSelections(runs)
	return t, t.fill(runs)
}

// noteSelections tells where not the same was asked of all: a requirement may be gone for that alone.
func (t *Table) noteSelections(runs []*record.Run) {
	of := func(run *record.Run) string {
		if run.Selection == nil {
			return "everything"
		}
		return clean(run.Selection.String(), textShown)
	}
	for i, run := range runs {
		if base := t.Columns[i].Base; base >= 0 && of(run) != of(runs[base]) {
			t.Notes = append(t.Notes, fmt.Sprintf("%s was judged by %s, and %s by %s: what is new or gone is so for that, too",
				t.Columns[i].Letter, of(run), t.Columns[base].Letter, of(runs[base])))
		}
	}
}

// baseOf finds the column in the first document that a run is compared with.
func baseOf(first, own *record.Document, run *record.Run) int {
	if len(first.Runs) == 1 && len(own.Runs) == 1 {
		return 0
	}
	return slices.IndexFunc(first.Runs, func(r record.Run) bool { return r.Target == run.Target })
}

// fill adds the rows.
func (t *Table) fill(runs []*record.Run) error {
	place := map[string]int{}
	for column, run := range runs {
		for _, r := range run.Requirements {
			id := clean(r.ID, idShown)
			at, there := place[id]
			if !there {
				at = len(t.Rows)
				if at == RowsMax {
					return fmt.Errorf("%s: %w: more than %d requirements", t.Columns[column].File, ErrMany, RowsMax)
				}
				place[id] = at
				t.Rows = append(t.Rows, Row{
					ID: id, Score: clean(r.Score, idShown), Section: clean(r.Section, textShown), Text: clean(r.Text, textShown),
					Cells: make([]Cell, len(runs)),
				})
			}
			t.Rows[at].Cells[column] = Cell{Verdict: clean(string(r.Verdict), idShown), Reason: clean(r.Reason, reasonShown), Known: r.Known.Excuses()}
		}
	}
	order := map[string]int{}
	for i, r := range spec.All() {
		order[r.ID] = i
	}
	rank := func(r Row) int {
		if at, known := order[r.ID]; known {
			return at
		}
		return len(order) // in their own order behind all others
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int { return cmp.Compare(rank(a), rank(b)) })
	for i := range t.Rows {
		row := &t.Rows[i]
		for column := range row.Cells {
			base := t.Columns[column].Base
			if base < 0 {
				continue
			}
			cell := &row.Cells[column]
			cell.Change = changeOf(row.Score, row.Cells[base], *cell)
			t.Columns[column].Counts[cell.Change]++
		}
	}
	return nil
}

// Count is how often there is a change, over all columns.
func (t *Table) Count(change Change) int {
	n := 0
	for _, c := range t.Columns {
		n += c.Counts[change]
	}
	return n
}

// commitShown is how many digits of a commit name it to a person.
const commitShown = 12

func columnOf(f File, run *record.Run, at int) Column {
	by := clean(f.Doc.Suite.Commit, commitShown)
	if by == "" {
		by = clean(f.Doc.Suite.Version, idShown)
	}
	return Column{
		Letter: string(rune('a' + at)), File: clean(f.Name, textShown), Target: clean(run.Target, labelShown), URL: clean(run.URL, labelShown),
		Software: clean(run.Software, labelShown), Suite: by, Word: clean(run.Conformance, idShown),
		Must: run.Claim.Must, Should: run.Claim.Should, Base: -1, Counts: map[Change]int{},
	}
}

// Name says what was judged.
func (c Column) Name() string {
	name := c.Target
	if c.URL != "" && c.URL != c.Target {
		name += " at " + c.URL
	}
	if c.Software != "" {
		name += " (" + c.Software + ")"
	}
	return name
}
