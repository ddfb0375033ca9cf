package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/launch/admission"
	"github.com/graspkit/graspkit/conformance/launch/operated"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/cli"
)

// operatedOptions are the flags of commands for a server that somebody else has started.
type operatedOptions struct {
	restart, kill, start, clock, members string
	within                               time.Duration
}

func (o *operatedOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.restart, "restart-cmd", "", "this `COMMAND` restarts the server at the URL, in order and on the same data")
	f.StringVar(&o.kill, "kill-cmd", "", "this `COMMAND` ends the server at the URL without warning")
	f.StringVar(&o.start, "start-cmd", "", "this `COMMAND` starts it behind --kill-cmd (it comes back by itself)")
	f.StringVar(&o.clock, "clock-cmd", "", "this `COMMAND` moves the clock of the server at the URL forward, and all that falls due, by {seconds}")
	f.StringVar(&o.members, "members-cmd", "", "this `COMMAND` makes those the members of a private service, at the URL or launched, whose public keys are in {file}")
	f.DurationVar(&o.within, "cmd-wait", 0, "each of these commands ends within `DURATION` (1m)")
}

func (o *operatedOptions) given() bool { return *o != operatedOptions{} }

// check judges which targets the commands are for: one server, that may be written to.
func (o *operatedOptions) check(args []string, launched, write bool) error {
	const names = "--restart-cmd, --kill-cmd, --start-cmd, --clock-cmd, --members-cmd and --cmd-wait"
	elsewhere := *o // by its URL alone
	elsewhere.members, elsewhere.within = "", 0
	switch {
	case !o.given():
		return nil
	case launched && len(args) == 0 && o.members != "" && !elsewhere.given() && o.within >= 0: // which is the run's own
		return nil
	case len(args) != 1 || !isURL(args[0]):
		usage := cli.Usagef("%s are about one server that is judged by its URL", names)
		usage.Hint = "give its URL and no other target; --launch and --image restart and kill by themselves, and --launch takes --members-cmd"
		return usage
	case o.start != "" && o.kill == "":
		return cli.Usagef("--start-cmd: starts what --kill-cmd has ended, and there is none")
	case o.within < 0:
		return cli.Usagef("--cmd-wait %v: want a duration that is not negative", o.within)
	}
	live, err := livetarget.New(args[0], livetarget.Options{})
	if err == nil && !live.Loopback() && !write {
		usage := cli.Usagef("%s: the server is not on loopback, and only read from", names)
		usage.Hint = "give --write as well, if it is yours"
		return usage
	}
	return nil
}

// parse reads and checks the commands. None is run.
func (o *operatedOptions) parse(live livetarget.Options) (operated.Commands, error) {
	c := operated.Commands{Within: o.within, Live: live}
	for _, command := range []struct {
		flag, line string
		words      *[]string
	}{
		{"--restart-cmd", o.restart, &c.Restart},
		{"--kill-cmd", o.kill, &c.Kill},
		{"--start-cmd", o.start, &c.Start},
		{"--clock-cmd", o.clock, &c.Clock},
	} {
		var err error
		if *command.words, err = commandWords(command.flag, command.line); err != nil {
			return c, err
		}
	}
	if c.Clock != nil && !asks(c.Clock, operated.SecondsPlaceholder) {
		usage := cli.Usagef("--clock-cmd %q: it does not say by how much", o.clock)
		usage.Hint = "write {seconds} where the command wants that"
		return c, usage
	}
	return c, nil
}

// admitting reads and checks the command that says who the members are; nil where there is none. It is not run.
func (o *operatedOptions) admitting() (*admission.Command, error) {
	words, err := commandWords("--members-cmd", o.members)
	if err != nil || words == nil {
		return nil, err
	}
	if !asks(words, admission.FilePlaceholder) {
		usage := cli.Usagef("--members-cmd %q: it does not say where the list goes", o.members)
		usage.Hint = "write {file} where the command wants the path of a file with public keys, one a line"
		return nil, usage
	}
	return &admission.Command{Words: words, Within: o.within}, nil
}

// commandWords splits the command of a flag and sees that its program is there; an empty line has no words.
func commandWords(flag, line string) ([]string, error) {
	if line == "" {
		return nil, nil
	}
	words, err := launch.Words(line)
	exit := &cli.ExitError{Code: cli.ExitUsage}
	if err != nil {
		exit.Err = fmt.Errorf("%s %q: %w", flag, line, err)
		return nil, exit
	}
	exit.Hint = hintNoShell
	switch err := launch.CheckProgram(words); {
	case errors.Is(err, exec.ErrNotFound):
		exit.Err = fmt.Errorf("%s: no command %q was found", flag, words[0])
		return nil, exit
	case err != nil:
		exit.Err = fmt.Errorf("%s %q: %w", flag, words[0], err)
		return nil, exit
	}
	return words, nil
}

// asks reports whether a word of a command has a placeholder.
func asks(words []string, placeholder string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(word, placeholder) })
}

// operating makes the opening of a server that commands restart and kill; each is tried once. One without an effect is told on warn.
func operating(url string, c operated.Commands, warn io.Writer) opening {
	return opening{
		name: url, parallel: parallelSockets, memory: judgeMemory, keeps: true,
		open: func(ctx context.Context) (target.Target, func() error, error) {
			t, err := operated.Open(ctx, url, c)
			switch {
			case err == nil:
				for _, power := range []string{"restart", "kill"} {
					if why := t.Lacks(power); why != "" {
						fmt.Fprintf(warn, "grasp-check: warning: %s; what needs it is blocked\n", why)
					}
				}
				return t, func() error { return nil }, nil
			case ctx.Err() != nil:
				return nil, nil, context.Cause(ctx)
			}
			return nil, nil, &cli.ExitError{
				Code: record.ExitUnreachable, Err: err,
				Hint: "see that the server answers at this URL, and that the command brings it back; run the command by itself",
			}
		},
	}
}

// A filler is a server whose words have further placeholders.
type filler interface {
	Fill(words []string) []string
}

// dismissAll ends the membership of whom the run has made members; the context of an interrupted run is over by then.
func dismissAll(members *admission.Command, warn io.Writer) {
	if err := members.SetMembers(context.Background(), nil); err != nil {
		fmt.Fprintf(warn, "grasp-check: warning: --members-cmd: end of the run: %v; keys of the run may still be members\n", err)
	}
}
