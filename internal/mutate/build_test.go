package mutate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// honest is what the small program prints.
const honest = "true false false false 5 letter letter 2"

// One build is the honest program and each of its mutants.
func TestOneBuildIsEveryMutant(t *testing.T) {
	t.Parallel()
	root, dir := filepath.Join("testdata", "small"), t.TempDir()
	overlay, points, err := Build(root, dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay, "-o", program, ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	run := func(number int, env ...string) string {
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Env = append(os.Environ(), ActiveEnv+"="+strconv.Itoa(number))
		cmd.Env = append(cmd.Env, env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("mutant %d: %v\n%s", number, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	reached := filepath.Join(dir, "reached")
	if got := run(0, ReachedEnv+"="+reached); got != honest {
		t.Fatalf("got %q without a mutant, want %q", got, honest)
	}
	text, err := os.ReadFile(reached)
	if err != nil {
		t.Fatal(err)
	}
	came := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		came[strings.TrimSpace(line)] = true
	}
	got := map[string]string{}
	for _, p := range points {
		printed := run(p.Number)
		name := p.Func + " " + p.Operator + ": " + p.After
		if p.After == "nothing" {
			name = p.Func + " " + p.Operator + ": " + p.Before
		}
		got[name] = printed
		if !came[strconv.Itoa(p.Number)] && printed != honest {
			t.Errorf("%v: the honest program does not come by it, and it prints %q", p, printed)
		}
	}
	want := map[string]string{
		"small early return: return zero values": "false false false false 5 letter letter 2",
		"small negated: >= for <":                "false true false false 5 letter letter 2",
		"small boundary: <= for <":               "true true false false 5 letter letter 2",
		"small off by one: limit + 1":            "true true false false 5 letter letter 2",
		"small off by one: limit - 1":            "false false false false 5 letter letter 2",

		"both early return: return zero values": honest,
		"both connective: || for &&":            "true false true true 5 letter letter 2",
		"both connective: && for ||":            honest,
		"both negated: !a":                      "true false false true 5 letter letter 2",
		"both negated: !b":                      "true false true false 5 letter letter 2",
		"both negated: a":                       "true false true false 5 letter letter 2",

		"sum early return: return zero values":     "true false false false 0 letter letter 2",
		"sum no turn: break at once":               "true false false false 0 letter letter 2",
		"sum one turn: break after the first turn": "true false false false 1 letter letter 2",
		"sum never: if false":                      "true false false false 3 letter letter 2",
		"sum always: if true":                      "true false false false 0 letter letter 2",
		"sum negated: >= for <":                    "true false false false -2 letter letter 2",
		"sum boundary: <= for <":                   honest,
		"sum off by one: 0 + 1":                    honest,
		"sum off by one: 0 - 1":                    honest,
		"sum dropped statement: continue":          "true false false false 3 letter letter 2",
		"sum dropped statement: total += n":        "true false false false 0 letter letter 2",

		"word early return: return zero values": "true false false false 5   2",
		`word dropped case: case "a"`:           "true false false false 5 none letter 2",
		`word dropped case: case "b"`:           "true false false false 5 letter none 2",

		"less early return: return zero values": "true false false false 5 letter letter 0",
		"turn early return: return zero values": "true false false false 5 letter letter 0",
		"turn swapped: b, a":                    "true false false false 5 letter letter -2",

		"main early return: return zero values": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the mutants print (-want +got):\n%s", diff)
	}
}

func TestSample(t *testing.T) {
	t.Parallel()
	var points []Point
	for i := range 60 {
		p := Point{Number: i + 1, Package: "a", Operator: "negated", Nth: i}
		if i >= 50 {
			p.Package = "b"
		}
		points = append(points, p)
	}
	first, again, other := Sample(points, "1", 30), Sample(points, "1", 30), Sample(points, "2", 30)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the same seed draws others (-first +again):\n%s", diff)
	}
	if cmp.Equal(first, other) {
		t.Error("another seed draws the same")
	}
	by := map[string]int{}
	for _, p := range first {
		by[p.Package]++
	}
	if want := map[string]int{"a": 20, "b": 10}; !cmp.Equal(by, want) {
		t.Errorf("got %v, want %v: in turns as long as there are any", by, want)
	}
	if got := len(Sample(points, "1", 0)); got != len(points) {
		t.Errorf("got %d for no number, want all", got)
	}
}

// What is wrapped first is the outermost, also where both begin or end at one place.
func TestRewriting(t *testing.T) {
	t.Parallel()
	var r rewriting
	r.wrap(0, 6, "[", "]")
	r.replace(1, 5, ", ")
	r.wrap(0, 1, "(", ")")
	r.wrap(5, 6, "{", "}")
	if got, want := r.apply([]byte("a && b")), "[(a), {b}]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
