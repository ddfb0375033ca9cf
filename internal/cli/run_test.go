//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
)

// newRoot returns a command with children that end in every way; reached notes the one that ran.
func newRoot(reached *string) *cobra.Command {
	root := &cobra.Command{Use: "demo"}
	add := func(use string, args cobra.PositionalArgs, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
		sub := &cobra.Command{Use: use, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
			*reached = cmd.Name()
			return run(cmd, args)
		}}
		root.AddCommand(sub)
		return sub
	}
	add("fine", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		fmt.Fprintln(cmd.OutOrStdout(), "result")
		return nil
	}).Flags().Int("count", 0, "a number")
	add("echo", nil, func(cmd *cobra.Command, _ []string) error {
		_, err := io.Copy(cmd.OutOrStdout(), cmd.InOrStdin())
		return err
	})
	add("broken", nil, func(*cobra.Command, []string) error { return errors.New("read journal: short file") })
	add("violated", nil, func(*cobra.Command, []string) error { return &cli.ExitError{Code: 1} })
	add("unreachable", nil, func(*cobra.Command, []string) error {
		return fmt.Errorf("judge: %w", &cli.ExitError{Code: 4, Err: errors.New("no answer"), Hint: "start the server"})
	})
	add("refused", nil, func(*cobra.Command, []string) error { return cli.Usagef("nothing selected by %q", "@x") })
	add("panics", nil, func(*cobra.Command, []string) error { panic("core: invariant: two heads") })
	flags := add("flags FILE", cobra.ExactArgs(1), func(*cobra.Command, []string) error { return nil }).Flags()
	flags.String("report", "", "a file")
	flags.Duration("wait", 0, "a while")
	add("required", nil, func(*cobra.Command, []string) error { return nil }).Flags().Int("seed", 0, "a number")
	for _, sub := range root.Commands() {
		if sub.Name() == "required" {
			if err := sub.MarkFlagRequired("seed"); err != nil {
				panic(err)
			}
		}
	}
	return root
}

func TestRun(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args    string
		code    int
		reached string
		stdout  string
		stderr  string
	}{
		{args: "fine", reached: "fine", stdout: "result\n"},
		{args: "echo", reached: "echo", stdout: "typed\n"},
		{args: "broken", code: 3, reached: "broken", stderr: "demo: read journal: short file\n"},
		{args: "violated", code: 1, reached: "violated"},
		{args: "unreachable", code: 4, reached: "unreachable", stderr: "demo: judge: no answer\ndemo: hint: start the server\n"},
		{args: "refused", code: 2, reached: "refused", stderr: "demo: nothing selected by \"@x\"\ndemo: hint: run \"demo refused --help\"\n"},
		{args: "", code: 2, stderr: "demo: a command is missing\ndemo: hint: run \"demo --help\"\n"},
		{args: "fime", code: 2, stderr: "demo: unknown command \"fime\"\ndemo: hint: did you mean \"demo fine\"?\n"},
		{args: "frobnicate", code: 2, stderr: "demo: unknown command \"frobnicate\"\ndemo: hint: run \"demo --help\"\n"},
		{args: "--loud", code: 2, stderr: "demo: unknown flag: --loud\ndemo: hint: run \"demo --help\"\n"},
		{args: "fine --loud", code: 2, stderr: "demo: unknown flag: --loud\ndemo: hint: run \"demo fine --help\"\n"},
		{args: "fine extra", code: 2, stderr: "demo: \"demo fine\" takes no argument, got \"extra\"\ndemo: hint: run \"demo fine --help\"\n"},
		{args: "flags", code: 2, stderr: "demo: want \"demo flags FILE\", got 0 arguments\ndemo: hint: run \"demo flags --help\"\n"},
		{args: "flags a b", code: 2, stderr: "demo: want \"demo flags FILE\", got 2 arguments\ndemo: hint: run \"demo flags --help\"\n"},
		{args: "flags a --report x", reached: "flags"},
		{args: "flags a --report=", code: 2, stderr: "demo: --report is empty\ndemo: hint: give it a value, or leave it out; a variable may be unset\n"},
		{args: "flags a --wait 5", code: 2, stderr: "demo: --wait \"5\": want a number and its unit, such as 90s, 36m or 2h\ndemo: hint: run \"demo flags --help\"\n"},
		{args: "fine --count x", code: 2, stderr: "demo: --count \"x\": want a whole number\ndemo: hint: run \"demo fine --help\"\n"},
		{args: "required", code: 2, stderr: "demo: required flag(s) \"seed\" not set\ndemo: hint: run \"demo required --help\"\n"},
	}
	for _, test := range tests {
		t.Run("demo "+test.args, func(t *testing.T) {
			t.Parallel()
			var reached string
			var stdout, stderr bytes.Buffer
			code := cli.Run(t.Context(), newRoot(&reached), strings.Fields(test.args), strings.NewReader("typed\n"), &stdout, &stderr)
			if code != test.code {
				t.Errorf("exit code: got %d, want %d", code, test.code)
			}
			if reached != test.reached {
				t.Errorf("command that ran: got %q, want %q", reached, test.reached)
			}
			if diff := cmp.Diff(test.stdout, stdout.String()); diff != "" {
				t.Errorf("stdout (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.stderr, stderr.String()); diff != "" {
				t.Errorf("stderr (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRunHelp(t *testing.T) {
	t.Parallel()
	var reached string
	var stdout, stderr bytes.Buffer
	if code := cli.Run(t.Context(), newRoot(&reached), []string{"fine", "--help"}, nil, &stdout, &stderr); code != cli.ExitOK {
		t.Errorf("exit code: got %d, want %d", code, cli.ExitOK)
	}
	if !strings.Contains(stdout.String(), "demo fine [flags]") {
		t.Errorf("stdout: got %q, want the usage of demo fine", stdout.String())
	}
	if stderr.Len() > 0 || reached != "" {
		t.Errorf("got stderr %q and command %q, want neither", stderr.String(), reached)
	}
}

func TestRunPanic(t *testing.T) {
	t.Parallel()
	var reached string
	var stderr bytes.Buffer
	if code := cli.Run(t.Context(), newRoot(&reached), []string{"panics"}, nil, io.Discard, &stderr); code != cli.ExitHarness {
		t.Errorf("exit code: got %d, want %d", code, cli.ExitHarness)
	}
	for _, want := range []string{"demo: panic: core: invariant: two heads\n", "run_test.go"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("stderr: got %q, want it to contain %q", stderr.String(), want)
		}
	}
}

// A full disk takes no word of what a command prints, and most that print look at no error.
func TestRunWithoutRoom(t *testing.T) {
	t.Parallel()
	var reached string
	var stderr bytes.Buffer
	if code := cli.Run(t.Context(), newRoot(&reached), []string{"fine"}, nil, full{}, &stderr); code != cli.ExitHarness {
		t.Errorf("exit code: got %d, want %d", code, cli.ExitHarness)
	}
	const want = "demo: write to stdout: no room\ndemo: hint: what it should have printed is not whole\n"
	if stderr.String() != want {
		t.Errorf("stderr: got %q, want %q", stderr.String(), want)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }
