package browsertest

import (
	"bytes"
	"html"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
)

// TestPictures makes the pictures of docs/report.md anew, for whoever has changed what a report looks like: `make pictures`.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("-pictures names no folder for the pictures of docs/report.md; make pictures does")
	}
	chromium := browser(t)
	bin := built(t)
	check, in := filepath.Join(bin, "grasp-check"), func(name string) string { return filepath.Join(bin, name) }
	page := func(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }
	wrong := func(defect string) string {
		return started(t, in("grasp-wrong"), "--defect", defect, "--addr", "{addr}").ServiceURL()
	}

	run(t, check, "serve", "--quiet", "--json", in("good.json"), "--html", in("good.html"))
	same := []string{"--quiet", "--profile", "core", "--seed", "picture", "--json"}
	run(t, check, append([]string{"serve"}, append(same, in("a.json"))...)...)
	run(t, check, append([]string{wrong("push-of-other-commit")}, append(same, in("run.json"), "--html", in("bad.html"))...)...)
	run(t, check, append([]string{wrong("nip11-without-grasps")}, append(same, in("c.json"))...)...)
	run(t, check, "compare", in("a.json"), in("run.json"), in("c.json"), "--html", in("compare.html"))
	if err := os.WriteFile(in("console.html"), terminal(t, in("run.json")), 0o600); err != nil {
		t.Fatal(err)
	}

	d := openDevtools(t, chromium)
	for _, p := range []struct {
		name, scheme  string
		width, height int // 0: as high as the page
	}{
		{"good", "dark", 1180, 900},
		{"bad", "light", 1100, 2000},
		{"compare", "light", 1100, 700},
		{"console", "dark", 900, 0},
	} {
		d.show(p.scheme, p.width, max(p.height, 100), true)
		d.open(page(in(p.name + ".html")))
		if p.height == 0 {
			d.show(p.scheme, p.width, d.number64(`document.documentElement.scrollHeight`), true)
		}
		d.picture(filepath.Join(*pictures, "report-"+p.name+".png"))
	}
}

// A turn of a terminal to another color or weight, as the report uses them.
var turn = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// terminal is a page that shows what a terminal shows of a document.
func terminal(t *testing.T, path string) []byte {
	t.Helper()
	doc, err := readDocument(path)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	o := report.ConsoleOptions{Color: true, UTF8: true, Width: 100, Report: filepath.Base(path)}
	if err := report.Console(&text, &doc.Runs[0], doc.Spec, o); err != nil {
		t.Fatal(err)
	}
	styles := map[string]string{
		"1": "font-weight:bold", "2": "opacity:.7", "31": "color:#ff8a80", "32": "color:#7fd99a", "33": "color:#ffb74d",
		"34": "color:#82b1ff", "35": "color:#ce93d8", "36": "color:#80deea",
	}
	open := 0
	shown := turn.ReplaceAllStringFunc(html.EscapeString(text.String()), func(code string) string {
		codes := turn.FindStringSubmatch(code)[1]
		if codes == "" || codes == "0" {
			ends := strings.Repeat("</span>", open)
			open = 0
			return ends
		}
		open++
		var style []string
		for c := range strings.SplitSeq(codes, ";") {
			if styles[c] == "" {
				t.Fatalf("color %q of the console has no style here", c)
			}
			style = append(style, styles[c])
		}
		return `<span style="` + strings.Join(style, ";") + `">`
	})
	return []byte(`<!doctype html><meta charset="utf-8"><title>console</title>` +
		`<style>body{margin:0;background:#11151c;color:#e6e8eb}pre{margin:0;padding:16px;font:14px/17px monospace}</style><pre>` +
		shown + `</pre>`)
}

// built is a folder with the judge and the server with planted mistakes.
func built(t *testing.T) (folder string) {
	t.Helper()
	bin := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "../../cmd/grasp-check", "../../cmd/grasp-wrong").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return bin
}

// readDocument reads what a run has written.
func readDocument(path string) (*record.Document, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	defer func() { _ = file.Close() }()
	return record.Read(file) //nolint:wrapcheck // a test tells it as it is
}
