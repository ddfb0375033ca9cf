package judgetest

import (
	"bufio"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/mutate"
)

// insource tells a process that it was built with the mistakes of the source, and where it writes what they violate.
var insource = flag.String("insource", "", "judge the mistakes of the source alone, for this is their build, and write into this `file` what they violate")

// The mistakes of the source are caught as all others are, in a build of their own.
func TestDefectsInSourceAreCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("the server is built anew, which takes long beside the race detector")
	}
	if *insource != "" {
		t.Skip("this is their build")
	}
	dir := t.TempDir()
	var changes []mutate.Change
	for _, e := range defect.Edits() {
		changes = append(changes, mutate.Change(e))
	}
	overlay, err := mutate.Plant("../..", dir, changes)
	if err != nil {
		t.Fatal(err)
	}
	program, found := filepath.Join(dir, "program"), filepath.Join(dir, "found")
	buildOver(t, overlay, program)
	args := []string{"-test.run", "^TestDefectsAreCaught$", "-test.v", "-insource", found}
	if *full {
		args = append(args, "-full")
	}
	if *catchersInto != "" {
		args = append(args, "-catchers", *catchersInto)
	}
	out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	if err != nil {
		t.Errorf("the mistakes of the source: %v\n%s", err, out)
	}
	for _, d := range defect.All() {
		if d.InSource && !strings.Contains(string(out), "--- PASS: TestDefectsAreCaught/"+d.Name) {
			t.Errorf("%s was not caught", d.Name)
		}
	}
	killers.read(t, found)
}

// buildOver builds this test as a program, with other sources in the place of some.
func buildOver(t *testing.T, overlay, program string) {
	t.Helper()
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build with other sources: %v\n%s", err, out)
	}
}

// write keeps what was found for another process.
func (k *killing) write(t *testing.T, name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var text strings.Builder
	for _, mistake := range slices.Sorted(maps.Keys(k.judged)) {
		fmt.Fprintln(&text, mistake)
	}
	for _, check := range slices.Sorted(maps.Keys(k.own)) {
		for _, mistake := range k.own[check] {
			fmt.Fprintln(&text, mistake, check)
		}
	}
	if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
		t.Error(err)
	}
}

// read takes over what another process has found.
func (k *killing) read(t *testing.T, name string) {
	file, err := os.Open(name)
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = file.Close() }()
	k.mu.Lock()
	defer k.mu.Unlock()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		mistake, check, of := strings.Cut(lines.Text(), " ")
		k.judged[mistake] = true
		if !of {
			continue
		}
		k.own[check] = append(k.own[check], mistake)
		if k.of[check] == "" {
			k.of[check] = mistake
		}
	}
}
