package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/record"
)

//go:embed page/page.html
var pageText string

//go:embed page/page.css
var pageStyle string

//go:embed page/page.js
var pageScript string

// HTML writes a document as one page that needs nothing else: no network and no script. What its script does is filter. Whatever
// a server wrote is shown as text; what is long is cut, and the whole is bounded, whatever the document holds.
func HTML(w io.Writer, doc *record.Document) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"ms":    duration,
		"line":  func(s string) string { return line(s, reasonTextMax) },
		"words": unbroken,
		"name":  func(s string) string { return line(s, nameBytesMax) },
		"size":  bytesWord,
		"requirement": func(check string) string {
			id, _, _ := strings.Cut(check, ".")
			return line(id, nameBytesMax)
		},
		"word":    func(v record.Verdict) string { return line(string(v), nameBytesMax) },
		"minutes": func(d time.Duration) string { return counted(int((d+time.Minute-1)/time.Minute), "minute", "minutes") },
		"count": func(n int, word string) string {
			if n == 1 {
				return "1 " + word
			}
			return fmt.Sprintf("%d %ss", n, word)
		},
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("parse HTML page: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, pageOf(doc)); err != nil {
		return fmt.Errorf("make HTML report: %w", err)
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write HTML report: %w", err)
	}
	return nil
}

// A page is what the template shows.
type page struct {
	Title   string
	Policy  string // what the page may load and run: its own style and script
	Style   template.CSS
	Script  template.JS
	Doc     *record.Document
	Written string
	Runs    []*runView
	// Verdicts and Sections are what can be filtered by.
	Verdicts []verdictCount
	Sections []string
}

type verdictCount struct {
	Verdict record.Verdict
	Class   string
	Sign    string
	Count   int // requirements
}

func pageOf(doc *record.Document) *page {
	p := &page{
		Title: "Conformance report", Doc: doc, Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Policy: "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src " + hashOf(pageStyle) + "; script-src " + hashOf(pageScript),
	}
	if !doc.Written.IsZero() {
		p.Written = moment(doc.Written)
	}
	room := evidenceBytesMax
	for i := range doc.Runs {
		p.Runs = append(p.Runs, runOf(&doc.Runs[i], i+1, &room))
	}
	if len(doc.Runs) == 1 {
		p.Title = line(doc.Runs[0].Conformance, nameBytesMax) + ": " + line(doc.Runs[0].Target, nameBytesMax) + ", conformance report"
	}
	p.filters(doc)
	return p
}

// filters counts what there is to filter by: verdicts, the worst first, and sections in order.
func (p *page) filters(doc *record.Document) {
	counts, sections := map[record.Verdict]int{}, map[string]bool{}
	for i := range doc.Runs {
		for _, row := range doc.Runs[i].Requirements {
			counts[row.Verdict]++
			if !sections[row.Section] {
				sections[row.Section] = true
				p.Sections = append(p.Sections, row.Section)
			}
		}
		for _, c := range doc.Runs[i].Checks {
			counts[c.Verdict] += 0 // a verdict that only checks have
		}
	}
	for verdict, n := range counts {
		s := standingOf(verdict)
		p.Verdicts = append(p.Verdicts, verdictCount{verdict, s.class(), s.sign(), n})
	}
	sortVerdicts(p.Verdicts)
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// duration writes milliseconds for people.
func duration(ms int64) string {
	switch {
	case ms < 1000:
		return fmt.Sprintf("%d ms", ms)
	case ms < 60_000:
		return fmt.Sprintf("%d.%d s", ms/1000, ms%1000/100)
	case ms < 3_600_000:
		return fmt.Sprintf("%d min %d s", ms/60_000, ms%60_000/1000)
	}
	return fmt.Sprintf("%d h %d min", ms/3_600_000, ms%3_600_000/60_000)
}

// bytesWord writes a number of bytes for people.
func bytesWord(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%d.%d KiB", n>>10, n&(1<<10-1)*10>>10)
	}
	return fmt.Sprintf("%d.%d MiB", n>>20, n&(1<<20-1)*10>>20)
}

// hyphened is a word that a line may be broken in, though it reads as one: an id, or a flag.
var hyphened = regexp.MustCompile(`[^\s(]*-[^\s,)]*`)

// unbrokenMax is how long such a word may be, in bytes, to fit on a small screen.
const unbrokenMax = 32

// unbroken is text in which no id and no flag is broken.
func unbroken(s string) template.HTML {
	text, at := line(s, reasonTextMax), 0
	var b strings.Builder
	for _, m := range hyphened.FindAllStringIndex(text, -1) {
		if m[1]-m[0] > unbrokenMax {
			continue
		}
		b.WriteString(template.HTMLEscapeString(text[at:m[0]]) + `<span class="whole">` + template.HTMLEscapeString(text[m[0]:m[1]]) + `</span>`)
		at = m[1]
	}
	return template.HTML(b.String() + template.HTMLEscapeString(text[at:])) //nolint:gosec // each part of it is escaped
}
