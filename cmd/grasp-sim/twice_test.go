package main

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim"
)

// wavering is a core of which every second one says one thing more, at its fortieth step.
type wavering struct {
	core.Machine

	odd   bool
	steps int
}

func (w *wavering) Step(now instant.Instant, in core.Input, out *core.Effects) {
	w.Machine.Step(now, in, out)
	if w.steps++; w.steps == 40 && w.odd {
		out.List = append(out.List, core.Send{Conn: 1, Msg: relay.Notice{Text: "by the way"}})
	}
}

func waver(t *testing.T) *runner {
	t.Helper()
	r := planted(t, "")
	r.checked = true
	made := 0
	r.options = func() sim.Options {
		made++
		odd := made%2 == 1
		return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine { return &wavering{Machine: m, odd: odd} }}
	}
	return r
}

var parting = regexp.MustCompile(`^the traces differ at record (\d+)
the last 10 of \d+ records in common:
(?:  #.*\n){10}\S+/first.jsonl:
  #\d+ .+
\S+/second.jsonl:
  #\d+ .+
(?:\w+: .*\n)+$`)

// What is not deterministic is found by running it twice, and located.
func TestTwiceFindsWhereRunsPart(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var out strings.Builder
	err := runOnce(t.Context(), &out, waver(t), 7, "")
	if err == nil || !strings.Contains(err.Error(), "run first with seed 7: not deterministic: its trace is ") || violated(err) {
		t.Errorf("got error %v, want that the run is not deterministic", err)
	}
	if !parting.MatchString(out.String()) {
		t.Errorf("got\n%s\nwant it of the form\n%s", out.String(), parting)
	}
	if kept, err := filepath.Glob(filepath.Join(os.TempDir(), "grasp-sim-twice-*", "*.jsonl")); len(kept) != 2 {
		t.Errorf("got the files %v, error %v; want both traces kept", kept, err)
	}
}

func TestTwiceFindsItInASweep(t *testing.T) {
	var out strings.Builder
	err := (&sweep{runner: waver(t), seeds: seedRange{3, 5}, workers: 1, out: bufio.NewWriter(&out), progress: &progress{}}).run(t.Context())
	if err == nil || !strings.HasSuffix(err.Error(), "; grasp-sim run first --seed 3 --twice finds where") {
		t.Errorf("got error %v, want how to find where", err)
	}
}

func TestTwiceTheSameIsToldAsOnce(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, digits := range []string{"", "0123456789abcdef"} {
		var once, twice strings.Builder
		want := runOnce(t.Context(), &once, planted(t, digits), 7, "")
		r := planted(t, digits)
		r.checked = true
		if err := runOnce(t.Context(), &twice, r, 7, ""); violated(err) != violated(want) || once.String() != twice.String() {
			t.Errorf("plant %q: got error %v and\n%s\nwant %v and\n%s", digits, err, twice.String(), want, once.String())
		}
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("got the files %v left, error %v; want none", left, err)
	}
}
