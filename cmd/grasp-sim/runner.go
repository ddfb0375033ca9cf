package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/trace"
)

// A runner makes runs of one scenario, or of one that is drawn anew for each seed. Runs share nothing, so any number of
// goroutines may call it.
type runner struct {
	scenario loaded
	program  string             // with its version
	options  func() sim.Options // of one run; nil is a plain one
	checked  bool               // each run is made twice
	reached  *reached           // nil where nobody asks for it
	keys     *keyring           // of people who are the same in many runs; nil for one run
	table    string             // where all that is reached goes, "" for nowhere
}

// A watcher sees the records of a run, and learns the names in them.
type watcher interface {
	see(r trace.Record)
	name(id, name string)
}

// interrupted ends a run in the middle: a world has no other way out.
type interrupted struct{}

// stopped ends a run in the middle because its watcher has seen enough; the error of the run is errStopped.
type stopped struct{}

var errStopped = errors.New("the run was stopped")

// of is the scenario of a seed.
func (r *runner) of(seed uint64) (loaded, error) {
	if r.scenario.draw == nil {
		return r.scenario, nil
	}
	return r.scenario.drawn(seed)
}

// run makes the run of a seed. It ends early, with the error of the context, when that ends. The watcher may be nil.
func (r *runner) run(ctx context.Context, seed uint64, by watcher) (o sim.Outcome, err error) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case interrupted:
			err = ctx.Err()
		case stopped:
			err = errStopped
		default:
			err = fmt.Errorf("run %s with seed %d: panic: %v\n%s", r.scenario.arg, seed, reason, debug.Stack())
		}
	}()
	var opts sim.Options
	if r.options != nil {
		opts = r.options()
	}
	if by != nil {
		opts.Named = by.name
	}
	opts.Sink = func(record trace.Record) {
		if ctx.Err() != nil {
			panic(interrupted{})
		}
		if by != nil {
			by.see(record)
		}
	}
	s, err := r.of(seed)
	if err != nil {
		return o, err
	}
	if s.People.Keys > 0 && r.keys != nil {
		opts.Keys = r.keys.of
	}
	o, err = sim.Run(s.Scenario, seed, r.reached.watch(seed, opts))
	o.Reproduce = fmt.Sprintf("grasp-sim run %s --seed %d", r.scenario.command(), seed)
	return o, err
}

// quoted is an argument as a shell takes it.
func quoted(arg string) string {
	if strings.Trim(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./_-") == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
