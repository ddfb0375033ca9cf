package sim_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
)

// changing is a hunt each of whose requests is changed.
func changing(change func(f *core.StartFetch)) func() sim.Options {
	return hunting(func(_ *hunter, f core.StartFetch) []core.Effect {
		change(&f)
		return []core.Effect{f}
	}, nil)
}

func set(h core.HuntConfig) func() sim.Options {
	h.On = true
	return func() sim.Options { return sim.Options{Hunt: h} }
}

// What a hunt may not ask yet, not so often, not there or not at all, and what it must have asked by now: each is done wrongly
// here, by no more than a little, and the model sees it while no invariant looks.
func TestModelSeesWrongHunts(t *testing.T) {
	for _, p := range []struct {
		breaks, scenario string
		opts             func() sim.Options
	}{
		{"REF-HUNT-05 model-hunted-early", "hunt_dead", set(core.HuntConfig{UserDelay: 179 * time.Second})},
		{"REF-HUNT-05 model-hunted-late", "hunt_dead", set(core.HuntConfig{UserDelay: 181 * time.Second})},
		{"REF-HUNT-05 model-hunted-late", "hunt_dead", set(core.HuntConfig{SyncDelay: time.Second})},
		{"REF-HUNT-08 model-too-many-at-once", "hunt_dead", set(core.HuntConfig{Concurrent: 6})},
		{"REF-HUNT-09 model-too-many-in-a-minute", "hunt_urls", set(core.HuntConfig{Rate: 31})},
		{"REF-HUNT-10 model-capacity-unused", "hunt_urls", set(core.HuntConfig{Rate: 29})},
		{"REF-HUNT-14 model-left-out", "hunt_dead", set(core.HuntConfig{Concurrent: 4})},
		{"REF-HUNT-12 model-asked-twice-at-once", "hunt_dead", hunting(func(h *hunter, f core.StartFetch) []core.Effect {
			return []core.Effect{f, h.again(f)}
		}, nil)},
		{"REF-HUNT-15 model-asked-elsewhere", "hunt_dead", changing(func(f *core.StartFetch) { f.URL += "/" })},
		{"REF-HUNT-16 model-not-asked-whole", "hunt_dead", changing(func(f *core.StartFetch) {
			if len(f.OIDs) > 1 {
				f.OIDs = f.OIDs[1:]
			}
		})},
		{"REF-HUNT-07 model-asked-unneeded", "hunt_dead", changing(func(f *core.StartFetch) {
			f.OIDs = append(slices.Clone(f.OIDs), "1111111111111111111111111111111111111111")
		})},
		{"REF-HUNT-25 model-asked-while-broken", "hunt_dead", hunting(nil, func(f core.FetchDone) core.FetchDone {
			if f.Failure == core.FetchNoName {
				f.Failure = core.FetchNotFound
			}
			return f
		})},
		{"REF-HUNT-09 model-asked-while-limited", "hunt_flapping", hunting(nil, func(f core.FetchDone) core.FetchDone {
			f.RetryAfter = min(f.RetryAfter, time.Second)
			return f
		})},
		{"REF-HUNT-26 model-hunted-for-nothing", "hunt_flapping", hunting(func(h *hunter, f core.StartFetch) []core.Effect {
			list := []core.Effect{f}
			if h.more == 0 {
				other := h.again(f)
				other.Repo.Identifier = "nobody"
				list = append(list, other)
			}
			return list
		}, nil)},
	} {
		t.Run(strings.ReplaceAll(p.breaks, " ", "_"), func(t *testing.T) {
			t.Parallel()
			s := affordable(embedded(t, p.scenario))
			s.Invariants = []string{}
			o := run(t, s, 1, p.opts())
			if !slices.ContainsFunc(o.Violations, func(v invariant.Violation) bool { return v.String() == p.breaks }) {
				t.Errorf("got violations %v, want %s", o.Violations, p.breaks)
			}
		})
	}
}
