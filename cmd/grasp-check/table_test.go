package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
)

var update = flag.Bool("update", false, "write the pages that the program prints anew")

func loadChecks(t *testing.T) []features.Check {
	t.Helper()
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	return checks
}

// isCurrent judges that a page in the repository is what the program prints.
func isCurrent(t *testing.T, page, want string) {
	t.Helper()
	path := filepath.Join("..", "..", filepath.FromSlash(page))
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(got), "\n"), strings.Split(want, "\n")); diff != "" {
		t.Errorf("%s is not current; run go test ./cmd/grasp-check -run %s -update (-there +wanted):\n%s", page, t.Name(), diff)
	}
}

// The page about steps is what the registry says.
func TestStepsPage(t *testing.T) { isCurrent(t, "features/STEPS.md", suite.StepsPage(loadChecks(t))) }

// The table in docs is what the catalogue, the features and the defects say.
func TestCoverageTable(t *testing.T) {
	var got bytes.Buffer
	if err := writeTable(&got, spec.All(), loadChecks(t)); err != nil {
		t.Fatal(err)
	}
	isCurrent(t, "docs/coverage.md", got.String())
	for i, line := range strings.Split(got.String(), "\n") {
		if strings.Contains(line, "|  |") || strings.Contains(line, "none:  |") {
			t.Errorf("line %d: got an empty cell: %s", i+1, line)
		}
	}
}

// Every MUST and every SHOULD that has a check catches a mistake, or says why not; and no reason outlives its need.
func TestEveryRowIsSeenToFail(t *testing.T) {
	for _, r := range spec.All() {
		scored := r.Score != spec.Observe && r.Coverage.Kind == spec.Checked
		switch reason := spec.Uncaught(r); {
		case scored && !r.Caught() && reason == "":
			t.Errorf("%s: no planted defect is caught by it: add one to internal/defect and to spec.Defects, or a reason to spec/uncaught.go", r.ID)
		case scored && r.Caught() && reason != "":
			t.Errorf("%s: a defect is caught by it now: take its reason out of spec/uncaught.go", r.ID)
		}
	}
}

// oneWorldMax is how many percent of the checks may be for one world only.
const oneWorldMax = 15

func TestMostChecksRunInEveryWorld(t *testing.T) {
	checks := loadChecks(t)
	alone := 0
	for _, c := range checks {
		if !c.Has("sim-only") && !c.Has("live-only") && !c.Has("needs:raw") {
			continue
		}
		alone++
		if why, _ := c.Value("because:"); why == "" && !c.Has("needs:raw") {
			t.Errorf("%s: got a check for one world without a reason", c.ID)
		}
	}
	if 100*alone > oneWorldMax*len(checks) {
		t.Errorf("got %d of %d checks for one world only, want at most %d %%", alone, len(checks), oneWorldMax)
	}
}

// What is said to be proven by a test is.
func TestProofsAreThere(t *testing.T) {
	for _, r := range spec.All() {
		if r.Coverage.Kind != spec.Proven {
			continue
		}
		folder, name, _ := strings.Cut(r.Coverage.Text, " ")
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(folder), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || bytes.Contains(text, []byte("func "+name+"("))
		}
		if !found || !strings.HasPrefix(name, "Test") {
			t.Errorf("%s: got no test %s in %s", r.ID, name, folder)
		}
	}
}
