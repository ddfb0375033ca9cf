package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
)

// renderers are all that make a document into something else.
func renderers() map[string]func(io.Writer, *record.Document) error {
	return map[string]func(io.Writer, *record.Document) error{
		"html": report.HTML, "junit": report.JUnit, "tap": report.TAP, "sarif": report.SARIF, "markdown": report.Markdown, "annotations": report.Annotations,
		"badge": report.Badge, "claim": report.ClaimYAML,
	}
}

// nasty are texts that a server may choose.
func nasty() []string {
	return []string{
		"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "]]>", "</pre></title></style></script>", "{{.}}", "a\u202eb\u2066c\u200bd\ufeffe",
		"nul\x00bell\x07esc\x1b[31m", "bad\xff\xfeutf8", "::error::planted\n::error file=x::planted", "%0A::error::planted", "line one\nnot ok 99 - planted\n1..1\nBail out! planted",
		"# SKIP planted", "# TODO planted", "| cell | `tick` ``` fence\n\n# heading\n- [x](javascript:alert(1))", "key: value\n- planted: true\n...\n---\n", "'; rm -rf /; '",
		strings.Repeat("x", 1<<20), strings.Repeat("[", 50_000), `{"a":` + strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000) + `}`, "\u2028\u2029\u0085", "a\ufffeb\uffffc\ud7ff",
	}
}

// hostileDocument puts a text wherever one can come from a server, or from anybody.
func hostileDocument(t *testing.T, text string) *record.Document {
	t.Helper()
	doc := bad(t)
	r := &doc.Runs[0]
	r.Software, r.Facts, r.Down, r.URL, r.Target = text, []string{text}, text, text, text
	r.Causes[0].Reason, r.ExitReasons, r.Arguments = text, []string{text}, []string{text}
	for i := range r.Requirements {
		if row := &r.Requirements[i]; row.Verdict != "PASS" {
			row.Reason = text
		}
	}
	r.Checks = slices.DeleteFunc(r.Checks, func(c record.Check) bool { return c.Verdict == "PASS" }) // what passed has nothing of a server in it
	told := 0
	for i := range r.Checks {
		c := &r.Checks[i]
		if told++; told > 6 {
			break
		}
		c.Reason, c.Expected, c.Unlock, c.Log, c.Notes = text, text, text, text, []string{text}
		c.Findings[0].Reason = text
		c.Known = &record.Known{Reason: text, Owner: text, Link: "javascript:alert(1)", Expires: "2027-01-01"}
		c.Known.Expired = told%2 == 0
		for j := range c.Transcript {
			e := &c.Transcript[j]
			e.Head, e.Text, e.Headers, e.Channel = text, text, []string{text}, text
			if e.Form == record.FormPktLines {
				e.Lines = []string{text, text}
			}
			if e.Form == record.FormBytes {
				e.Base64 = text
			}
		}
	}
	return doc
}

func TestHostileTexts(t *testing.T) {
	for i, text := range nasty() {
		if testing.Short() && i%4 > 0 { // to the race detector they are alike
			continue
		}
		doc := hostileDocument(t, text)
		for name, write := range renderers() {
			var out bytes.Buffer
			if err := write(&out, doc); err != nil {
				t.Fatalf("%s of %.20q: %v", name, text, err)
			}
			got := out.String()
			if !utf8.ValidString(got) {
				t.Errorf("%s of %.20q: no UTF-8", name, text)
			}
			for _, r := range []rune{0, 7, 0x1b, 0x202e, 0x2066, 0x200b, 0xfeff, 0x2028, 0x85} {
				if strings.ContainsRune(got, r) {
					t.Errorf("%s of %.20q: got U+%04X", name, text, r)
				}
			}
			if len(got) > 4<<20 {
				t.Errorf("%s of %.20q: got %d bytes", name, text, len(got))
			}
			if problem := intact(name, got); problem != "" {
				t.Errorf("%s of %.20q: %s", name, text, problem)
			}
		}
	}
}

// intact says what a text has done to a form.
func intact(name, got string) string {
	var into any
	switch name {
	case "html":
		for _, planted := range []string{"<script>alert", "<img src=x", "]]>", "href=\"javascript:"} {
			if strings.Contains(got, planted) {
				return "got " + planted
			}
		}
		if n := strings.Count(got, "<script"); n != 1 {
			return fmt.Sprintf("got %d scripts, want ours alone", n)
		}
	case "junit":
		if _, err := parsed(strings.NewReader(got)); err != nil {
			return err.Error()
		}
		for _, r := range got {
			if r == 0xfffe || r == 0xffff || r < ' ' && r != '\n' && r != '\t' { // XML 1.0, 2.2
				return fmt.Sprintf("got U+%04X", r)
			}
		}
	case "sarif", "badge":
		if err := json.Unmarshal([]byte(got), &into); err != nil {
			return err.Error()
		}
	case "claim":
		var claim struct {
			Claims []struct {
				Planted any `yaml:"planted"`
			} `yaml:"claims"`
		}
		if err := yaml.Unmarshal([]byte(got), &claim); err != nil {
			return err.Error()
		} else if len(claim.Claims) != 1 || claim.Claims[0].Planted != nil {
			return "got another claim"
		}
	case "annotations":
		for one := range strings.Lines(got) {
			if kind, _, ok := strings.Cut(one, " "); !ok || kind != "::error" && kind != "::warning" && kind != "::notice" || strings.Contains(one, "::planted") && strings.HasPrefix(one, "::error file=x") {
				return fmt.Sprintf("got %.60q", one)
			}
		}
	case "tap":
		if _, err := pointsOf(got); err != nil {
			return err.Error()
		}
	case "markdown":
		for one := range strings.Lines(got) {
			if strings.HasPrefix(one, "# ") || strings.HasPrefix(one, "::") || strings.HasPrefix(one, "not ok") {
				return fmt.Sprintf("got %.60q", one)
			}
		}
		if strings.Contains(got, "<script>") && !strings.Contains(got, "`<script>") {
			return "got a script"
		}
	}
	return ""
}
