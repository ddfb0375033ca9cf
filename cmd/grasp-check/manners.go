package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/cleanup"
	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/cli"
)

// mannersOptions are the flags about what a run leaves behind.
type mannersOptions struct {
	ledger    string
	noLedger  bool
	noCleanup bool

	heavy     bool
	noMarkers bool
	maxEvents int
	maxBytes  int64
}

func (o *mannersOptions) flag(c *cobra.Command) {
	o.ledgerFlags(c)
	o.limitFlags(c)
	c.Flags().BoolVar(&o.noMarkers, "no-markers", false, "write nothing that tells the server that it was written by a check")
}

// ledgerFlags are those about the list of what is written.
func (o *mannersOptions) ledgerFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.ledger, "ledger", "", "list what is written in `FILE`, which stays (grasp-check-RUN.ledger here, removed once all is gone; none for sim and serve)")
	f.BoolVar(&o.noLedger, "no-ledger", false, "list what is written in memory only: a run that is killed cannot be cleaned up")
	f.BoolVar(&o.noCleanup, "no-cleanup", false, `leave what was written; "grasp-check cleanup LEDGER" removes it later`)
}

// limitFlags are those that bound what is written.
func (o *mannersOptions) limitFlags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&o.heavy, "heavy", false, "push tens of megabytes to servers that are not on loopback, too")
	f.IntVar(&o.maxEvents, "max-events", 0, "block the checks that would bring what is written to more than `N` events, by what they are known to write")
	f.Int64Var(&o.maxBytes, "max-bytes", 0, "block the checks that would bring what is written to more than `N` bytes")
}

// config puts the flags into the configuration of a run.
func (o mannersOptions) config(cfg *suite.Config) error {
	switch {
	case o.maxEvents < 0:
		return cli.Usagef("--max-events %d: want a number that is not negative", o.maxEvents)
	case o.maxBytes < 0:
		return cli.Usagef("--max-bytes %d: want a number that is not negative", o.maxBytes)
	}
	cfg.Heavy, cfg.MaxEvents, cfg.MaxBytes, cfg.NoMarkers = o.heavy, o.maxEvents, o.maxBytes, o.noMarkers
	return nil
}

// check judges the flags together.
func (o mannersOptions) check(targets []opening) error {
	if o.ledger == "" {
		return nil
	}
	if o.noLedger {
		return cli.Usagef("--ledger and --no-ledger exclude each other")
	}
	live := 0
	for _, t := range targets {
		if t.keeps || t.launched {
			live++
		}
	}
	if live != 1 || len(targets) != 1 {
		usage := cli.Usagef("--ledger %s: a ledger is of one server, by its URL or --launch", o.ledger)
		usage.Hint = "judge one server; sim and serve keep nothing"
		return usage
	}
	return nil
}

// cleanupWithin bounds a clean-up at the end of a run.
const cleanupWithin = 10 * time.Minute

// A writing is what a run writes, while it goes on.
type writing struct {
	opts   mannersOptions
	path   string // of the file; "" where there is none
	memory *memory
	ledger *ledger.Ledger
	pace   *client.Pace
	tell   io.Writer
}

// memory is a ledger that ends with the process.
type memory struct{ bytes.Buffer }

// Sync does nothing: there is no disk.
func (*memory) Sync() error { return nil }

// Close does nothing.
func (*memory) Close() error { return nil }

// begin begins the ledger of a run, where the server may keep what is written to it; nil where there is nothing to list.
func (o mannersOptions) begin(at opening, t target.Target, cfg *suite.Config, tell io.Writer) (*writing, error) {
	keeps := at.keeps || at.launched && o.ledger != ""
	if !keeps || !suite.OnLoopback(t) && !cfg.Write {
		return nil, nil //nolint:nilnil // there is none, and that is fine
	}
	first := ledger.Run{Run: suite.NameOf(cfg.Seed, cfg.Nonce), URL: t.ServiceURL(), Seed: cfg.Seed, Nonce: cfg.Nonce, Started: time.Now().UTC()}
	r := &writing{opts: o, path: o.ledger, pace: cfg.Pace, tell: tell}
	var err error
	if o.noLedger {
		r.memory = &memory{}
		r.ledger, err = ledger.New(r.memory, first)
	} else {
		if r.path == "" {
			r.path = "grasp-check-" + first.Run + ".ledger"
		}
		r.ledger, err = ledger.Create(r.path, first)
	}
	if err != nil {
		return nil, &cli.ExitError{
			Code: cli.ExitUsage, Err: err,
			Hint: "name a file that is not there, in a directory that can be written to, by --ledger FILE; or give --no-ledger",
		}
	}
	cfg.Ledger = r.ledger
	return r, nil
}

// end removes what was written, looks whether that is gone, and says so; nil has nothing to do.
func (r *writing) end(ctx context.Context, t target.Target, cfg suite.Config, result *suite.Result) {
	if r == nil {
		return
	}
	counts := r.ledger.Counts()
	clean, left, text := true, false, ""
	switch {
	case counts.Events+counts.Pushes == 0:
	case r.opts.noCleanup:
		clean, text = false, fmt.Sprintf("%s and %s were written and not removed", several(counts.Events, "event", "events"), several(counts.Pushes, "push", "pushes"))
	default:
		clean, left, text = r.cleanUp(ctx, t, cfg)
	}
	if err := r.ledger.Close(); err != nil {
		fmt.Fprintf(r.tell, "grasp-check: warning: %v\n", err)
	}
	if text != "" && result != nil {
		result.Facts = append(result.Facts, "clean-up: "+text)
	}
	switch {
	case r.path == "":
	case clean && r.opts.ledger == "":
		if err := os.Remove(r.path); err != nil {
			fmt.Fprintf(r.tell, "grasp-check: warning: remove ledger: %v\n", err)
		}
	case !clean:
		fmt.Fprintf(r.tell, "grasp-check: %s\ngrasp-check: hint: %s lists it; run \"grasp-check cleanup %s\"", text, r.path, r.path)
		if left {
			fmt.Fprint(r.tell, ", or with --paths for the repositories that the server's operator has to remove")
		}
		fmt.Fprintln(r.tell)
	}
}

// cleanUp removes what was written; left is whether repositories stay. An interrupted run is cleaned up as well; who interrupts that
// ends it, and the report is written all the same: some runners send a second signal soon, and kill then.
func (r *writing) cleanUp(ctx context.Context, t target.Target, cfg suite.Config) (clean, left bool, text string) {
	interrupts := 2
	if ctx.Err() != nil {
		interrupts = 1
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupWithin)
	defer cancel()
	defer cancelAt(interrupts, cancel)()
	if interrupts == 1 { // told once it is so: whoever reads it may interrupt at once
		fmt.Fprintln(r.tell, "grasp-check: interrupted: what was written is removed now; a second interrupt ends this at once")
	}
	book, err := r.book()
	if err != nil {
		return false, false, err.Error()
	}
	done, err := cleanup.Run(ctx, t, book, cleanup.Config{Keys: cfg.Keys, Ledger: r.ledger, Pace: r.pace, Slowness: cfg.Slowness, Parallel: cfg.Parallel})
	if err != nil {
		return false, false, fmt.Sprintf("nothing was removed: %v", err)
	}
	return done.Clean(), len(done.Left) > 0, outcomeOf(done)
}

// cancelAt cancels at the nth interrupt from now on, of those that come together as one, and hears none once it is ended.
func cancelAt(nth int, cancel func()) (end func()) {
	heard, over := make(chan os.Signal, nth), make(chan struct{})
	signal.Notify(heard, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		var last time.Time
		for n := 0; n < nth; {
			select {
			case <-heard:
				if now := time.Now(); now.Sub(last) > cli.Together {
					n, last = n+1, now
				}
			case <-over:
				return
			}
		}
		cancel()
	}()
	return func() {
		signal.Stop(heard)
		close(over)
	}
}

func (r *writing) book() (*ledger.Book, error) {
	if r.memory != nil {
		return ledger.Read(bytes.NewReader(r.memory.Bytes()))
	}
	return ledger.Open(r.path)
}
