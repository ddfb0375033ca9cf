package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/measure"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/cli"
)

// measureOptions are the flags of a measurement beside those of a run.
type measureOptions struct {
	options
	json      string
	rate      int
	reference bool
	only      string
}

// The two things that are measured.
const (
	onlyHunt = "hunt"
	onlySync = "sync"
)

func measureCommand() *cobra.Command {
	var opts measureOptions
	c := &cobra.Command{
		Use:   "measure TARGET",
		Short: "Measure from outside how a server looks for missing git data, and how it syncs",
		Long: `measure publishes states whose git data only hosts of its own could have, lets those hosts refuse, and measures how
the server asks them: the delay of the first request, the intervals between attempts, the most requests in flight at one
host, and the most that begin within a minute. That takes about ten minutes in real time, and seconds for sim and serve.

Then it has a repository served that lists two relays of its own, and measures how the server follows them: the time until it
connects and asks, what it asks for, the size of its pages, whether it reconciles, what stays subscribed, how it comes back
to relays that were away, and how far back it asks then, by comparison and by pages. That takes six minutes more.

A TARGET is sim, serve or a URL, as for a run. The values required are those of the reference; they are judged for sim
and serve, and for a URL with --reference. Any other server is held to what GRASP-02 says: an attempt an hour. Nothing is
required of how a server follows relays.

What was written is listed and removed at the end, as behind a run.

Exit codes: 0 nothing is violated, 1 something is, 3 nothing could be measured, 4 the target was not reached, 130 it was
interrupted.`,
		Example: `  grasp-check measure serve
  grasp-sim serve --memory --hunt --hunt-private --hunt-rate 30
  grasp-check measure ws://127.0.0.1:7334 --reference --rate 30`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return measureOne(cmd, args[0], opts) },
	}
	f := c.Flags()
	f.IntVar(&opts.rate, "rate", measure.RateDefault, "the server is set to send `N` requests a minute to one host")
	f.StringVar(&opts.only, "only", "", "measure `hunt` or sync alone")
	f.BoolVar(&opts.reference, "reference", false, "judge a server at a URL by the rules of the reference")
	f.StringVar(&opts.json, "json", "", "write the values as JSON to `FILE`")
	f.StringVar(&opts.seed, "seed", "", seedUsage)
	opts.nonce.flag(c)
	opts.manners.ledgerFlags(c)
	opts.access.flag(c)
	f.BoolVar(&opts.write, "write", false, "publish to a server that is not on loopback, too")
	f.StringVar(&opts.reachback, "reachback", "", reachbackUsage)
	f.DurationVar(&opts.timeBudget, "time-budget", max(measure.Within, measure.SyncWithin), "wait up to `DURATION` in real time")
	return c
}

// measureOne measures one target and reports.
func measureOne(cmd *cobra.Command, arg string, opts measureOptions) error {
	if opts.rate < 1 || opts.rate > measure.RateMax {
		return cli.Usagef("--rate %d: want 1 to %d", opts.rate, measure.RateMax)
	}
	if opts.only != "" && opts.only != onlyHunt && opts.only != onlySync {
		return cli.Usagef("--only %q: want %s or %s", opts.only, onlyHunt, onlySync)
	}
	opts.huntRate = opts.rate
	targets, err := openings([]string{arg}, opts.options, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if err := opts.manners.check(targets); err != nil {
		return err
	}
	if opts.seed == "" {
		opts.seed = freshText()
	}
	out := outputs{paths: map[string]*string{"json": &opts.json}}
	defer out.close()
	if err := out.open(cmd.OutOrStdout()); err != nil {
		return err
	}
	told := cmd.OutOrStdout()
	if out.toStdout() {
		told = cmd.ErrOrStderr()
	}
	result, err := measureOn(cmd.Context(), targets[0], opts, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if err := report.Measured(told, result); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	if err := out.each(func(_ form, w io.Writer) error { return report.MeasuredJSON(w, buildOf(), result) }); err != nil {
		return err
	}
	switch {
	case result.Violated():
		return &cli.ExitError{Code: record.ExitViolated}
	case !result.Hunts && (result.Sync == nil || !result.Sync.Follows):
		return &cli.ExitError{Code: record.ExitHarness}
	}
	return nil
}

// measureOn measures a target while it lives.
func measureOn(ctx context.Context, o opening, opts measureOptions, tell io.Writer) (result *measure.Result, err error) {
	t, end, err := o.open(ctx)
	if err != nil {
		return nil, &cli.ExitError{Code: record.ExitHarness, Err: fmt.Errorf("start target %s: %w", o.name, err)}
	}
	defer func() { err = errors.Join(err, end()) }()
	world := suite.WorldOf(t)
	if world == "live" {
		if !suite.OnLoopback(t) && !opts.write {
			usage := cli.Usagef("target %s is not on loopback, and to measure is to write", o.name)
			usage.Hint = "give --write if the server is yours to write to"
			return nil, usage
		}
		if p, ok := t.(interface{ Probe(context.Context) error }); ok {
			if err := p.Probe(ctx); err != nil {
				return nil, &cli.ExitError{Code: record.ExitUnreachable, Err: err, Hint: whyDown(err.Error())}
			}
		}
		fmt.Fprintf(tell, "grasp-check: measuring %s takes about %s minutes\n", o.name, map[string]string{"": "sixteen", onlyHunt: "ten", onlySync: "six"}[opts.only])
	}
	keys, err := opts.access.read()
	if err != nil {
		return nil, err
	}
	run := suite.Config{Seed: opts.seed, Nonce: opts.nonce.of(t), Write: opts.write, Keys: keys}
	written, err := opts.manners.begin(o, t, &run, tell)
	if err != nil {
		return nil, err
	}
	defer written.end(ctx, t, run, nil)
	cfg := measure.Config{
		Seed: run.Seed, Nonce: run.Nonce, Rate: opts.rate, Reference: opts.reference || world != "live", Within: within(t, opts.timeBudget),
		Keys: keys, Ledger: run.Ledger,
	}
	result = &measure.Result{Target: t.Name(), URL: t.ServiceURL(), Seed: cfg.Seed, Nonce: cfg.Nonce, Rate: cfg.Rate}
	if opts.only != onlySync {
		if result, err = measure.Run(ctx, t, cfg); err != nil {
			return nil, notMeasured(ctx, err)
		}
	}
	if opts.only != onlyHunt {
		if result.Sync, err = measure.Sync(ctx, t, cfg); err != nil {
			return nil, notMeasured(ctx, err)
		}
	}
	return result, nil
}

// within is how long to measure at most.
func within(t target.Target, budget time.Duration) time.Duration {
	if _, ok := t.(target.ClockAdvancer); ok {
		return 0
	}
	return budget
}

// notMeasured gives an error its hint.
func notMeasured(ctx context.Context, err error) error {
	if interrupted := ctx.Err(); interrupted != nil {
		return interrupted
	}
	exit := &cli.ExitError{Code: record.ExitHarness, Err: fmt.Errorf("measure: %w", err)}
	if errors.Is(err, measure.ErrNoReachback) {
		exit.Hint = "say by --reachback how the server reaches this machine"
	}
	if errors.Is(err, measure.ErrShut) {
		exit.Hint = "--keys FILE with the secret key of a member"
	}
	return exit
}
