package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/cli"
)

// judge runs the suite on every target and reports. Files are opened before anything is run.
func judge(cmd *cobra.Command, args []string, opts options) error {
	cfg, err := opts.config()
	if err != nil {
		return err
	}
	if cfg.Keys, err = opts.access.read(); err != nil {
		return err
	}
	for i, key := range cfg.Keys {
		fmt.Fprintf(cmd.ErrOrStderr(), "key %d of --keys: %s %s\n", i+1, key.Npub, key.Pubkey)
	}
	held, err := opts.gate.open(opts.strict, time.Now())
	if err != nil {
		return err
	}
	defer held.close()
	cfg.Stop = held.stop()
	targets, err := openings(args, opts, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if err := errors.Join(opts.manners.config(&cfg), opts.manners.check(targets)); err != nil {
		return err
	}
	if cfg.Seed == "" {
		cfg.Seed = freshText()
	}
	defer opts.out.close()
	if err := opts.out.open(cmd.OutOrStdout()); err != nil {
		return err
	}
	out := cmd.OutOrStdout() // for people
	if opts.out.toStdout() {
		out = cmd.ErrOrStderr()
	}
	execution := record.Execution{By: buildOf(), Written: time.Now(), Strict: held.policy.Warn, Arguments: repeated(cmd), Selection: opts.selection()}
	shown := consoleOf(out, opts.verbose, opts.out.path("json"))
	var results []*suite.Result
	var failed error // of a target, which ends the run; what was judged before is reported all the same
	for _, o := range targets {
		over, paced := func() {}, func(pacing) {}
		if !opts.quiet {
			underway := newDisplay(cmd.ErrOrStderr(), o.name)
			cfg.Progress, over, paced = underway.hear, sync.OnceFunc(underway.start()), underway.paced
		}
		result, err := runOne(cmd.Context(), o, cfg, opts, telling{cmd.ErrOrStderr(), over, paced})
		over()
		if failed = err; err != nil {
			held.keep() // what was not run does not leave the list
		}
		if result == nil {
			break
		}
		execution.Interrupted = cmd.Context().Err() != nil
		if one := record.Of(execution, result); !held.expects() {
			one.Conclude(held.policy)
			if err := tell(out, one, shown); err != nil {
				return err
			}
		}
		results = append(results, result)
		if failed != nil || execution.Interrupted {
			break
		}
	}
	if interrupted := cmd.Context().Err(); failed != nil && interrupted != nil {
		failed = interrupted
	}
	if len(results) == 0 {
		return failed
	}
	execution.Written = time.Now()
	doc := record.Of(execution, results...)
	for i := range len(doc.Runs) - 1 {
		doc.Runs[i].Interrupted = false // else there were no run behind it
	}
	told, err := held.conclude(doc)
	if err != nil {
		return err
	}
	if held.expects() {
		if err := tell(out, doc, shown); err != nil {
			return err
		}
	}
	for _, line := range told {
		fmt.Fprintln(cmd.ErrOrStderr(), line)
	}
	if err := opts.out.write(doc); err != nil {
		return err
	}
	if path := opts.out.path("json"); path != "" && path != "-" {
		fmt.Fprintf(out, "Report: %s\n", path)
	}
	if err := tellGitHub(out, doc); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	return conclude(doc)
}

// tell writes the runs of a document for people.
func tell(out io.Writer, doc *record.Document, shown report.ConsoleOptions) error {
	for i := range doc.Runs {
		if err := report.Console(out, &doc.Runs[i], doc.Spec, shown); err != nil {
			return err //nolint:wrapcheck // it says what was written
		}
		fmt.Fprintln(out)
	}
	return nil
}

// repeated are the flags of a run that who repeats a check of it needs, too.
func repeated(cmd *cobra.Command) []string {
	var words []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "id", "tags", "seed", "nonce", "quiet", "verbose", "parallel", "profile", "known", "known-update", "fail-on", "fail-fast",
			"ledger", "no-ledger", "no-cleanup":
			return
		}
		if isForm(f.Name) {
			return
		}
		words = append(words, "--"+f.Name+"="+f.Value.String())
	})
	return words
}

// A telling is how a run is told of beside its report.
type telling struct {
	io.Writer

	over  func()       // ends what shows how the checks go
	paced func(pacing) // shows how much of the time the pace of the target takes
}

func runOne(ctx context.Context, o opening, cfg suite.Config, opts options, tell telling) (*suite.Result, error) {
	defer aimAt(o.memory)()
	t, end, err := o.open(ctx)
	if err != nil {
		exit := &cli.ExitError{Code: record.ExitHarness, Err: fmt.Errorf("start target %s: %w", o.name, err)}
		if told, ok := errors.AsType[*cli.ExitError](err); ok {
			exit.Code, exit.Hint = told.Code, told.Hint
		}
		return nil, exit
	}
	if cfg.Parallel == 0 {
		cfg.Parallel = o.parallel
	}
	if cfg.Model == "" {
		cfg.Model = o.model
	}
	cfg.Nonce, cfg.Apart = opts.nonce.of(t), o.apart
	if o.members != nil {
		cfg.Members = o.members
		if s, is := t.(filler); is {
			o.members.Fill = s.Fill
		}
	}
	cfg.Pace = suite.PaceOf(cfg)
	tell.paced(cfg.Pace)
	if o.side > 0 {
		cfg.Fresh, cfg.Side = o.open, o.side
	}
	written, err := opts.manners.begin(o, t, &cfg, tell)
	if err != nil {
		return nil, errors.Join(err, end())
	}
	result, err := suite.Run(ctx, t, cfg)
	tell.over()
	written.end(ctx, t, cfg, result)
	if o.members != nil {
		dismissAll(o.members, tell)
	}
	ended := end()
	died, ok := errors.AsType[*diedError](ended)
	switch {
	case err != nil || ended == nil:
	case ok:
		result.Down = died.Error()
	default:
		err = fmt.Errorf("end target %s: %w", o.name, ended)
	}
	return result, err
}

// aimAt lets the collector of garbage wait until some bytes of memory are in use, and work harder above them, if there are
// any and nobody has said otherwise by GOMEMLIMIT or GOGC. The function returned ends that.
func aimAt(memory int64) (end func()) {
	before := debug.SetMemoryLimit(-1)
	if memory == 0 || before != math.MaxInt64 || os.Getenv("GOGC") != "" {
		return func() {}
	}
	percent := debug.SetGCPercent(relaxed)
	debug.SetMemoryLimit(memory)
	return func() {
		debug.SetMemoryLimit(before)
		debug.SetGCPercent(percent)
	}
}

// relaxed is by how many percent the memory of a run may grow before its garbage is collected: a run holds little and makes
// much, and a fifth of its time went into collecting that.
const relaxed = 300

// conclude turns the exit code into an error; a dead target is told on stderr as well.
func conclude(doc *record.Document) error {
	var codes []int
	for _, r := range doc.Runs {
		codes = append(codes, r.Exit)
	}
	code := record.WorstExit(codes...)
	if code == record.ExitGood {
		return nil
	}
	exit := &cli.ExitError{Code: code}
	if code == record.ExitInterrupted {
		exit.Err = errors.New("interrupted")
	}
	if code == record.ExitUnreachable {
		for _, r := range doc.Runs {
			if r.Down != "" {
				exit.Err = fmt.Errorf("target %s is down: %s", r.URL, r.Down)
				exit.Hint = whyDown(r.Down)
				break
			}
		}
	}
	return exit
}

// whyDown says what to look at when a target does not answer, by what became of the first question.
func whyDown(down string) string {
	if strings.Contains(down, "no such host") {
		return "this machine finds no address for the name; see that it is spelt as it should, or give an address"
	}
	return "see that the server runs and that it answers at this URL"
}

// buildOf says which build this is, as far as the binary knows.
func buildOf() record.Suite {
	by := cli.ThisBuild()
	return record.Suite{Version: by.Version, Commit: by.Commit}
}
