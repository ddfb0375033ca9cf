package sim_test

import (
	"slices"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
)

// What relays offer is owed: a server that does not hear it, or does not come back to them, lacks it.
func TestWhatRelaysOfferIsOwed(t *testing.T) {
	s := embedded(t, "relays")
	s.Invariants = []string{"INV-07"}
	for _, p := range []struct {
		name string
		opts func() sim.Options
	}{
		{"announcements are not heard", deafTo(30617)},
		{"states are not heard", deafTo(30618)},
		{"a relay is connected to once", once},
		{"what names repositories is not asked for", filtered(tagged("aAq"))},
		{"nothing but the first page is read", paged(filtered(func(f relay.Filter) bool { return f.Until != nil }))},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			for seed := uint64(1); seed <= 8; seed++ {
				if o := run(t, s, seed, p.opts()); len(o.Violations) > 0 {
					return
				}
			}
			t.Error("nothing is lacking, want INV-07 lacks")
		})
	}
}

// A server that does not read what a relay says of its limits asks it all the same, and is seen doing it.
func TestWhoAsksWhileLimitedIsSeen(t *testing.T) {
	s := embedded(t, "relays")
	s.Invariants, s.Relays[2].PerMinute = []string{"INV-41"}, 3
	opts := sim.Options{Wrap: func(_ int, m core.Machine) core.Machine {
		return &deaf{m, func(in core.Input) bool {
			said, is := in.(core.PeerSaid)
			if !is {
				return true
			}
			_, notice := said.Msg.(relay.Notice)
			return !notice
		}}
	}}
	for seed := range uint64(8) {
		o := run(t, s, seed, opts)
		if slices.ContainsFunc(o.Violations, func(v invariant.Violation) bool { return v.String() == "INV-41 asked-while-limited" }) {
			return
		}
	}
	t.Error("no violation, want INV-41 asked-while-limited")
}
