// Package cli is the plumbing under the commands: exit codes, signals, messages on stderr and the
// logger. It knows no flag and no command by name, and nothing outside cmd imports it.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// Run carries out root on args, which do not contain the name of the program, and returns the exit
// code for the process. What a command prints goes to stdout; Run writes messages and hints to stderr
// as "name: message" and "name: hint: what to do".
//
// The context of a command ends at the first SIGINT, SIGTERM or SIGHUP, which it may take for something else by
// [Hangups]; a second one that comes more than [Together] later kills the process. A command that regards the signal as its orderly end returns nil; one that passes the
// end of its context on was interrupted, and has [ExitInterrupted]. An error before a command runs (unknown command or flag, wrong arguments)
// is a matter of usage, so commands do their work in RunE alone. A panic ends with [ExitHarness] and its stack,
// because the exit code of Go for it is that of wrong usage.
func Run(ctx context.Context, root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	name := root.Name()
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "%s: panic: %v\n%s", name, p, debug.Stack())
			code = ExitHarness
		}
	}()
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() { time.AfterFunc(Together, stop) })
	ctx, deaf := watchHangup(ctx, stop)
	defer deaf()

	root.SilenceErrors, root.SilenceUsage = true, true
	if root.Args == nil {
		root.Args = cobra.ArbitraryArgs
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetIn(stdin)
	out := &output{w: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	root.SetArgs(append([]string{}, args...)) // never nil: cobra would read the process's own
	started := false
	prepare(root, &started)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		completeByUsage(root)
	}

	cmd, err := root.ExecuteContextC(ctx)
	if lost := out.lost(); err == nil && lost != nil {
		err = &ExitError{Code: ExitHarness, Err: fmt.Errorf("write to stdout: %w", lost), Hint: "what it should have printed is not whole"}
	}
	if err == nil {
		return ExitOK
	}
	if !started {
		err = inWords(cmd, err)
	}
	exit := classify(ctx, err, started)
	if exit.Code == ExitUsage && exit.Hint == "" {
		exit.Hint = fmt.Sprintf("run %q", cmd.CommandPath()+" --help")
	}
	if exit.Err != nil {
		fmt.Fprintf(stderr, "%s: %s\n", name, strings.TrimRight(exit.Err.Error(), "\n"))
	}
	if exit.Hint != "" {
		fmt.Fprintf(stderr, "%s: hint: %s\n", name, exit.Hint)
	}
	return exit.Code
}

// Together is for how long behind a signal a further one is the same: timeout(1), a terminal that closes and some runners of CI signal
// the process and then its group, and a command that died of that would leave no report.
const Together = 500 * time.Millisecond

// prepare makes every command below cmd note that it was reached, and gives those that only group
// others an answer to a missing or unknown command.
func prepare(cmd *cobra.Command, started *bool) {
	run, runE := cmd.Run, cmd.RunE
	cmd.Run = nil
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := emptyFlag(cmd); err != nil {
			return err
		}
		*started = true
		switch {
		case runE != nil:
			return runE(cmd, args)
		case run != nil:
			run(cmd, args)
			return nil
		}
		return wantCommand(cmd, args)
	}
	for _, sub := range cmd.Commands() {
		prepare(sub, started)
	}
}

// wantCommand is the answer of a command that only groups others.
func wantCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return Usagef("a command is missing")
	}
	err := Usagef("unknown command %q", args[0])
	cmd.SuggestionsMinimumDistance = 2 // edits; cobra counts none by itself
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		err.Hint = fmt.Sprintf("did you mean %q?", cmd.CommandPath()+" "+near[0])
	}
	return err
}

// classify finds the exit code and the message of an error that a command ended with.
func classify(ctx context.Context, err error, started bool) ExitError {
	if exit, ok := errors.AsType[*ExitError](err); ok {
		if exit.Err == nil {
			return *exit
		}
		return ExitError{Code: exit.Code, Err: err, Hint: exit.Hint}
	}
	switch {
	case !started:
		return ExitError{Code: ExitUsage, Err: err}
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return ExitError{Code: ExitInterrupted, Err: errors.New("interrupted")}
	}
	return ExitError{Code: ExitHarness, Err: err}
}
