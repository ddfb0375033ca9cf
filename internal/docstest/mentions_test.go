package docstest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/scenarios"
)

// Every command line of ours on any page, also on those that nobody carries out, is one that the program takes: its words are a
// command of it, and its flags are there. With --help it reads them, and does nothing.
func TestCommandsAreThere(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the programs whole, which the race detector does not see")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skipf("blocked: no bash on this machine: %v", err)
	}
	root, env := programs(t)
	var pages []string
	for _, form := range []string{"*.md", "docs/*.md", "examples/*/*.md", "features/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, form))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	somebody, err := nip19.EncodePublicKey(strings.Repeat("79be667e", 8))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, path := range pages {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mentions(string(text)) {
			seen++
			cmd := exec.CommandContext(t.Context(), "bash", "-c", "exec "+strings.ReplaceAll(m.text, "npub1...", somebody)+" --help")
			cmd.Dir, cmd.Env = root, env
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s:%d: %s: %v\n%s", path[len(root)+1:], m.line, m.text, err, out)
			}
		}
	}
	if seen < 60 {
		t.Errorf("got %d command lines, want those of all pages", seen)
	}
}

func TestMentions(t *testing.T) {
	const page = "grasp-check none\n```\ngo run ./cmd/grasp-sim run first --seed 7  # a run\nA=b grasp-check \\\n  --known x | head\n" +
		"(cd x && grasp-check list --paths | xargs rm -r)\ngo run ./cmd/other\n$ grasp-wrong > file\n```\n"
	var got []string
	for _, m := range mentions(page) {
		got = append(got, m.text)
	}
	if want := []string{"grasp-sim run first --seed 7", "grasp-check --known x", "grasp-check list --paths", "grasp-wrong"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The README has a row for each scenario that comes with the program, but for those in folders, which are tests.
func TestScenariosAreListed(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range scenarios.Names() {
		if !strings.Contains(name, "/") && !strings.Contains(string(text), "\n| `"+name+"` | ") {
			t.Errorf("README.md: there is no row for the scenario %s", name)
		}
	}
}
