package compare_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/compare"
	"github.com/graspkit/graspkit/conformance/record"
)

// file makes a document of one run for each list of verdicts; "ID VERDICT [SHOULD] [known]" is a row.
func file(name string, runs ...[]string) compare.File {
	doc := &record.Document{Schema: record.Schema, Spec: record.Spec{Commit: "abc", Lineage: "C"}, Suite: record.Suite{Commit: "0123456789abcdef"}}
	for i, rows := range runs {
		run := record.Run{Target: fmt.Sprintf("target%d", i), URL: "http://127.0.0.1:7334", Conformance: record.Partial}
		for _, row := range rows {
			words := strings.Fields(row)
			r := record.Requirement{ID: words[0], Score: "MUST", Verdict: record.Verdict(words[1]), Section: "One", Text: "text of " + words[0], Reason: "seen"}
			for _, word := range words[2:] {
				switch word {
				case "SHOULD":
					r.Score = word
				case "known":
					r.Known = &record.Known{Reason: "expected"}
				}
			}
			run.Requirements = append(run.Requirements, r)
		}
		doc.Runs = append(doc.Runs, run)
	}
	return compare.File{Name: name, Doc: doc}
}

func table(t *testing.T, files ...compare.File) *compare.Table {
	t.Helper()
	got, err := compare.Of(files)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, after string
		want          compare.Change
	}{
		{"PASS", "PASS", compare.Same},
		{"PASS", "FAIL", compare.Worse},
		{"PASS", "WARN SHOULD", compare.Worse},
		{"OBSERVED", "FAIL", compare.Worse},
		{"PASS", "BLOCKED", compare.Worse},
		{"PASS", "INCONCLUSIVE", compare.Worse},
		{"PASS", "NOT_APPLICABLE", compare.Worse},
		{"PASS", "FAIL known", compare.Worse},
		{"PASS SHOULD", "BLOCKED SHOULD", compare.Other},
		{"PASS", "OBSERVED", compare.Other},
		{"FAIL", "PASS", compare.Better},
		{"BLOCKED", "PASS", compare.Better},
		{"FAIL", "INCONCLUSIVE", compare.Other},
		{"INCONCLUSIVE", "FAIL", compare.Other},
		{"FAIL", "FAIL known", compare.Other},
		{"", "PASS", compare.New},
		{"PASS", "", compare.Gone},
	} {
		rows := func(verdict string) []string {
			if verdict == "" {
				return nil
			}
			return []string{"G01-PUSH-03 " + verdict}
		}
		got := table(t, file("a", rows(c.before)), file("b", rows(c.after)))
		if change := got.Rows[0].Change(); change != c.want || got.Count(c.want) != 1 || got.Rows[0].Differs() != (c.want != compare.Same) {
			t.Errorf("%q to %q: got %v, want %v", c.before, c.after, change, c.want)
		}
	}
}

// Rows stand in the order of the catalogue, and each run is compared with that of the same target in the first file.
func TestOf(t *testing.T) {
	t.Parallel()
	got := table(t, file("a", []string{"X-1 PASS", "G01-PUSH-03 PASS"}, []string{"G01-PUSH-03 FAIL"}), file("b", []string{"G01-N11-01 PASS", "G01-PUSH-03 PASS"}, []string{"G01-PUSH-03 PASS"}))
	var ids []string
	for _, r := range got.Rows {
		ids = append(ids, r.ID)
	}
	if want := "G01-N11-01 G01-PUSH-03 X-1"; strings.Join(ids, " ") != want {
		t.Errorf("rows: got %v, want %s", ids, want)
	}
	for i, want := range []int{-1, -1, 0, 1} {
		if got.Columns[i].Base != want {
			t.Errorf("column %d: got base %d, want %d", i, got.Columns[i].Base, want)
		}
	}
	if c := got.Columns[3].Counts; c[compare.Better] != 1 || c[compare.Worse] != 0 {
		t.Errorf("changes of the second target: got %v, want one better", c)
	}
	if one := table(t, file("a", []string{"G01-PUSH-03 PASS"}, []string{"G01-PUSH-03 FAIL"})); one.Columns[1].Base != 0 {
		t.Errorf("runs of one file: got base %d, want the first", one.Columns[1].Base)
	}
}

func TestOfRefuses(t *testing.T) {
	t.Parallel()
	other := file("b", []string{"G01-PUSH-03 PASS"})
	other.Doc.Spec.Lineage = "A"
	long := file("b", nil)
	for i := range compare.RowsMax + 1 {
		long.Doc.Runs[0].Requirements = append(long.Doc.Runs[0].Requirements, record.Requirement{ID: fmt.Sprint(i)})
	}
	one := file("a", []string{"G01-PUSH-03 PASS"})
	for name, c := range map[string]struct {
		files []compare.File
		want  error
	}{
		"another lineage": {[]compare.File{one, other}, compare.ErrLineage},
		"one run":         {[]compare.File{one}, compare.ErrFew},
		"no run":          {[]compare.File{file("a"), file("b")}, compare.ErrFew},
		"many runs":       {[]compare.File{file("a", make([][]string, compare.ColumnsMax+1)...)}, compare.ErrMany},
		"many rows":       {[]compare.File{one, long}, compare.ErrMany},
	} {
		if _, err := compare.Of(c.files); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	later := file("b", nil)
	later.Doc.Spec.Commit = "def"
	if got := table(t, one, later); len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "abc and def") {
		t.Errorf("another version of the text: got notes %q, want one", got.Notes)
	}
	smoke := file("b", []string{"G01-PUSH-03 PASS"})
	smoke.Doc.Runs[0].Selection = &record.Selection{Profile: "smoke"}
	if got := table(t, one, smoke); len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "b was judged by profile smoke, and a by everything") {
		t.Errorf("another selection: got notes %q, want one", got.Notes)
	}
}

// Only rows that differ are told, the worst first, and as many as fit a screen.
func TestText(t *testing.T) {
	t.Parallel()
	var before, after []string
	for i := range 60 {
		before, after = append(before, fmt.Sprintf("X-%02d PASS", i)), append(after, fmt.Sprintf("X-%02d INCONCLUSIVE", i))
	}
	before, after = append(before, "G01-PUSH-03 FAIL", "G01-PUSH-04 PASS"), append(after, "G01-PUSH-03 PASS", "G01-PUSH-04 PASS")
	var few, all bytes.Buffer
	got := table(t, file("a", before), file("b", after))
	if err := errors.Join(compare.Text(&few, got, false), compare.Text(&all, got, true)); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(few.String(), "\n"); n > 40 || !strings.Contains(few.String(), "and 31 more rows that differ; --all") {
		t.Errorf("got %d lines, want one screen that says what is left out:\n%s", n, few.String())
	}
	if strings.Contains(few.String(), "PUSH-04") || !strings.Contains(all.String(), "PUSH-04") || strings.Contains(all.String(), "more rows") {
		t.Errorf("with all: got\n%s", all.String())
	}
	if strings.Contains(few.String()+all.String(), " \n") {
		t.Error("got blanks at the end of a line, want none")
	}
}

// Whatever a document says is text, in every form.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	const evil = "<script>alert(1)</script>\x1b[31m\n| x | `y` @everyone [a](javascript:b) \u202e\xff" + `"'-->`
	hostile := file("<b>.json", []string{"G01-PUSH-03 FAIL"})
	run := &hostile.Doc.Runs[0]
	run.Target, run.URL, run.Software, run.Conformance = evil, evil, evil+strings.Repeat("long", 1000), evil
	hostile.Doc.Suite.Commit = evil
	for _, id := range []string{"X-1", evil} {
		run.Requirements = append(run.Requirements, record.Requirement{ID: id, Score: evil, Section: evil, Text: evil, Reason: strings.Repeat(evil, 1000), Verdict: evil})
	}
	got := table(t, file("a", []string{"G01-PUSH-03 PASS"}), hostile)
	outputs := map[string]func(*bytes.Buffer) error{
		"text":     func(b *bytes.Buffer) error { return compare.Text(b, got, true) },
		"html":     func(b *bytes.Buffer) error { return compare.HTML(b, got) },
		"markdown": func(b *bytes.Buffer) error { return compare.Markdown(b, got, true) },
		"json":     func(b *bytes.Buffer) error { return compare.JSON(b, got) },
	}
	for name, write := range outputs {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if strings.ContainsAny(text, "\x1b\u202e") || len(text) > 40_000 {
			t.Errorf("%s: got %d bytes, or characters that command a terminal", name, len(text))
		}
		switch name {
		case "html":
			if strings.Contains(text, "<script") || strings.Contains(text, "<b>.json") {
				t.Errorf("html: got a foreign tag:\n%s", text)
			}
		case "markdown":
			if strings.Contains(text, "<script") || strings.Contains(text, "@everyone") || strings.Contains(text, "\n| x |") || strings.Contains(text, "[a](") {
				t.Errorf("markdown: got foreign marks:\n%s", text)
			}
		case "json":
			if !json.Valid(b.Bytes()) {
				t.Error("json: got none")
			}
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := compare.JSON(&b, table(t, file("a", []string{"G01-PUSH-03 PASS"}), file("b", []string{"G01-PUSH-03 FAIL known"}))); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Schema  string `json:"schema"`
		Columns []struct {
			Base    *int           `json:"base"`
			Changes map[string]int `json:"changes"`
		} `json:"columns"`
		Rows []struct {
			Cells []struct {
				Verdict string `json:"verdict"`
				Change  string `json:"change"`
				Known   bool   `json:"known"`
			} `json:"cells"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != compare.Schema || doc.Columns[0].Base != nil || *doc.Columns[1].Base != 0 || doc.Columns[1].Changes["worse"] != 1 {
		t.Errorf("got %s", b.String())
	}
	if c := doc.Rows[0].Cells; c[0].Change != "" || c[1].Change != "worse" || !c[1].Known {
		t.Errorf("cells: got %+v", c)
	}
}

// The page needs nothing from elsewhere and no script.
func TestHTMLStandsAlone(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := compare.HTML(&b, table(t, file("a", []string{"G01-PUSH-03 PASS", "G01-PUSH-04 PASS"}), file("b", []string{"G01-PUSH-03 FAIL", "G01-PUSH-04 PASS"}))); err != nil {
		t.Fatal(err)
	}
	for _, banned := range []string{"<script", "src=", "href=", "@import", "url("} {
		if strings.Contains(b.String(), banned) {
			t.Errorf("got %q in the page, want it to stand alone", banned)
		}
	}
	for _, want := range []string{"changed-worse", "<h2>Worse <small>1</small></h2>", "prefers-color-scheme: dark", "G01-PUSH-04"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got no %q in the page", want)
		}
	}
}
