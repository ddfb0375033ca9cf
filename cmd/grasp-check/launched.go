package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/cli"
)

// launchOptions are the flags of a server that grasp-check starts itself.
type launchOptions struct {
	command string
	ready   string
	url     string
	wait    time.Duration
}

// flags adds them; what is done with the server stands between its start and its end.
func (o *launchOptions) flags(f *pflag.FlagSet, done string) {
	f.StringVar(&o.command, "launch", "", "start a server by this `COMMAND`, "+done+", and end it")
	f.StringVar(&o.ready, "launch-ready", "", "it is ready once it has written a line that matches `REGEXP` (as soon as it answers)")
	f.StringVar(&o.url, "launch-url", "", "it answers at `URL` (http://{addr})")
	f.DurationVar(&o.wait, "launch-wait", 0, "it is ready within `DURATION` (30s)")
}

// startings reads the flags of servers that grasp-check starts itself. There is one of them at most.
func startings(opts options, live livetarget.Options, warn io.Writer) ([]opening, error) {
	switch {
	case opts.launch.command != "" && opts.image.image != "":
		return nil, cli.Usagef("--launch and --image: give one of them")
	case opts.launch.command == "" && opts.launch != (launchOptions{}):
		usage := cli.Usagef("--launch-ready, --launch-url and --launch-wait are about the server that --launch starts")
		usage.Hint = "give --launch 'COMMAND'"
		return nil, usage
	case opts.image.image == "" && opts.image.given():
		usage := cli.Usagef("--port, --env, --image-cmd and --image-wait are about the container that --image starts")
		usage.Hint = "give --image IMAGE"
		return nil, usage
	case opts.launch.command != "":
		command, err := opts.launch.parse(live)
		if err != nil {
			return nil, err
		}
		return []opening{launching(command, warn)}, nil
	case opts.image.image != "":
		image, err := opts.image.parse(live)
		if err != nil {
			return nil, err
		}
		return []opening{containing(image, warn)}, nil
	}
	return nil, nil
}

// hintNoShell is for who expects a shell to read the command.
const hintNoShell = `the command is run without a shell: write its path, "env NAME=value COMMAND", or "sh -c 'exec COMMAND'"`

// parse reads and checks the flags. Nothing is started.
func (o launchOptions) parse(live livetarget.Options) (launch.Command, error) {
	usage := func(hint, format string, args ...any) (launch.Command, error) {
		return launch.Command{}, &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf(format, args...), Hint: hint}
	}
	words, err := launch.Words(o.command)
	if err != nil {
		return usage("", "--launch %q: %w", o.command, err)
	}
	c := launch.Command{
		Args: words, URL: o.url, ReadyWithin: o.wait, Live: live,
	}
	if o.wait < 0 {
		return usage("", "--launch-wait %v: want a duration that is not negative", o.wait)
	}
	if o.ready != "" {
		if c.Ready, err = regexp.Compile(o.ready); err != nil {
			return usage("write it as a regular expression of Go, such as '^listening '", "--launch-ready: %w", err)
		}
	}
	switch err := c.Check(); {
	case errors.Is(err, launch.ErrNowhere):
		return usage("write {addr}, {port} or {url} where the server wants its address, or give --launch-url",
			"--launch %q: %w", o.command, err)
	case errors.Is(err, exec.ErrNotFound):
		return usage(hintNoShell, "--launch: no command %q was found", words[0])
	case errors.Is(err, launch.ErrCommand):
		return usage(hintNoShell, "--launch %q: %w", words[0], err)
	case err != nil:
		return usage("give the URL at which the server answers, such as http://127.0.0.1:7334", "--launch-url: %w", err)
	}
	return c, nil
}

// launching makes the opening of a server that is started, and ended, by this process. What is odd about its end is
// told on warn.
func launching(c launch.Command, warn io.Writer) opening {
	return opening{
		name: c.Args[0], parallel: parallelSockets, memory: judgeMemory,
		launched: true, keeps: !strings.Contains(strings.Join(c.Args, " "), "{data}"),
		open: func(ctx context.Context) (target.Target, func() error, error) {
			s, err := launch.Start(ctx, c)
			if err != nil {
				return nil, nil, notLaunched(err)
			}
			return s, func() error { return endLaunched(s, warn) }, nil
		},
	}
}

// A cause is an error of a start, and what helps.
type cause struct {
	of   error
	hint string
}

// notLaunched gives an error of the start of a command its exit code and its hint.
func notLaunched(err error) error {
	return notStarted(err,
		cause{launch.ErrDied, "run the command by itself; it must stay in the foreground and listen on the address that it is given"},
		cause{launch.ErrNotReady, "see that it listens on the address that it is given; --launch-wait gives it more time"},
		cause{launch.ErrOccupied, "stop who answers there, or judge it by its URL"},
	)
}

// notStarted gives an error of the start of a server its exit code, and the hint of the first of its causes.
func notStarted(err error, causes ...cause) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	for _, c := range causes {
		if errors.Is(err, c.of) {
			return &cli.ExitError{Code: record.ExitUnreachable, Err: err, Hint: c.hint}
		}
	}
	return &cli.ExitError{Code: record.ExitHarness, Err: err}
}

// A diedError says that a target ended by itself while it was judged: it counts as dead, whatever the checks have seen.
type diedError struct{ why error }

// Error says how the target ended.
func (e *diedError) Error() string { return e.why.Error() }

// A started server is one that this process ends.
type started interface {
	Name() string
	Alive() error
	Close() error
}

// endLaunched ends a server and tells what it wrote last if its end was not as it should be. Not to end when asked to is
// no reason to doubt what was judged before: that is only told.
func endLaunched(s started, warn io.Writer) error {
	died := s.Alive()
	if err := s.Close(); err != nil {
		fmt.Fprintf(warn, "grasp-check: warning: end of %s: %v\n", s.Name(), err)
	}
	if died == nil {
		return nil
	}
	fmt.Fprintf(warn, "grasp-check: warning: %v\n", died)
	if told, ok := errors.AsType[*launch.OutputError](died); ok {
		died = told.Err
	}
	return &diedError{died}
}
