package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/cleanup"
	"github.com/graspkit/graspkit/conformance/ledger"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/internal/cli"
)

// outcomeOf tells what a clean-up came to, in a sentence or two.
func outcomeOf(r *cleanup.Result) string {
	text := fmt.Sprintf("%d of %d events and %d of %d repositories are gone",
		r.Events-len(r.Kept)-r.Unsure, r.Events, r.Repositories-len(r.Left)-r.Unseen, r.Repositories)
	if r.Unsure+r.Unseen > 0 {
		text += fmt.Sprintf("; of %s and %s nobody can say", several(r.Unsure, "event", "events"), several(r.Unseen, "repository", "repositories"))
	}
	if r.Shut > 0 {
		text += ", for the server shows them to members alone: give the key of one by --keys or --nsec"
	}
	if len(r.Left) > 0 && len(r.Kept) == 0 {
		text += "; the server keeps repositories whose announcements it has deleted"
		if r.Empty > 0 {
			text += fmt.Sprintf(", %d of them with nothing inside", r.Empty)
		}
		text += ": only its operator can remove those"
	}
	switch {
	case r.Requests > 0 && r.Expire:
		text += fmt.Sprintf("; %s to delete them stay for a day, and expire", several(r.Requests, "request", "requests"))
	case r.Requests > 0:
		text += fmt.Sprintf("; %s to delete them stay, for nobody can delete those", several(r.Requests, "request", "requests"))
	}
	if r.Others > 0 {
		text += fmt.Sprintf("; %s of checks, to delete or to vanish, stay", several(r.Others, "request", "requests"))
	}
	if !r.Listed && len(r.Kept) > 0 {
		text += "; the server does not list deletion requests (NIP-09), and does not act on them: what is there stays until its operator removes it"
	}
	if r.NoKey > 0 {
		text += fmt.Sprintf("; %s of keys that were given by --keys or --nsec, which are needed here as well", several(r.NoKey, "event is", "events are"))
	}
	if r.Spent {
		text += "; it was cut short"
	}
	return text
}

// several is a number of things.
func several(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// keptShown bounds the events and repositories that are named one by one.
const keptShown = 10

// cleanupCommand removes what an earlier run has written.
func cleanupCommand() *cobra.Command {
	var keys keyOptions
	var ca, at string
	var keep, paths bool
	var slowness int
	c := &cobra.Command{
		Use:   "cleanup LEDGER",
		Short: "Remove from a server what a run has written there, by its ledger, and look whether it is gone",
		Long: `cleanup asks the server of a ledger, by deletion requests (NIP-09) of the keys that wrote, to delete what the run wrote, and
then asks for each event and each repository whether it is gone. The keys that a run makes follow from what the ledger says; those
that were given to it are given again. Once everything is gone the ledger is removed, unless --keep is given.

Exit codes: 0 everything is gone, 1 something is left, 2 the command line or the ledger cannot be used, 4 the server was not
reached.`,
		Example: "  grasp-check cleanup grasp-check-0a1b2c3d.ledger\n  grasp-check cleanup run.ledger --keys keys.txt\n" +
			"  grasp-check cleanup run.ledger --paths",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if paths {
				return printPaths(cmd.OutOrStdout(), args[0])
			}
			return cleanUpLater(cmd, args[0], at, ca, keep, slowness, keys)
		},
	}
	keys.flag(c)
	caFlag(c, &ca)
	c.Flags().StringVar(&at, "url", "", "the server answers at `URL` now (where the ledger says)")
	c.Flags().BoolVar(&keep, "keep", false, "keep the ledger")
	c.Flags().BoolVar(&paths, "paths", false, "print the paths of the run's repositories, for who removes them on the server's disk, and ask nobody")
	c.Flags().IntVar(&slowness, "slowness", 1, "multiply timeouts by `N` for slow servers")
	return c
}

// pathForm is what a path has that is safe to hand to whatever removes folders.
var pathForm = regexp.MustCompile(`^npub1[0-9a-z]{1,100}/[0-9A-Za-z%~_-][0-9A-Za-z%~_.-]*\.git$`)

// printPaths prints where a run may have made repositories, below the folder or the URL of the service.
func printPaths(out io.Writer, path string) error {
	book, err := ledger.Open(path)
	if err != nil && !errors.Is(err, ledger.ErrBegun) {
		return &cli.ExitError{Code: cli.ExitUsage, Err: err, Hint: hintLedger}
	}
	if err != nil {
		return nil
	}
	for _, at := range book.Made() {
		if below := strings.TrimPrefix(at, book.Run.URL+"/"); pathForm.MatchString(below) {
			fmt.Fprintln(out, below)
		}
	}
	return nil
}

// hintLedger is for who names something else.
const hintLedger = "name the file that a run of grasp-check has left"

// cleanUpLater removes what a ledger lists, and tells what came of it.
func cleanUpLater(cmd *cobra.Command, path, at, ca string, keep bool, slowness int, keys keyOptions) error {
	if slowness < 1 || slowness > slownessMax {
		return cli.Usagef("--slowness %d: want 1 to %d", slowness, slownessMax)
	}
	book, err := ledger.Open(path)
	if errors.Is(err, ledger.ErrBegun) {
		fmt.Fprintln(cmd.OutOrStdout(), "the run was ended before it had written anything")
		return removeLedger(cmd.OutOrStdout(), path, keep)
	}
	if err != nil {
		return &cli.ExitError{Code: cli.ExitUsage, Err: err, Hint: hintLedger}
	}
	cfg := cleanup.Config{Slowness: slowness, Parallel: parallelSockets}
	if cfg.Keys, err = keys.read(); err != nil {
		return err
	}
	if at == "" {
		at = book.Run.URL
	}
	t, err := liveTarget(at, ca)
	if err != nil {
		return err
	}
	if cfg.Ledger, err = ledger.Append(path); err != nil { // a disk that is full keeps nobody from removing what he wrote
		fmt.Fprintf(cmd.ErrOrStderr(), "grasp-check: warning: the requests are not listed: %v\n", err)
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "run %s at %s: %d events, %d repositories pushed to\n", book.Run.Run, t.ServiceURL(), len(book.Events), len(book.Pushes))
	if book.Cut > 0 {
		fmt.Fprintf(out, "%d lines of the ledger cannot be read\n", book.Cut)
	}
	done, err := cleanup.Run(cmd.Context(), t, book, cfg)
	if cfg.Ledger != nil {
		if closed := cfg.Ledger.Close(); err == nil && closed != nil {
			err = closed
		}
	}
	switch {
	case errors.Is(err, cleanup.ErrUnreachable):
		return &cli.ExitError{Code: record.ExitUnreachable, Err: err, Hint: whyDown(err.Error()) + "; --url names another one"}
	case err != nil:
		return err
	}
	fmt.Fprintln(out, outcomeOf(done))
	for _, kept := range done.Kept[:min(len(done.Kept), keptShown)] {
		fmt.Fprintf(out, "  event %s of kind %d: %s\n", kept.ID, kept.Kind, kept.Why)
	}
	for _, left := range done.Left[:min(len(done.Left), keptShown)] {
		fmt.Fprintf(out, "  repository %s\n", left)
	}
	if !done.Clean() {
		return &cli.ExitError{Code: record.ExitViolated}
	}
	return removeLedger(out, path, keep)
}

func removeLedger(out io.Writer, path string, keep bool) error {
	if keep {
		return nil
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("remove ledger: %w", err)
	}
	fmt.Fprintf(out, "%s: removed\n", path)
	return nil
}
