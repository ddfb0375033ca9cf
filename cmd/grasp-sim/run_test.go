package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/internal/cli"
)

func TestRunExitCodes(t *testing.T) {
	for args, want := range map[string]int{
		"--help":                         cli.ExitOK,
		"run first --seed 3":             cli.ExitOK,
		"run nowhere":                    cli.ExitUsage,
		"run ./nowhere.yaml":             cli.ExitUsage,
		"run --seed -1":                  cli.ExitUsage,
		"run --seeds 2-1":                cli.ExitUsage,
		"run --seed 1 --seeds 1-2":       cli.ExitUsage,
		"run --keep-going":               cli.ExitUsage,
		"run --loud":                     cli.ExitUsage,
		"run first --trace nowhere/file": cli.ExitUsage,
		"explore --list":                 cli.ExitOK,
		"explore delete-state":           cli.ExitOK,
		"explore delete-stat":            cli.ExitUsage,
		"explore --states 0":             cli.ExitUsage,
		"explore --crashes 9":            cli.ExitUsage,
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
