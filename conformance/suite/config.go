// Package suite runs the checks of the feature files against one target, keeps the evidence and gives the
// verdicts.
//
// It knows servers through conformance/target only, and speaks to them through conformance/client. It
// prints nothing, reads no flag and decides no exit code.
package suite

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/target"
)

// Config says what to run and what may be done to the target. The zero value of every field but Seed and
// Features is usable.
type Config struct {
	// Features is the file system of feature files. It is required.
	Features fs.FS
	// Seed makes the keys, identifiers and commits of the run, together with Nonce. It is required.
	Seed string
	// Nonce makes them differ from those of an earlier run with this Seed; a server that keeps its data needs a fresh one
	// for each run. Empty is fine for a fresh server.
	Nonce string
	// ID selects the requirements, and the checks, whose ids begin with it, or with one of several with commas between; empty selects all.
	ID string
	// Tags is a tag expression over the tags of checks; empty selects all.
	Tags string
	// Profile is the name of a Profile, of whose checks ID and Tags select; empty is everything.
	Profile string
	// Stop hears what each check came to, one call at a time, and reports whether the run ends with it: what is under way is
	// broken off, and what has not begun is blocked. Nil lets every run come to its end.
	Stop func(CheckResult) bool
	// Lineage is the text the target is judged by; zero is spec.DefaultLineage.
	Lineage spec.Lineage
	// Model is the maintainer model that the tester states, "legacy" or "reciprocal"; empty states none, and
	// requirements that hold in one model only are observed.
	Model string
	// Write permits to publish and push to a target that is not on loopback.
	Write bool
	// AllowHostile permits malformed and malicious input to a target that is not on loopback.
	AllowHostile bool
	// Heavy permits pushes of more than HeavyBytes to a target that is not on loopback.
	Heavy bool
	// MaxEvents and MaxBytes bound what is written to one target, by what checks are known to cost: those that would go beyond are
	// blocked. Zero bounds nothing.
	MaxEvents int
	MaxBytes  int64
	// NoMarkers leaves out what tells servers that something was written by a check.
	NoMarkers bool
	// TimeBudget is how much real time may be spent on waiting where the target's clock cannot be moved;
	// zero is none.
	TimeBudget time.Duration
	// Parallel is the number of checks at one time; zero is 1. It has a limit of ParallelMax.
	Parallel int
	// Slowness multiplies the client's own timeouts, never the protocol's; zero is 1.
	Slowness int
	// Settle is the wait for one answer; zero is 5 s, and a minute where the target's clock can be moved.
	Settle time.Duration
	// Fresh opens one more target, equal to the one that is judged and independent of it and of all others; the function that
	// it returns ends it. The checks are then dealt out in small hands, and each target is judged by one. What a check is
	// judged by must not depend on that. Nil: one target is judged by all.
	Fresh func(context.Context) (target.Target, func() error, error)
	// Apart opens targets that are equal but for what they offer besides, by folders of features: "grasp08" one that is for its
	// members alone, whom the run names (see target.Membered), "grasp03" one that does sync plus, "grasp05" an archive of all that lists
	// another service, and "grasp05/read-only" one that is only read besides. The checks of these folders are
	// judged there, and no others. Without one they are judged where all others are.
	Apart map[string]func(context.Context) (target.Target, func() error, error)
	// Side is how many such targets are judged side by side; zero is 1.
	Side int
	// Keys are used for the actors of checks in turn, the last one for what all checks share; fresh ones where they do not
	// suffice, and where a key must have written nothing before. They are for servers that know their writers.
	Keys []client.Key
	// Members says whom the target is for, if that is its members alone (GRASP-08) and it cannot be told so itself. Whether it goes by a
	// list is seen: each has a key beside, which is waited for until it is let in. Nil: nobody can say.
	Members target.Membered
	// Ledger lists everything that is written to the target, before it is sent; nil lists nothing.
	Ledger *ledger.Ledger
	// Pace is what is learnt of how fast the server takes things, for who goes on with it behind the run; nil is one of the run's own.
	Pace *client.Pace
	// Progress hears how the run goes, one call at a time, from any goroutine; who lingers holds up the run. Nil hears nothing.
	Progress func(Progress)
	// Clock measures how long checks take, in reports only; nil uses the target's clock.
	Clock func() time.Time
}

// ParallelMax bounds Config.Parallel.
const ParallelMax = 64

// ErrNothingSelected is returned when no check and no requirement fits Config.ID and Config.Tags.
var ErrNothingSelected = errors.New("suite: nothing selected")

// ErrNoProfile is returned when there is no profile of the name in Config.Profile.
var ErrNoProfile = errors.New("suite: no such profile")

func (c Config) lineage() spec.Lineage {
	if c.Lineage == 0 {
		return spec.DefaultLineage
	}
	return c.Lineage
}

func (c Config) slowness() int { return max(c.Slowness, 1) }

func (c Config) parallel() int { return min(max(c.Parallel, 1), ParallelMax) }
