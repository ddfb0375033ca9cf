package suite

import (
	"context"
	"maps"
	"slices"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
)

// A Survey is what a run of some checks would come to, as far as that can be told without writing anything.
type Survey struct {
	Down         string // why the target counts as dead; "" if it lives
	Software     string
	NIPs, GRASPs []int
	Document     map[string]any // relay information document; nil if there is none
	Loopback     bool
	Door         *client.Door // of a service for members alone, by which one of us is let in; nil where everybody is
	Shut         string       // why nobody of us is let in there; "" if that is not so
	Checks       int
	Judged       Estimate // of the checks that would be run
	Hindered     []Hindrance
}

// A Hindrance is a check that would not be run.
type Hindrance struct {
	Check   features.Check
	Verdict Verdict
	Reason  string
	Unlock  string // of Blocked: what the user can do
}

// Inspect says what a run would do at a target. It reads the document, or opens a connection, and sends nothing else, but for who is
// there to a service for members alone. It returns an
// error for a malformed selection only.
func Inspect(ctx context.Context, t target.Target, cfg Config) (*Survey, error) {
	checks, _, err := Select(cfg)
	if err != nil {
		return nil, err
	}
	r := &run{target: t, cfg: cfg, seed: cfg.Seed, loopback: onLoopback(t), registry: theRegistry(), pace: cfg.pace(), teller: &teller{}}
	r.client = client.New(t, r.clientOptions())
	var hello greeting
	r.facts, hello = greet(ctx, r.client)
	s := &Survey{
		Down: hello.down, Software: r.facts.software, Document: r.facts.document, Loopback: r.loopback, Checks: len(checks),
		NIPs: slices.Sorted(maps.Keys(r.facts.nips)), GRASPs: slices.Sorted(maps.Keys(r.facts.grasps)),
	}
	if s.Down != "" {
		return s, nil
	}
	r.findDoor(ctx)
	s.Door, s.Shut = r.entry.door, r.entry.shut
	r.reserve()
	var judged []features.Check
	for _, c := range checks {
		out := r.decide(c).then(func() outcome { return r.afford(c) })
		if out.held() {
			judged = append(judged, c)
			continue
		}
		s.Hindered = append(s.Hindered, Hindrance{c, out.verdict, out.reason, out.unlock})
	}
	s.Judged = EstimateOf(judged)
	return s, nil
}
