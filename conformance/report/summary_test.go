package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
)

// What is long is cut where GitHub would take no more, with a note, and the worst is there.
func TestMarkdownIsCut(t *testing.T) {
	doc := made(t, func(c *record.Check) {
		c.Verdict, c.Reason, c.Expected = "WARN", strings.Repeat("seen `so` ", 200), strings.Repeat("want ", 200)
		if c.ID == "G01-GIT-01" {
			c.Verdict = "FAIL"
		}
	})
	var out bytes.Buffer
	if err := report.Markdown(&out, doc); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if len(text) >= 1<<20 || len(text) < 900_000 {
		t.Errorf("got %d bytes, want as much as 1 MiB takes", len(text))
	}
	if !strings.Contains(text, "**Cut here**: ") {
		t.Error("got no note")
	}
	if first := strings.Index(text, "<details><summary>"); !strings.HasPrefix(text[first:], "<details><summary>\u2715 FAIL <code>G01-GIT-01</code>") {
		t.Errorf("got first %.80q", text[first:])
	}
}

func TestAnnotations(t *testing.T) {
	doc := made(t, func(c *record.Check) {
		switch {
		case strings.HasPrefix(c.ID, "G01-PUSH-1"):
			c.Verdict, c.Reason = "FAIL", "100% wrong,\nreally: yes"
		case strings.HasPrefix(c.ID, "G01-GIT-0"):
			c.Verdict, c.Reason = "WARN", "late"
		case strings.HasPrefix(c.ID, "G01-HEAD-0"):
			c.Verdict, c.Reason, c.Cause = "DEPENDENCY_FAIL", "no state", "N34-ST-01"
		case c.ID == "G01-CORS-01":
			c.Verdict, c.Known = "FAIL", &record.Known{Reason: "issue 7"}
		}
	})
	var out bytes.Buffer
	if err := report.Annotations(&out, doc); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for one := range strings.Lines(out.String()) {
		kind, _, _ := strings.Cut(one, " ")
		counts[kind]++
		if strings.Contains(one, "G01-CORS-01") && kind != "::notice" {
			t.Errorf("a known failure is %s", kind)
		}
	}
	for _, kind := range []string{"::error", "::warning"} {
		if counts[kind] != 10 {
			t.Errorf("%s: got %d, want 10", kind, counts[kind])
		}
	}
	if len(counts) != 3 || !strings.Contains(out.String(), "more of this kind::The report has them all.") {
		t.Errorf("got %v", counts)
	}
	first, _, _ := strings.Cut(out.String(), "\n")
	if !strings.HasPrefix(first, "::error file=features/grasp01/16_push.feature,line=") || !strings.Contains(first, "seen: 100%25 wrong,%0Areally: yes") {
		t.Errorf("got %s", first)
	}
}

func TestBadge(t *testing.T) {
	whole := made(t, nil)
	whole.Runs[0].Conformance = record.Conformant
	part := made(t, nil)
	part.Runs[0].Conformance, part.Runs[0].Requirements = record.Conformant, part.Runs[0].Requirements[:20]
	interrupted := made(t, nil)
	interrupted.Runs[0].Conformance, interrupted.Runs[0].Interrupted = record.Conformant, true
	down := made(t, nil)
	down.Runs[0].Conformance, down.Runs[0].Down = record.Unknown, "refused"
	partial := made(t, nil)
	partial.Runs[0].Conformance = record.Partial
	both := &record.Document{Runs: []record.Run{whole.Runs[0], bad(t).Runs[0], whole.Runs[0]}}
	must := whole.Runs[0].Claim.Must
	verified := fmt.Sprintf("%d/%d verified", must.Verified, must.Total)
	for name, c := range map[string]struct {
		doc            *record.Document
		message, color string
	}{
		"whole": {whole, verified, "brightgreen"}, "a part": {part, verified + " (of a part)", "yellow"}, "interrupted": {interrupted, verified + " (of a part)", "yellow"},
		"down": {down, verified, "lightgrey"}, "partial": {partial, verified, "yellow"}, "the worst of several": {both, "violated", "red"}, "nothing": {&record.Document{}, "no run", "lightgrey"},
	} {
		var out bytes.Buffer
		if err := report.Badge(&out, c.doc); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Version int    `json:"schemaVersion"`
			Label   string `json:"label"`
			Message string `json:"message"`
			Color   string `json:"color"`
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if got.Version != 1 || got.Label == "" || !strings.HasSuffix(got.Message, c.message) || got.Color != c.color {
			t.Errorf("%s: got %+v, want %s %s", name, got, c.color, c.message)
		}
	}
}

func TestClaim(t *testing.T) {
	var out bytes.Buffer
	if err := report.ClaimYAML(&out, bad(t)); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Date   string
		Claims []struct {
			Result     string
			Whole      bool
			Statistics struct {
				Must struct{ Total, Verified, Violated, Unverified int }
			}
			Documents []struct {
				Document, Result string
				Must             struct{ Total int }
			}
			Skipped []struct {
				ID, Verdict, Reason string
			}
			Reproduce string
		}
	}
	if err := yaml.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	c := got.Claims[0]
	m := c.Statistics.Must
	if c.Result != record.NonConformant || !c.Whole || m.Total != m.Verified+m.Violated+m.Unverified || m.Total == 0 || !strings.HasPrefix(c.Reproduce, "grasp-check ") {
		t.Errorf("got %+v", c)
	}
	results, total := map[string]string{}, 0
	for _, d := range c.Documents {
		results[d.Document] = d.Result
		total += d.Must.Total
	}
	if results["GRASP-01"] != record.NonConformant || results["NIP-01"] != record.Conformant || results["GRASP-02"] != record.Unknown {
		t.Errorf("got %v", results)
	}
	for _, s := range c.Skipped {
		if s.ID == "" || s.Verdict == "" || s.Reason == "" {
			t.Errorf("skipped without a reason: %+v", s)
		}
	}
}

// What is said in a code span stays in it, and prose has no markup.
func TestMarkdownTakesNoMarkup(t *testing.T) {
	doc := &record.Document{Runs: []record.Run{{Target: "t", Checks: []record.Check{
		{ID: "G01-PUSH-01", Check: "c", Verdict: "FAIL", Reason: "a ``` *b*", Expected: "[x](y) <b> `z` | w"},
	}}}}
	var out bytes.Buffer
	if err := report.Markdown(&out, doc); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- seen: ```` a ``` *b* ````\n", "- expected: \\[x\\](y) \\<b\\> \\`z\\` \\| w\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got no %q in\n%s", want, out.String())
		}
	}
}
