package report_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
)

func pageOf(t *testing.T, doc *record.Document) string {
	t.Helper()
	var out bytes.Buffer
	if err := report.HTML(&out, doc); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The page of a good run is small enough to open at once, and needs nothing else.
func TestPageNeedsNothingElse(t *testing.T) {
	page := pageOf(t, made(t, nil))
	if len(page) > 3<<20 {
		t.Errorf("got %d bytes, want 3 MiB at most", len(page))
	}
	if found := regexp.MustCompile(`(?i)(src|href)="(https?:|//|/)[^"]*"|@import|url\(|fetch\(|XMLHttpRequest`).FindString(page); found != "" {
		t.Errorf("the page asks for %s", found)
	}
	if n := len(regexp.MustCompile(`<[^>"]*("[^"]*"[^>"]*)* hidden[ >]`).FindAllString(page, -1)); n != 1 {
		t.Errorf("got %d hidden elements, want the filter alone, which needs the script", n)
	}
	for _, id := range []string{"r1-findings", "r1-requirements", "r1-time", "r1-checks", "r1-about"} {
		if !strings.Contains(page, `id="`+id+`"`) || !strings.Contains(page, `href="#`+id+`"`) {
			t.Errorf("%s: no place, or no link to it", id)
		}
	}
}

// Each link within the page leads somewhere.
func TestPageLinks(t *testing.T) {
	page := pageOf(t, bad(t))
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if ids[m[1]] {
			t.Errorf("two elements are named %s", m[1])
		}
		ids[m[1]] = true
	}
	links := regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(links) < 100 {
		t.Errorf("got %d links", len(links))
	}
	for _, m := range links {
		if !ids[m[1]] {
			t.Errorf("a link leads to %s, which is not there", m[1])
		}
	}
}

func TestPageOfABadRun(t *testing.T) {
	doc := bad(t)
	page := pageOf(t, doc)
	for what, want := range map[string]string{
		"word":               `</span> NON-CONFORMANT</p>`,
		"denominator":        fmt.Sprintf(" of %d verified", doc.Runs[0].Claim.Must.Total),
		"exit reason":        `<li>3 MUST are violated: <span class="whole">G01-PUSH-03</span>, <span class="whole">N34-ST-01</span>, `,
		"root cause":         `9 checks could not be judged because of it`,
		"expected":           `<dt>Expected</dt><dd>the push is refused: the report says ng refs/heads/main, or the request is refused</dd>`,
		"seen":               `the server answered unpack ok and ok refs/heads/main; the latest state names 7c1b2f0 there</dd>`,
		"clause":             `A commit other than the one that the state names is refused.`,
		"failed step":        `<li class="bad failed">`,
		"twin":               `Its twin, which has to be accepted`,
		"laid out JSON":      `  [&#34;HEAD&#34;,&#34;ref: refs/heads/main&#34;],`,
		"pkt-line":           `<code>ok refs/heads/main</code>`,
		"header":             `Access-Control-Allow-Origin: *`,
		"log":                `INFO push accepted`,
		"command":            `grasp-check --id G01-PUSH-03 --write --time-budget 66m http://127.0.0.1:7334`,
		"script":             `grasp-check repro run.json G01-PUSH-03`,
		"price":              ` minutes of waiting:`,
		"not verified":       `<h2>Not verified here</h2>`,
		"bar of a long wait": `<title>REF-HUNT-07.forgotten PASS, `,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s: got no %q", what, want)
		}
	}
}

// A twin that was not tried is named, with what it asks for.
func TestPageOfATwinThatWasNotTried(t *testing.T) {
	doc := bad(t)
	for i := range doc.Runs[0].Checks {
		c := &doc.Runs[0].Checks[i]
		for j := range c.Steps {
			if c.ID == "G01-PUSH-03" && c.Steps[j].Role == "twin" {
				c.Steps[j].Outcome = record.StepNotRun
				c.Transcript = c.Transcript[:5]
			}
		}
	}
	if page := pageOf(t, doc); !strings.Contains(page, "Not tried: the check ended at the step that failed.") {
		t.Error("got no word of it")
	}
}

// Whatever a document holds, the page is bounded, and says what it leaves out.
func TestPageIsBounded(t *testing.T) {
	n := 0
	doc := made(t, func(c *record.Check) {
		if n++; n <= 300 {
			c.Verdict, c.Reason = "FAIL", "seen"
		}
	})
	run := &doc.Runs[0]
	run.Checks = run.Checks[:300]
	text := strings.Repeat("what a server says at length ", 1000)
	for i := range run.Checks {
		c := &run.Checks[i]
		c.Log = text
		for range 500 {
			c.Transcript = append(c.Transcript, record.Exchange{Step: 1, Channel: "http#1", Direction: record.Received, Form: record.FormText, Text: text, Size: len(text)})
		}
	}
	doc.Runs = append(doc.Runs, *run)
	page := pageOf(t, doc)
	if len(page) > 24<<20 {
		t.Errorf("got %d bytes", len(page))
	}
	if !strings.Contains(page, "left out here to keep this page small") || !strings.Contains(page, "left out; run.json has what was kept") {
		t.Error("nothing says that something is left out")
	}
}

func TestPageOfSeveralRuns(t *testing.T) {
	doc := bad(t)
	other := made(t, nil).Runs[0]
	other.Target = "another"
	doc.Runs = append(doc.Runs, other, record.Run{Target: "down", Down: "connection refused", Unreachable: true, Conformance: record.Unknown, Exit: record.ExitUnreachable})
	page := pageOf(t, doc)
	for i, target := range []string{"http://127.0.0.1:7334", "another", "down"} {
		if !strings.Contains(page, fmt.Sprintf(`<a href="#r%d">%s</a>`, i+1, target)) {
			t.Errorf("%s is not in the list of targets", target)
		}
	}
	if !strings.Contains(page, "<b>Target down:</b> connection refused") {
		t.Error("got no word of the target that is down")
	}
	if page := pageOf(t, &record.Document{}); !strings.Contains(page, "This document has no run.") {
		t.Error("got no word of a document without a run")
	}
}
