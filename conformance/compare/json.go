package compare

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/graspkit/graspkit/conformance/record"
)

// Schema names the form of the JSON. Members are only ever added to it.
const Schema = "graspkit.compare/1"

type document struct {
	Schema  string       `json:"schema"`
	Columns []jsonColumn `json:"columns"`
	Notes   []string     `json:"notes,omitempty"`
	Rows    []jsonRow    `json:"rows"` // in the order of the catalogue
}

type jsonColumn struct {
	File     string         `json:"file"`
	Target   string         `json:"target"`
	URL      string         `json:"url"`
	Software string         `json:"software"`
	Suite    string         `json:"suite"`
	Word     string         `json:"conformance"`
	Must     record.Tally   `json:"must"`
	Should   record.Tally   `json:"should"`
	Base     *int           `json:"base"` // index of the column that it is compared with; null if there is none
	Changes  map[string]int `json:"changes"`
}

type jsonRow struct {
	ID      string     `json:"id"`
	Score   string     `json:"score"`
	Section string     `json:"section"`
	Text    string     `json:"text"`
	Differs bool       `json:"differs"`
	Cells   []jsonCell `json:"cells"` // by column
}

type jsonCell struct {
	Verdict string `json:"verdict"` // "" if the run does not have the requirement
	Reason  string `json:"reason,omitempty"`
	Known   bool   `json:"known,omitempty"`
	Change  string `json:"change,omitempty"` // "same", "worse", "better", "other", "new" or "gone"; none without a base
}

// JSON writes every row of the comparison as one document of the form Schema.
func JSON(w io.Writer, t *Table) error {
	doc := document{Schema: Schema, Notes: t.Notes, Columns: []jsonColumn{}, Rows: []jsonRow{}}
	for _, c := range t.Columns {
		column := jsonColumn{
			File: c.File, Target: c.Target, URL: c.URL, Software: c.Software, Suite: c.Suite, Word: c.Word, Must: c.Must, Should: c.Should,
			Changes: map[string]int{},
		}
		if c.Base >= 0 {
			column.Base = &c.Base
			for _, change := range Changes() {
				column.Changes[change.String()] = c.Counts[change]
			}
		}
		doc.Columns = append(doc.Columns, column)
	}
	for _, r := range t.Rows {
		row := jsonRow{ID: r.ID, Score: r.Score, Section: r.Section, Text: r.Text, Differs: r.Differs()}
		for i, c := range r.Cells {
			cell := jsonCell{Verdict: c.Verdict, Reason: c.Reason, Known: c.Known}
			if t.Columns[i].Base >= 0 {
				cell.Change = c.Change.String()
			}
			row.Cells = append(row.Cells, cell)
		}
		doc.Rows = append(doc.Rows, row)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("write comparison: %w", err)
	}
	return nil
}
