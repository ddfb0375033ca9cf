package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
)

func TestRunExitCodes(t *testing.T) {
	for args, want := range map[string]int{
		"--help":                         cli.ExitOK,
		"run first --seed 3":             cli.ExitOK,
		"run nowhere":                    cli.ExitUsage,
		"run ./nowhere.yaml":             cli.ExitUsage,
		"run --seed -1":                  cli.ExitUsage,
		"run --loud":                     cli.ExitUsage,
		"run first --trace nowhere/file": cli.ExitUsage,
		"":                               cli.ExitUsage,
	} {
		var stdout, stderr bytes.Buffer
		if got := run(t.Context(), strings.Fields(args), strings.NewReader(""), &stdout, &stderr); got != want {
			t.Errorf("grasp-sim %s: got exit code %d, want %d; stderr %q", args, got, want, stderr.String())
		}
		if want == cli.ExitUsage && (stdout.Len() > 0 || !strings.Contains(stderr.String(), "\ngrasp-sim: hint: ")) {
			t.Errorf("grasp-sim %s: got stdout %q and stderr %q, want nothing and a hint", args, stdout.String(), stderr.String())
		}
	}
}

func TestReportOfAViolation(t *testing.T) {
	var out bytes.Buffer
	err := conclude(&out, "small", 7, sim.Outcome{
		Trace: strings.Repeat("a", 64), Records: 3, Events: 2, Steps: 1, Simulated: time.Hour,
		Facts: []sim.Count{{Name: "push", N: 4}}, Checked: []sim.Count{{Name: "INV-20", N: 5}},
		Violations: []invariant.Violation{
			{ID: "INV-20", Code: "admitted-undeclared", At: sim.Start.Add(time.Minute), Server: "server1", Detail: "push 9"},
		},
		Reproduce: "grasp-sim run ./small.yaml --seed 7",
	})
	want := `scenario small, seed 7: 1h0m0s simulated, 2 events, 1 steps of servers, 3 trace records
happened:
  push                     4
checked:
  INV-20                   5
VIOLATED INV-20 admitted-undeclared on server1 at 1m0s: push 9
reproduce: grasp-sim run ./small.yaml --seed 7
trace aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if exit, ok := errors.AsType[*cli.ExitError](err); !ok || exit.Code != exitViolated {
		t.Errorf("got error %v, want exit code %d", err, exitViolated)
	}
}
