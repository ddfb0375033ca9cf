package scenarios_test

import (
	"errors"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/fault"
)

func TestEmbeddedScenariosParse(t *testing.T) {
	names := scenarios.Names()
	if len(names) == 0 {
		t.Fatal("got no embedded scenario, want at least first")
	}
	for _, name := range names {
		s, found, err := scenarios.Embedded(name)
		if err != nil || !found {
			t.Errorf("%s: got found %v and error %v", name, found, err)
		}
		if s.Name != path.Base(name) {
			t.Errorf("file %s.yaml is named %q inside, want the same name", name, s.Name)
		}
	}
	if _, found, err := scenarios.Embedded("../first"); found || err != nil {
		t.Errorf("path as a name: got found %v and error %v, want neither", found, err)
	}
}

const small = `name: small
duration: 1h30m
servers: 2
repositories: 3
actors:
  owner: {every: 5m}
links: {latency: 20ms, jitter: 1s, loss: 12.5%, duplicate: 0.0001%}
constants: {purgatory_life: 20m}
invariants: [INV-20, INV-01]
`

func TestParseReadsEveryField(t *testing.T) {
	got, err := scenarios.Parse("small.yaml", []byte(small+"description: \"all of it: here\"\nfaults: [crash server2 at 10m for 90s]\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := scenarios.Scenario{
		Name: "small", Description: "all of it: here", Duration: 90 * time.Minute, Servers: 2, Repositories: 3,
		Owner:      scenarios.Actor{Every: 5 * time.Minute},
		Links:      scenarios.Links{Latency: 20 * time.Millisecond, Jitter: time.Second, Loss: 125_000, Duplicate: 1},
		Constants:  scenarios.Constants{PurgatoryLife: 20 * time.Minute},
		Faults:     []fault.Fault{{Do: fault.Crash, Server: 2, At: 10 * time.Minute, For: 90 * time.Second}},
		Invariants: []string{"INV-20", "INV-01"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scenario (-want +got):\n%s", diff)
	}
}

// edits returns what replaces one piece of a text, which must be there.
func edits(t *testing.T, text string) func(old, with string) string {
	return func(old, with string) string {
		t.Helper()
		if !strings.Contains(text, old) {
			t.Fatalf("test is stale: %q is not in the file", old)
		}
		return strings.Replace(text, old, with, 1)
	}
}

func TestParseSaysWhatIsWrongAndWhere(t *testing.T) {
	edit := edits(t, small)
	for _, c := range []struct{ name, in, want string }{
		{"empty file", "", "f.yaml:1:1: empty file, start with the field name"},
		{"only a comment", "# nothing\n", "f.yaml:1:1: empty file, start with the field name"},
		{"second document", small + "---\nname: other\n", "f.yaml:11:1: second document, put it into a file of its own"},
		{"list", "- a\n", "f.yaml:1:1: the scenario is a list, write a mapping"},
		{"scalar", "hello\n", "f.yaml:1:1: the scenario is the string hello, write a mapping"},
		{"unknown field", small + "speed: 3\n", `f.yaml:10:1: unknown field "speed" in the scenario, use one of name, description, duration`},
		{"unknown inner field", edit("jitter", "shake"), `f.yaml:7:24: unknown field "shake" in links, use one of latency`},
		{"duplicate field", small + "servers: 1\n", `f.yaml:10:1: mapping key "servers" already defined at [3:1], keep one of them`},
		{"missing field", edit("servers: 2\n", ""), `field "servers" is missing from the scenario, add it`},
		{"broken YAML", edit("{every: 5m}", "{every: 5m"), "f.yaml:7:1: ',' or '}' must be specified, correct the YAML"},
		{"number for a name", edit("name: small", "name: 5"), "f.yaml:1:7: value is the integer 5, write a word"},
		{"bad name", edit("name: small", "name: Small one"), `f.yaml:1:7: value "Small one" is not a word`},
		{"word for a number", edit("servers: 2", "servers: two"), "f.yaml:3:10: value is the string two, write a whole number from 1 to 20"},
		{"number too large", edit("servers: 2", "servers: 21"), "f.yaml:3:10: value 21 is out of range, write a whole number from 1 to 20"},
		{"number far too large", edit("servers: 2", "servers: 99999999999999999999"), "f.yaml:3:10: value is the string 99999999999999999999, write a whole number"},
		{"no number", edit("servers: 2", "servers:"), "f.yaml:3:9: value is empty, write a whole number"},
		{"origin without a number", edit("servers: 2", "origin: http://grasp.example\nservers: 2"), `f.yaml:3:9: value "http://grasp.example" is not an http or https URL`},
		{"fraction", edit("servers: 2", "servers: 1.5"), "f.yaml:3:10: value is the float 1.5, write a whole number"},
		{"duration without a unit", edit("1h30m", "90"), "f.yaml:2:11: value is the integer 90, write a duration from 1s to 10000h"},
		{"duration in words", edit("1h30m", "long"), `f.yaml:2:11: value "long" is no duration, write a duration`},
		{"duration too short", edit("1h30m", "10ms"), "f.yaml:2:11: value 10ms is out of range"},
		{"negative duration", edit("latency: 20ms", "latency: -1s"), "f.yaml:7:18: value -1s is out of range, write a duration from 0s to 1m"},
		{"share without a sign", edit("12.5%", "0.1"), "f.yaml:7:42: value is the float 0.1, write a share"},
		{"share too large", edit("12.5%", "51%"), "f.yaml:7:42: value 51% is out of range"},
		{"share too fine", edit("12.5%", "0.00001%"), `f.yaml:7:42: value "0.00001%" is no share`},
		{"negative share", edit("12.5%", "-1%"), `f.yaml:7:42: value "-1%" is no share`},
		{"actors empty", edit("  owner: {every: 5m}\n", "  {}\n"), "no actor at all, add owner, maintainer or stranger"},
		{"actor without a rate", edit("{every: 5m}", "{}"), `field "every" is missing from actor owner, add it`},
		{"unknown invariant", edit("INV-01", "INV-99"), "f.yaml:9:22: unknown invariant INV-99, use INV-01"},
		{"invariant twice", edit("INV-01", "INV-20"), "f.yaml:9:22: invariant INV-20 appears twice, keep one of them"},
		{"invariants no list", edit("[INV-20, INV-01]", "INV-20"), "f.yaml:9:13: invariants is the string INV-20, write all, or a list: use INV-01"},
		{"faults no list", small + "faults: crash\n", "f.yaml:10:9: faults is the string crash, write a list"},
		{"fault of another kind", small + "faults: [flood server1 at 1m for 1m]\n", "f.yaml:10:10: fault \"flood server1 at 1m for 1m\": \"flood\" is no fault: use crash, tear"},
		{"fault of no server", small + "faults: [crash server3 at 1m for 1m]\n", "there is no such server, name one of 2"},
		{"fault after the end", small + "faults: [crash server2 at 89m for 2m]\n", "ends after the scenario, let it end by 1h30m"},
		{"faults at once", small + "faults: [crash server2 at 10m for 2m, crash server2 at 9m for 90s]\n", "is not over, leave 1m between them"},
		{"alias", edit("{every: 5m}", "&a {every: 5m}"), "is an anchor, alias or YAML tag, write a mapping"},
		{"too long", small + strings.Repeat("# x\n", scenarios.SizeMax/4), "f.yaml:1:1: file of"},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, c.in, c.want) })
	}
}

// refused judges what is said of a text that is no scenario.
func refused(t *testing.T, text, want string) {
	t.Helper()
	_, err := scenarios.Parse("f.yaml", []byte(text))
	if err == nil {
		t.Fatalf("got no error, want %q", want)
	}
	if !strings.Contains(err.Error(), want) {
		t.Errorf("got %q, want it to contain %q", err, want)
	}
	var placed *scenarios.Error
	if !errors.As(err, &placed) || placed.Line < 1 || placed.Column < 1 || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %q, want one line with file, line and column", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(outside))
	f.Add([]byte("a: [b, {c: d}]\n---\n"))
	f.Add([]byte("a: &x [*x]\n"))
	f.Add([]byte("? |\n  x\n: y"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := scenarios.Parse("f.yaml", data)
		if err == nil && (s.Name == "" || s.Servers < 1 || s.Repositories < 1 && s.Arrivals.Identifiers < 1 || s.Duration < scenarios.DurationMin) {
			t.Errorf("accepted a scenario without its required fields: %+v", s)
		}
	})
}
