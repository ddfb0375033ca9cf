package browsertest

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/record"
)

// TestReport opens the pages of a good run and of a bad one from a disk, as who has got one does: light and dark, wide and narrow,
// with the script of the page and without it.
func TestReport(t *testing.T) {
	chromium := browser(t)
	for name, page := range reports(t) {
		t.Run(name, func(t *testing.T) {
			d := openDevtools(t, chromium)
			for _, view := range []struct {
				name, scheme  string
				width, height int
				script        bool
			}{
				{"light", "light", 1280, 1100, true},
				{"dark", "dark", 1280, 1100, true},
				{"narrow", "light", 390, 1200, true},
				{"unscripted", "light", 1280, 1100, false},
			} {
				d.show(view.scheme, view.width, view.height, view.script)
				d.open(page.url)
				looks(t, d, view.name, page.doc)
				path := ""
				if *screenshots != "" {
					path = filepath.Join(*screenshots, name+"-"+view.name+".png")
				}
				d.picture(path)
				var dark bool
				d.ask(`getComputedStyle(document.body).backgroundColor.match(/\d+/g).every(c => c < 100)`, &dark)
				if dark != (view.scheme == "dark") {
					t.Errorf("%s: dark is %v", view.name, dark)
				}
				if view.script {
					filters(t, d, page.doc)
				}
			}
			if len(d.complaints) > 0 {
				t.Errorf("the page complains: %.2000s", d.complaints)
			}
		})
	}
}

// looks sees that everything is there and nothing is out of place.
func looks(t *testing.T, d *devtools, view string, doc *record.Document) {
	t.Helper()
	run := doc.Runs[0]
	var title string
	d.ask(`document.title`, &title)
	if !strings.HasPrefix(title, run.Conformance+": ") {
		t.Errorf("%s: title: got %q, want the word of the claim %s", view, title, run.Conformance)
	}
	if got := d.number64(`document.querySelectorAll("#r1-requirements [data-count]").length`); got != len(run.Requirements) {
		t.Errorf("%s: requirements: got %d, want %d", view, got, len(run.Requirements))
	}
	if got := d.number64(`document.querySelectorAll("#r1-checks [data-item]").length`); got != len(run.Checks) {
		t.Errorf("%s: checks: got %d, want %d", view, got, len(run.Checks))
	}
	worst := 0
	for _, c := range run.Checks {
		if c.Verdict.Violated() {
			worst++
		}
	}
	if got := d.number64(`document.querySelectorAll(".finding.bad, .finding.weak").length`); got != worst {
		t.Errorf("%s: findings: got %d, want %d", view, got, worst)
	}
	if wide := d.number64(`document.documentElement.scrollWidth - innerWidth`); wide > 0 {
		t.Errorf("%s: %d pixels wider than the window", view, wide)
	}
	// Glyph and word stand beside the color, and what is open is seen.
	if got := d.number64(`[...document.querySelectorAll(".v")].filter(v => v.textContent.trim().length < 2 && !v.closest(".root")).length`); got > 0 {
		t.Errorf("%s: %d verdicts without a word", view, got)
	}
	if got := d.number64(`[...document.querySelectorAll(".open-group li")].filter(li => li.getClientRects().length === 0).length`); got > 0 {
		t.Errorf("%s: %d requirements that are not verified are hidden", view, got)
	}
	var pale []string
	d.ask(paleWords, &pale)
	if len(pale) > 0 {
		t.Errorf("%s: less contrast than 4.5: %q", view, pale)
	}
}

// paleWords names the words of verdicts that are too pale to read, by the rule of WCAG 2.
const paleWords = `(() => {
	const light = (color) => {
		const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ground = (e) => {
		for (; e; e = e.parentElement) {
			const color = getComputedStyle(e).backgroundColor;
			if (color !== "rgba(0, 0, 0, 0)") return color;
		}
		return "rgb(255, 255, 255)";
	};
	const pale = new Set();
	for (const e of document.querySelectorAll(".v, .why, .score, .hint, .meta span, small, a, .word, dt")) {
		const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
		if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5) pale.add(e.className + " " + e.textContent.trim().slice(0, 30));
	}
	return [...pale];
})()`

// filters tries what the script of the page is for.
func filters(t *testing.T, d *devtools, doc *record.Document) {
	t.Helper()
	run := doc.Runs[0]
	shown := `[...document.querySelectorAll("#r1-requirements [data-count]")].filter(li => li.getClientRects().length > 0).length`
	word, section := run.Requirements[0].Verdict, run.Requirements[len(run.Requirements)-1].Section
	byWord, bySection, byText := 0, 0, 0
	for _, row := range run.Requirements {
		if row.Verdict == word {
			byWord++
		}
		if row.Section == section {
			bySection++
		}
		if row.ID == run.Requirements[0].ID {
			byText++
		}
	}
	for _, f := range []struct {
		what, act string
		want      int
	}{
		{"verdict", fmt.Sprintf(`document.querySelector("#filter input[value=%s]").click()`, word), byWord},
		{"section", fmt.Sprintf(`section.value = %q; section.dispatchEvent(new Event("change", {bubbles: true}))`, section), bySection},
		{"text", fmt.Sprintf(`text.value = %q; filter.requestSubmit()`, run.Requirements[0].ID), byText},
	} {
		got := d.number64(f.act + "; " + shown)
		if got != f.want || got == 0 {
			t.Errorf("by %s: got %d requirements, want %d", f.what, got, f.want)
		}
		hidden := d.number64(`(async () => { filter.reset(); await new Promise((r) => setTimeout(r, 50)); return document.querySelectorAll("[data-away]").length })()`)
		if hidden != 0 {
			t.Errorf("by %s and all again: %d are hidden", f.what, hidden)
		}
	}
}

// A reportPage is a page on a disk with what it was made of.
type reportPage struct {
	url string
	doc *record.Document
}

// reports judges the reference, and the reference with a planted mistake, and makes a page of each run.
func reports(t *testing.T) map[string]reportPage {
	t.Helper()
	bin := built(t)
	check := filepath.Join(bin, "grasp-check")
	pages := map[string]reportPage{}
	for name, args := range map[string][]string{
		"good": {"serve"},
		"bad":  {"--launch", filepath.Join(bin, "grasp-wrong") + " --defect push-of-other-commit --addr {addr}"},
	} {
		doc, page := filepath.Join(bin, name+".json"), filepath.Join(bin, name+".html")
		run(t, check, append(args, "--quiet", "--id", "G01-PUSH-0", "--json", doc)...)
		run(t, check, "report", doc, "--html", page)
		read, err := readDocument(doc)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]string{"good": record.Conformant, "bad": record.NonConformant}[name]; read.Runs[0].Conformance != want {
			t.Errorf("%s run: got %s, want %s", name, read.Runs[0].Conformance, want)
		}
		pages[name] = reportPage{(&url.URL{Scheme: "file", Path: page}).String(), read}
	}
	return pages
}

// run runs a program; that it ends with an exit code of its own is no error.
func run(t *testing.T, program string, args ...string) {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), 5*patience)
	defer end()
	cmd := exec.CommandContext(ctx, program, args...)
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); err != nil && code != record.ExitViolated {
		t.Fatalf("%s %q: %v\n%s", filepath.Base(program), args, err, out)
	}
}
