package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/repro"
	"github.com/graspkit/graspkit/internal/cli"
)

func reproCommand() *cobra.Command {
	var target, file string
	var shell bool
	cmd := &cobra.Command{
		Use:   "repro RUN.json [ID]",
		Short: "Write a script that repeats what a check has sent, with curl and a WebSocket client",
		Long: `repro writes a script for a POSIX shell that sends what a check of a run has sent, byte by byte, shows what comes back
beside what came back then, and says at its end whether all answers say what they said in the check. It ends with 0 if so, with 1
if not, with 2 if there is nothing to repeat, and with 3 if it lacks a tool. It needs curl, and for a relay a WebSocket client: the
command that WEBSOCKET names, websocat, or grasp-check itself, whichever is there first. Without an ID it lists the checks that
there is a script for: those that are violated or undecided.

With --shell the script is run here, step by step: Enter goes on, s and Enter is a shell beside it.`,
		Example: "  grasp-check repro run.json\n  grasp-check repro run.json G01-PUSH-03 > repeat.sh\n  grasp-check repro --shell run.json G01-PUSH-03",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			doc, err := readDocument(cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			if len(args) == 1 {
				listRepeatable(cmd.OutOrStdout(), doc)
				return nil
			}
			run, check, err := findCheck(doc, args[1], target)
			if err != nil {
				return err
			}
			switch {
			case shell:
				return stepThrough(cmd, run, check)
			case file != "":
				return writeScript(file, run, check)
			}
			return repro.Script(cmd.OutOrStdout(), run, check) //nolint:wrapcheck // it says what was written
		},
	}
	cmd.Flags().StringVar(&target, "target", "", "of several runs, take that of the target whose name or URL this `TEXT` is")
	cmd.Flags().StringVarP(&file, "output", "o", "", "write the script to `FILE`, ready to run")
	cmd.Flags().BoolVar(&shell, "shell", false, "run the script here, step by step")
	return cmd
}

// repeatable reports whether there is something to repeat of a check.
func repeatable(c record.Check) bool { return c.Verdict.Violated() || c.Verdict.Undecided() }

func listRepeatable(w io.Writer, doc *record.Document) {
	n := 0
	for _, run := range doc.Runs {
		for _, c := range run.Checks {
			if repeatable(c) {
				n++
				fmt.Fprintf(w, "%-15s %-32s %s\n", c.Verdict, c.ID, c.Check)
			}
		}
	}
	if n == 0 {
		fmt.Fprintln(w, "No check of this run was violated or undecided.")
	}
}

// findCheck finds a check by its id, or the first one that begins with it and did not pass.
func findCheck(doc *record.Document, id, target string) (*record.Run, *record.Check, error) {
	there := false
	for i := range doc.Runs {
		run := &doc.Runs[i]
		if target != "" && run.Target != target && run.URL != target {
			continue
		}
		for _, exact := range []bool{true, false} {
			for j := range run.Checks {
				c := &run.Checks[j]
				if c.ID != id && (exact || !strings.HasPrefix(c.ID, id)) {
					continue
				}
				there = true
				if repeatable(*c) {
					return run, c, nil
				}
			}
		}
	}
	exit := cli.Usagef("%s: this run has no such check", id)
	if there {
		exit = cli.Usagef("%s: the check was neither violated nor undecided, so nothing of it was kept", id)
	}
	exit.Hint = `run "grasp-check repro RUN.json" without an id for those that there is a script for`
	return nil, nil, exit
}

func writeScript(path string, run *record.Run, check *record.Check) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o755) //nolint:gosec // a script that nobody may run is none
	if err != nil {
		return &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("--output: %w", err), Hint: "name a file that can be written to"}
	}
	return errors.Join(repro.Script(file, run, check), file.Close())
}

// notSeenAgain is how a script ends where other answers came than in the check.
const notSeenAgain = 1

// stepThrough runs the script with the terminal of this process, and with this process as the WebSocket client if there is no other.
func stepThrough(cmd *cobra.Command, run *record.Run, check *record.Check) error {
	dir, err := os.MkdirTemp("", "grasp-check-")
	if err != nil {
		return fmt.Errorf("folder of the script: %w", err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "repeat.sh")
	if err := writeScript(path, run, check); err != nil {
		return err
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, "grasp-check"))
	}
	if err != nil {
		return fmt.Errorf("folder of the script: %w", err)
	}
	sh := exec.CommandContext(cmd.Context(), "sh", path)
	sh.Env = append(os.Environ(), "STEP=stdin", "PATH="+os.Getenv("PATH")+string(os.PathListSeparator)+dir)
	sh.Stdin, sh.Stdout, sh.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if file, is := cli.FileOf(cmd.OutOrStdout()); is {
		sh.Stdout = file // a shell in it wants the terminal itself
	}
	err = sh.Run()
	switch {
	case err == nil:
		return nil
	case sh.ProcessState != nil && sh.ProcessState.ExitCode() == notSeenAgain:
		return &cli.ExitError{Code: notSeenAgain} // it has said so
	}
	return &cli.ExitError{Code: record.ExitHarness, Err: fmt.Errorf("script: %w", err), Hint: "run it by itself: grasp-check repro RUN.json ID -o repeat.sh"}
}
