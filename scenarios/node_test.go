package scenarios_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/scenarios"
)

// A scenario that is read as a tree and written again is the same scenario.
func TestNodesAreWrittenAsTheyWereRead(t *testing.T) {
	texts := map[string]string{"small": small, "every field": small + `description: "a: b, 'c' \" # d"
seed: 18446744073709551615
only: [owner1/7.0, newcomer3/1.twice, owner2/close.1, owner1/ask]
faults:
  - crash server2 at 10m for 90s
  - "crash server1 at 10m for 90s"
hosts: [{name: git1.example, delay: 1s}, {name: "git2.example:8080", absent: true}]
`, "literal": small + "description: |\n  two\n  lines\n", "nothing happens": small + "only: []\n"}
	for _, name := range scenarios.Names() {
		text, _ := scenarios.Text(name)
		texts[name] = string(text)
	}
	for name, text := range texts {
		want, err := scenarios.Parse(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		root, err := scenarios.ReadNode(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := scenarios.Parse(name, []byte(root.YAML()))
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, root.YAML())
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-read +written and read):\n%s", name, diff)
		}
		for line := range strings.Lines(root.YAML()) {
			if len(line) > 133 && !strings.HasPrefix(line, "description: ") {
				t.Errorf("%s: got a line of %d bytes, want at most 132: %s", name, len(line)-1, line)
			}
		}
	}
}

// Changes are made to copies.
func TestNodesAreNotChanged(t *testing.T) {
	root, err := scenarios.ReadNode("small", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	before := root.YAML()
	changed := root.With("seed", scenarios.Node{Text: "4"}).With("servers", scenarios.Node{Text: "1"}).Without(0, 1).Replaced(0, scenarios.Node{Text: "2h"})
	want := "duration: 2h\nservers: 1\nrepositories: 3\nactors: {owner: {every: 5m}}\n" +
		"links: {latency: 20ms, jitter: 1s, loss: 12.5%, duplicate: 0.0001%}\nconstants: {purgatory_life: 20m}\nseed: 4\ninvariants: [INV-20, INV-01]\n"
	if diff := cmp.Diff(want, changed.YAML()); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, root.YAML()); diff != "" {
		t.Errorf("the original (-before +after):\n%s", diff)
	}
}

func TestSeedAndOnly(t *testing.T) {
	s, err := scenarios.Parse("small", []byte(small+"seed: 12\nonly: []\n"))
	if err != nil || s.Seed != 12 || s.Only == nil || len(s.Only) != 0 {
		t.Errorf("got seed %d, only %#v, error %v; want 12, an empty list and none", s.Seed, s.Only, err)
	}
	for text, want := range map[string]string{
		"seed: -1\n":                 "small:10:7: value -1 is out of range",
		"seed: many\n":               "small:10:7: value is the string many",
		"seed: 99999999999999999999": "small:10:7: value",
		"only: owner1/7.0\n":         "small:10:7: only is the string owner1/7.0",
		"only: [owner1]\n":           `small:10:8: value "owner1" is not the name of an operation`,
		"only: [a1/1, a1/1]\n":       "small:10:14: operation a1/1 appears twice",
	} {
		if _, err := scenarios.Parse("small", []byte(small+text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got error %v, want %s", text, err, want)
		}
	}
}
