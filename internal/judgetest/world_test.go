package judgetest

import (
	"context"
	"flag"
	"hash/fnv"
	"io"
	"testing"

	"github.com/nbd-wtf/go-nostr"
	_ "pgregory.net/rapid" // its flags

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/sim/simtarget"
)

// full runs every check on every defect; without it only the checks of the requirement that has to catch it.
var full = flag.Bool("full", false, "judge every defect by all checks")

// drawnOf reports whether something is in the share, one of so many, that this run has drawn: each seed of rapid, which .ci/run draws from
// the commit as RAPID_SEED, has another one.
func drawnOf(share uint32, seed, what string) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(what + seed)) // a hash takes everything
	return h.Sum32()%share == 0
}

func seedOfRun() string { return flag.Lookup("rapid.seed").Value.String() }

// simulated returns the reference in virtual time with a defect; the zero Defect is none.
func simulated(d defect.Defect) ours { return simulatedTrusting(d, client.Signed) }

// simulatedTrusting is simulated, and need not find out that the signatures are good that signed knows; with nil it verifies
// all of them itself.
func simulatedTrusting(d defect.Defect, signed func(*nostr.Event) bool) ours {
	return atDoor(simtarget.New(simtarget.Options{
		Seed: 1, Signed: signed, Config: d.Settings, Web: d.Web, Answer: d.Answer, Wrap: d.Machine, Backend: d.Backend, Body: d.Body, Front: d.Front,
	}), d)
}

// served returns the reference on loopback.
func served(t *testing.T, opts servetarget.Options) target.Target {
	t.Helper()
	s, err := servetarget.New(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	closes(t, s)
	return s
}

// closes ends something behind the test.
func closes(t *testing.T, c io.Closer) {
	t.Helper()
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// freshServed opens served references, which end with their checks.
func freshServed(opts servetarget.Options) func(context.Context) (target.Target, func() error, error) {
	return func(ctx context.Context) (target.Target, func() error, error) {
		s, err := servetarget.New(ctx, opts)
		if err != nil {
			return nil, nil, err
		}
		return s, s.Close, nil
	}
}

func judge(t *testing.T, on target.Target, cfg suite.Config) *suite.Result {
	t.Helper()
	result, err := run(t.Context(), on, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// run is judge for who may not end a test.
func run(ctx context.Context, on target.Target, cfg suite.Config) (*suite.Result, error) {
	cfg.Features = features.FS
	if cfg.Model == "" {
		cfg.Model = "legacy"
	}
	if cfg.Seed == "" {
		cfg.Seed = "judgetest"
	}
	return suite.Run(ctx, on, cfg)
}

// verdicts returns the verdict of every requirement that a check of the result carries.
func verdicts(r *suite.Result) map[string]suite.RequirementResult {
	by := map[string]suite.RequirementResult{}
	for _, q := range r.Requirements {
		by[q.Requirement.ID] = q
	}
	return by
}
