package main

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/explore"
)

func TestExploreTellsWhatItFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("histories are explored on one thread, which takes long with the race detector")
	}
	for _, c := range []struct{ args, want string }{
		{"--list", "a repository is announced, declared and pushed"},
		{"delete-state", "  complete\n"},
		{"two-maintainers --states 500", "  cut at 500 states\n"},
		{"delete-state --crashes 0", "  complete\n"},
	} {
		var stdout, stderr bytes.Buffer
		args := append([]string{"explore"}, strings.Fields(c.args)...)
		if code := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); code != cli.ExitOK || !strings.Contains(stdout.String(), c.want) {
			t.Errorf("explore %s: got code %d, stdout\n%s\nand stderr %q; want %q", c.args, code, stdout.String(), stderr.String(), c.want)
		}
	}
}

func TestExploreNamesWhatIsNear(t *testing.T) {
	var stdout, stderr bytes.Buffer
	run(t.Context(), []string{"explore", "pul-request"}, strings.NewReader(""), &stdout, &stderr)
	if want := "use pull-request, "; !strings.Contains(stderr.String(), want) {
		t.Errorf("got %q, want %q in it", stderr.String(), want)
	}
}

// forgetful is a core whose records are all lost.
type forgetful struct{ core.Machine }

func (f *forgetful) Step(now instant.Instant, in core.Input, out *core.Effects) {
	var own core.Effects
	f.Machine.Step(now, in, &own)
	for _, e := range own.List {
		if _, is := e.(core.Record); !is {
			out.List = append(out.List, e)
		}
	}
}

// A violation is told with the history that leads to it and the line that repeats it, and ends with exit code 1.
func TestExploreTellsAViolation(t *testing.T) {
	f := explore.Families()[0]
	f.Wrap = func(m core.Machine) core.Machine { return &forgetful{m} }
	file := filepath.Join(t.TempDir(), "found")
	var out bytes.Buffer
	x := explorer{flags: exploreFlags{states: 1000, file: file}, program: "grasp-sim 1", out: bufio.NewWriter(&out)}
	err := x.run(t.Context(), []explore.Family{f})
	exit, is := err.(*cli.ExitError) //nolint:errorlint // it is not wrapped
	if !is || exit.Code != exitViolated {
		t.Errorf("got %v, want exit code %d", err, exitViolated)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"VIOLATED INV-10 accepted-vanished: event announcement@1 of owner was answered",
		"the shortest history that leads to it, of 3 moves", " 1. owner sends announcement@1 of owner\n",
		"reproduce: grasp-sim explore first-push --states 1000\n",
	} {
		if !strings.Contains(out.String(), want) || !strings.Contains(string(written), want) {
			t.Errorf("got\n%s\nwant %q in it, and in the file", out.String(), want)
		}
	}
}
