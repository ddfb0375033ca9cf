package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
)

// numbersOfOurs are those from which the fetches of plants count. Their ends are kept from the core.
const numbersOfOurs core.FetchID = 1 << 40

// A hunter is a core whose fetches are changed on their way out, and whose own fetches nobody answers to it.
type hunter struct {
	core.Machine
	start func(h *hunter, f core.StartFetch) []core.Effect // in place of one; nil leaves it
	done  func(f core.FetchDone) core.FetchDone            // what the core is told; nil leaves it
	more  core.FetchID
	known map[string]core.StartFetch
}

func (h *hunter) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if done, is := in.(core.FetchDone); is {
		if done.Fetch >= numbersOfOurs {
			return
		}
		if h.done != nil {
			in = h.done(done)
		}
	}
	var own core.Effects
	h.Machine.Step(now, in, &own)
	for _, e := range own.List {
		f, is := e.(core.StartFetch)
		if !is || h.start == nil {
			out.List = append(out.List, e)
			continue
		}
		out.List = append(out.List, h.start(h, f)...)
	}
}

// again is a fetch like one that was ordered, under a number of its own.
func (h *hunter) again(f core.StartFetch) core.StartFetch {
	h.more++
	f.Fetch = numbersOfOurs + h.more
	return f
}

func hunting(start func(h *hunter, f core.StartFetch) []core.Effect, done func(core.FetchDone) core.FetchDone) func() sim.Options {
	return func() sim.Options {
		return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine {
			return &hunter{Machine: m, start: start, done: done, known: map[string]core.StartFetch{}}
		}}
	}
}

// nowhere are remotes that never ask and never answer.
type nowhere struct{}

func (nowhere) Fetch(instant.Instant, core.StartFetch, func(instant.Instant, core.FetchDone)) {}
func (nowhere) CancelFetch(instant.Instant, core.FetchID)                                     {}
func (nowhere) DropFetches(instant.Instant)                                                   {}

// vain are remotes that never bring anything.
type vain struct{ engine *sim.Engine }

func (v vain) Fetch(now instant.Instant, f core.StartFetch, done func(instant.Instant, core.FetchDone)) {
	v.engine.At(now, uint64(f.Fetch), ending(done))
}
func (vain) CancelFetch(instant.Instant, core.FetchID) {}
func (vain) DropFetches(instant.Instant)               {}

type ending func(instant.Instant, core.FetchDone)

func (e ending) Run(now instant.Instant) { e(now, core.FetchDone{Failure: core.FetchUnreachable}) }

func reaching(r func(e *sim.Engine) sim.Remotes) func() sim.Options {
	return func() sim.Options {
		return sim.Options{Remotes: func(_ int, e *sim.Engine, _ *sim.Model) sim.Remotes { return r(e) }}
	}
}

// The plants of hunts: in which scenario, and what of them.
var huntPlants = []struct {
	plant
	scenario string
}{
	{plant{"INV-09 not-asked-for", hunting(func(_ *hunter, f core.StartFetch) []core.Effect {
		if strings.HasSuffix(f.Repo.Identifier, "2") {
			return nil
		}
		return []core.Effect{f}
	}, nil)}, "hunt_storm"},
	{plant{"INV-09 reachable-and-held", reaching(func(e *sim.Engine) sim.Remotes { return vain{e} })}, "hunt_flapping"},
	{plant{"INV-29 not-started-when-due", func() sim.Options {
		return sim.Options{Hunt: core.HuntConfig{On: true, UserDelay: 200 * 1e9}}
	}}, "hunt_dead"},
	{plant{"INV-30 fetch-without-end", reaching(func(*sim.Engine) sim.Remotes { return nowhere{} })}, "hunt_dead"},
	{plant{"INV-30 hunted-for-nothing", hunting(func(h *hunter, f core.StartFetch) []core.Effect {
		h.known[f.Repo.Identifier] = f
		list := []core.Effect{f}
		if first, old := h.known["newcomer1"]; old && f.Repo.Identifier != "newcomer1" {
			list = append(list, h.again(first))
		}
		return list
	}, nil)}, "hunt_flapping"},
	{plant{"INV-35 too-many-under-way", func() sim.Options {
		return sim.Options{Hunt: core.HuntConfig{On: true, Concurrent: 6}}
	}}, "hunt_dead"},
	{plant{"INV-35 too-many-in-a-minute", func() sim.Options {
		return sim.Options{Hunt: core.HuntConfig{On: true, Rate: 31}}
	}}, "hunt_urls"},
	{plant{"INV-36 capacity-unused", hunting(func(h *hunter, f core.StartFetch) []core.Effect {
		if _, asked := h.known[f.Repo.Identifier]; asked {
			return nil
		}
		h.known[f.Repo.Identifier] = f
		return []core.Effect{f}
	}, nil)}, "hunt_dead"},
	{plant{"INV-37 ended-and-under-way", reaching(func(e *sim.Engine) sim.Remotes { return vain{e} })}, "hunt_dead"},
	{plant{"INV-39 asked-while-broken", hunting(nil, func(f core.FetchDone) core.FetchDone {
		if f.Failure == core.FetchNoName {
			f.Failure = core.FetchNotFound
		}
		return f
	})}, "hunt_dead"},
	{plant{"INV-40 asked-twice-at-once", hunting(func(h *hunter, f core.StartFetch) []core.Effect {
		return []core.Effect{f, h.again(f)}
	}, nil)}, "hunt_dead"},
	{plant{"INV-40 starved", hunting(func(h *hunter, f core.StartFetch) []core.Effect {
		favorite, known := h.known["favorite"]
		if !known {
			h.known["favorite"] = f
			return []core.Effect{f}
		}
		favorite = h.again(favorite)
		favorite.URL += fmt.Sprintf("?%d", favorite.Fetch)
		return []core.Effect{f, favorite}
	}, nil)}, "hunt_storm"},
}

func TestEveryInvariantOfHuntsCanFail(t *testing.T) {
	broken := map[string]bool{}
	for _, p := range huntPlants {
		id, _, _ := strings.Cut(p.breaks, " ")
		broken[id] = true
		t.Run(p.breaks, func(t *testing.T) {
			t.Parallel()
			s := affordable(embedded(t, p.scenario))
			s.Invariants = []string{id}
			found := func(o sim.Outcome) bool {
				return slices.ContainsFunc(o.Violations, func(v invariant.Violation) bool { return v.String() == p.breaks })
			}
			o := run(t, s, 1, alone(p.opts()))
			if !found(o) {
				t.Fatalf("got violations %v, want %s", o.Violations, p.breaks)
			}
			if again := run(t, s, 1, alone(p.opts())); again.Trace != o.Trace || again.Violations[0].Detail != o.Violations[0].Detail {
				t.Errorf("%s: got %v the second time, want %v", o.Reproduce, again.Violations, o.Violations)
			}
		})
	}
	for _, id := range invariant.HuntIDs() {
		if !broken[id] {
			t.Errorf("invariant %s is never seen to fail", id)
		}
	}
}

func embedded(t testing.TB, name string) scenarios.Scenario {
	t.Helper()
	s, found, err := scenarios.Embedded(name)
	if err != nil || !found {
		t.Fatalf("scenario %s: found %v, error %v", name, found, err)
	}
	return s
}
