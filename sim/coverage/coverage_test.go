package coverage_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/coverage"
	"github.com/graspkit/graspkit/sim/swarm"
)

// source is the text of the rooms of a server that decide, without tests.
func source(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	for _, room := range []string{"core", "policy", "push"} {
		files, err := filepath.Glob("../../reference/" + room + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("files of %s: got %d and %v", room, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(data)
		}
	}
	return text.String()
}

// What a server can refuse by, and the facts that it can note, are all in the list: one that is forgotten would never be
// said to be never reached.
func TestListHasAllThatTheSourceHas(t *testing.T) {
	text := source(t)
	all := coverage.All()
	for group, pattern := range map[string]string{
		coverage.Ruling: `(?:rule\(|refuse\(|blame\([^"\n]*|requirement(?:, where)? :?= |Refuse,[^{}]*Requirement: )"([A-Z0-9]+-[A-Z0-9-]+)"`,
		coverage.Fact:   `\bFact += "([a-z_]+)"`,
	} {
		found := 0
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			found++
			if i := (coverage.Item{Group: group, Name: m[1]}); !slices.Contains(all, i) {
				t.Errorf("%s %s is in the source and not in the list", group, m[1])
			}
		}
		if found < 25 {
			t.Errorf("%s: found %d in the source, want many: the test is stale", group, found)
		}
	}
	for i, item := range all {
		if slices.Contains(all[:i], item) {
			t.Errorf("%v appears twice", item)
		}
	}
}

// A run that is watched is the same run, and reaches what a server does first.
func TestWatchingReachesAndChangesNothing(t *testing.T) {
	sum := coverage.New()
	for seed := range uint64(6) {
		plain, err := sim.Run(swarm.Draw(seed), seed, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a := coverage.New()
		seen, err := sim.Run(swarm.Draw(seed), seed, a.Watch(sim.Options{}))
		if err != nil || seen.Trace != plain.Trace {
			t.Errorf("seed %d: got trace %s and %v when it is watched, want %s", seed, seen.Trace, err, plain.Trace)
		}
		sum.Add(a)
	}
	for _, i := range []coverage.Item{
		{Group: coverage.Ruling, Name: "G01-REL-10"},
		{Group: coverage.Fact, Name: "event_held"},
		{Group: coverage.Record, Name: "store announcement"},
		{Group: coverage.Record, Name: "mark 1"},
		{Group: coverage.Transition, Name: "receiving x push done"},
		{Group: coverage.Crash, Name: "idle"},
	} {
		if sum.Count(i) == 0 {
			t.Errorf("%v: got none", i)
		}
	}
	never := sum.Never()
	if len(never) == 0 || len(never) > len(coverage.All())/2 {
		t.Errorf("got %d of %d never reached in six runs", len(never), len(coverage.All()))
	}
}

// The table in the repository has a row for all that there is, and a reason for each that was never reached.
func TestTableArguesItsHoles(t *testing.T) {
	data, err := os.ReadFile("../../docs/swarm.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, line := range strings.Split(string(data), "\n") {
		cells := strings.Split(line, " | ")
		if len(cells) != 2 {
			continue
		}
		rows[strings.TrimPrefix(cells[0], "| ")] = true
		if times := strings.TrimSuffix(cells[1], " |"); times == "never" {
			t.Errorf("%s was never reached, and nothing says why", cells[0])
		}
	}
	for _, i := range coverage.All() {
		if !rows[i.Name] {
			t.Errorf("%s %s has no row: make the table again", i.Group, i.Name)
		}
	}
}
