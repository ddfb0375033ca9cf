package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/record"
)

// opened returns outputs of a command line.
func opened(t *testing.T, args ...string) *outputs {
	t.Helper()
	var o outputs
	cmd := &cobra.Command{}
	o.flags(cmd)
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	return &o
}

// oneRun is a document that every form can be made of.
func oneRun() *record.Document {
	return &record.Document{Schema: record.Schema, Runs: []record.Run{{
		Target: "t", Conformance: record.Partial, ExitReasons: []string{}, Facts: []string{strings.Repeat("a long fact ", 100)},
		Checks: []record.Check{{ID: "G01-PUSH-01", Verdict: "PASS"}},
	}}}
}

// names lists what is in a directory.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func TestOutputsThatAreNotWrittenLeaveNothing(t *testing.T) {
	dir := t.TempDir()
	o := opened(t, "--html", filepath.Join(dir, "a.html"), "--tap", filepath.Join(dir, "a.tap"))
	if err := o.open(io.Discard); err != nil {
		t.Fatal(err)
	}
	o.close()
	if got := names(t, dir); got != "" {
		t.Errorf("got %s, want nothing", got)
	}
}

var errBroken = errors.New("broken")

// One form that fails leaves what was at its place, and keeps no other one from being written.
func TestOutputsOfOneThatFails(t *testing.T) {
	dir := t.TempDir()
	html := filepath.Join(dir, "a.html")
	if err := os.WriteFile(html, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := opened(t, "--html", html, "--tap", filepath.Join(dir, "a.tap"))
	if err := o.open(io.Discard); err != nil {
		t.Fatal(err)
	}
	o.files[0].form.write = func(w io.Writer, _ *record.Document) error {
		_, _ = w.Write(make([]byte, 1<<20))
		return errBroken
	}
	if err := o.write(oneRun()); !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "--html: ") {
		t.Errorf("got %v", err)
	}
	if got := names(t, dir); got != "a.html a.tap" {
		t.Errorf("got %s", got)
	}
	if text, err := os.ReadFile(html); err != nil || string(text) != "before" {
		t.Errorf("got %.40q, %v, want what was there before", text, err)
	}
}

func TestOutputsToStdout(t *testing.T) {
	var stdout bytes.Buffer
	o := opened(t, "--badge", "-")
	if err := o.open(&stdout); err != nil {
		t.Fatal(err)
	}
	if err := o.write(oneRun()); err != nil || !strings.Contains(stdout.String(), `"schemaVersion": 1`) {
		t.Errorf("got %v, %s", err, stdout.String())
	}
	for _, f := range forms() {
		if !isForm(f.name) {
			t.Errorf("%s is no form", f.name)
		}
	}
}

func TestTellGitHub(t *testing.T) {
	doc := oneRun()
	doc.Runs[0].Checks[0].Verdict = "FAIL"
	var stdout bytes.Buffer
	t.Setenv("GITHUB_ACTIONS", "")
	if err := tellGitHub(&stdout, doc); err != nil || stdout.Len() > 0 {
		t.Errorf("elsewhere: got %v, %s", err, stdout.String())
	}
	summary := filepath.Join(t.TempDir(), "summary")
	if err := os.WriteFile(summary, []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	if err := tellGitHub(&stdout, doc); err != nil || !strings.HasPrefix(stdout.String(), "::error file=") {
		t.Errorf("got %v, %s", err, stdout.String())
	}
	if text, err := os.ReadFile(summary); err != nil || !strings.HasPrefix(string(text), "before\n## ") {
		t.Errorf("summary: got %.60q, %v", text, err)
	}
}
