package sim_test

import (
	"slices"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/trace"
)

// A familyPlant is a mistake of a server that is set to a further member of the family, in a scenario that has one.
type familyPlant struct {
	breaks, scenario string
	opts             func() sim.Options
}

// placeMarks is a plant that changes the clocks of refs at places.
func placeMarks(change func(m core.Mark) []core.Effect) func() sim.Options {
	return func() sim.Options {
		return records(core.OpMark, func(r core.Record) []core.Effect {
			if r.Mark.Kind == core.MarkPlaceholder && r.Mark.Repo.IsContribution() {
				return change(r.Mark)
			}
			return []core.Effect{r}
		})
	}
}

func placeMark(m core.Mark) core.Effect { return core.Record{Op: core.OpMark, Mark: m} }

// servingBehind serves what is held as soon as a push to a place ends.
func servingBehind() sim.Options {
	var held []core.Record
	return effects(func(in core.Input, effects []core.Effect) []core.Effect {
		for _, e := range effects {
			if r, is := e.(core.Record); is && r.Op == core.OpHold && r.Event.Kind == repo.KindPullRequest {
				held = append(held, r)
			}
		}
		if _, ends := in.(core.PushDone); ends && len(held) > 0 {
			r := held[len(held)-1]
			return append(slices.Clone(effects), core.Record{Op: core.OpStore, ID: r.ID, Event: r.Event})
		}
		return effects
	})
}

// holdingRefused holds every announcement that it refuses.
func holdingRefused() sim.Options {
	return effects(func(in core.Input, effects []core.Effect) []core.Effect {
		said, _ := in.(core.Message)
		msg, is := said.Msg.(relay.Event)
		for _, e := range effects {
			n, noted := e.(core.Note)
			if is && noted && n.Fact == core.EventRefused && n.Requirement == "G05-03" {
				return append(slices.Clone(effects), core.Record{Op: core.OpHold, ID: msg.Event.ID, Event: msg.Event})
			}
		}
		return effects
	})
}

// lettingIn takes every token, or none.
type lettingIn struct {
	core.Machine
	all bool
}

func (l lettingIn) Admits(instant.Instant, core.Token) policy.Ruling {
	if l.all {
		return policy.Ruling{Decision: policy.Accept}
	}
	return policy.Ruling{Decision: policy.Refuse}
}

var familyPlants = []familyPlant{
	{"INV-42 copied-from-place", "contributors", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if c, is := e.(core.CopyObjects); is && c.From.IsContribution() {
				c.OIDs = append(slices.Clone(c.OIDs), "1111111111111111111111111111111111111111")
				return []core.Effect{c}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-42 contributed-by-nobody", "contributors", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if u, is := e.(core.UpdateRefs); is && u.Repo.IsContribution() {
				u.Commands = slices.Clone(u.Commands)
				u.Commands[0].New = "1111111111111111111111111111111111111111"
				return []core.Effect{u}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-42 admitted-beside", "contributors", func() sim.Options {
		return effects(func(in core.Input, effects []core.Effect) []core.Effect {
			asked, is := in.(core.PushAsked)
			other := func(c gitproto.Command) bool { _, named := repo.PullRequestOf(c.Ref); return !named }
			if !is || !asked.Repo.IsContribution() || !slices.ContainsFunc(asked.Commands, other) {
				return effects
			}
			return []core.Effect{core.PushExpected{Push: asked.Push}}
		})
	}},
	{"INV-42 served-beside", "contributors", servingBehind},
	{"INV-42 window", "contributors", func() sim.Options {
		return sim.Options{Config: func(_ int, cfg *core.Config) { cfg.PlaceholderLife = 21 * time.Minute }}
	}},
	{"INV-42 gone-early", "contributors", placeMarks(func(m core.Mark) []core.Effect {
		return []core.Effect{placeMark(m), core.UpdateRefs{Request: 1 << 40, Repo: m.Repo, Commands: []gitproto.Command{
			{Ref: repo.PullRequestPrefix + m.Event, Old: "1111111111111111111111111111111111111111", New: repo.ZeroOID},
		}}}
	})},
	{"INV-42 stays", "contributors", placeMarks(func(core.Mark) []core.Effect { return nil })},
	{"INV-43 told-stranger", "members", func() sim.Options {
		return sim.Options{Config: func(_ int, cfg *core.Config) { cfg.Private.On = false }}
	}},
	{"INV-43 told-stranger", "members", func() sim.Options { // who was a member stays one
		return effects(func(in core.Input, effects []core.Effect) []core.Effect {
			if _, read := in.(core.MembersRead); !read {
				return effects
			}
			return append(slices.Clone(effects), core.Send{Conn: 1 << 40, Msg: relay.EOSE{Sub: "s"}})
		})
	}},
	{"INV-43 told-stranger", "members", func() sim.Options { // it says what there is in the words of a refusal
		return each(func(e core.Effect) []core.Effect {
			send, is := e.(core.Send)
			if closed, refused := send.Msg.(relay.Closed); is && refused {
				closed.Text = "blocked: no such repository"
				send.Msg = closed
				return []core.Effect{send}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-43 shown-to-stranger", "members", func() sim.Options {
		return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine { return lettingIn{m, true} }}
	}},
	{"INV-43 member-refused", "members", func() sim.Options {
		return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine { return lettingIn{m, false} }}
	}},
	{"INV-43 asked-outside", "members", func() sim.Options {
		return sim.Options{Config: func(_ int, cfg *core.Config) { // it syncs as a public service does
			if cfg.Private.On {
				cfg.Sync.Identity = false
			}
			cfg.Private.On = false
		}}
	}},
	{"INV-43 hunted-outside", "members", func() sim.Options {
		return hunting(func(_ *hunter, f core.StartFetch) []core.Effect {
			f.URL = "http://elsewhere.example/x.git"
			return []core.Effect{f}
		}, nil)()
	}},
	{"INV-44 kept-out-of-scope", "mirrors", holdingRefused},
	{"INV-44 made-out-of-scope", "mirrors", func() sim.Options {
		return effects(func(in core.Input, effects []core.Effect) []core.Effect {
			asked, is := in.(core.PushAsked)
			if !is {
				return effects
			}
			return append(slices.Clone(effects), core.CreateRepository{Request: 1 << 40, Repo: repo.ID{Owner: asked.Repo.Owner, Identifier: "other"}})
		})
	}},
	{"INV-44 push-taken", "mirrors", func() sim.Options {
		return sim.Options{Config: func(_ int, cfg *core.Config) { cfg.Archive.ReadOnly = false }}
	}},
}

// What the settings of the family are about has invariants of its own, and each of them is seen to fail.
func TestFamilyPlantsAreFound(t *testing.T) {
	broken := map[string]bool{}
	for _, p := range familyPlants {
		id := p.breaks[:len("INV-42")]
		broken[id] = true
		t.Run(p.breaks, func(t *testing.T) {
			t.Parallel()
			s := embedded(t, p.scenario)
			s.Invariants = []string{id}
			var last sim.Outcome
			for seed := range uint64(10) {
				last = run(t, s, seed, alone(p.opts()))
				if slices.ContainsFunc(last.Violations, func(v invariant.Violation) bool { return v.String() == p.breaks }) {
					return
				}
			}
			t.Errorf("10 seeds: got violations %v in the last, want %s", last.Violations, p.breaks)
		})
	}
	for _, id := range invariant.FamilyIDs() {
		if !broken[id] {
			t.Errorf("invariant %s is never seen to fail", id)
		}
	}
}

// This is what the scenario of contributors has to exercise, or it proves nothing.
func TestContributorsExercise(t *testing.T) {
	s := embedded(t, "contributors")
	released, copied, expired := 0, 0, 0
	for seed := range uint64(4) {
		o := run(t, s, seed, sim.Options{})
		held(t, o)
		released, copied, expired = released+o.Fact("event_released"), copied+o.Fact("objects_copied"), expired+o.Fact("refs_expired")
		for _, c := range o.Checked {
			if c.Name == "INV-42" && c.N < 40 {
				t.Errorf("%s: INV-42 was put to the test %d times, want many", o.Reproduce, c.N)
			}
		}
	}
	if released == 0 || copied == 0 || expired == 0 {
		t.Errorf("got %d releases, %d copies and %d refs that went, want some of each", released, copied, expired)
	}
}

// An archive that is only read has what it archives from the others alone, and takes no push.
func TestMirrorsExercise(t *testing.T) {
	s := embedded(t, "mirrors")
	released, refused := 0, 0
	for seed := range uint64(3) {
		taken := 0
		o := run(t, s, seed, sim.Options{Sink: func(r trace.Record) {
			if r.Host != "server2" {
				return
			}
			switch r.Fact {
			case "event_released":
				released++
			case "push_refused":
				refused++
			case "push_admitted":
				taken++
			}
		}})
		held(t, o)
		if taken > 0 {
			t.Errorf("%s: server2 took %d pushes, want none", o.Reproduce, taken)
		}
	}
	if released == 0 || refused == 0 {
		t.Errorf("server2 released %d events and refused %d pushes, want some of each", released, refused)
	}
}

// Members are served and nobody else is, and two private services have what the other one has.
func TestMembersExercise(t *testing.T) {
	s := embedded(t, "members")
	released, gave, tokens, changed, strangers := 0, 0, 0, 0, 0
	for seed := range uint64(2) {
		o := run(t, s, seed, sim.Options{Sink: func(r trace.Record) {
			switch {
			case r.Host == "server2" && r.Fact == "event_released":
				released++
			case r.Host == "server2" && r.Fact == "peer_gave":
				gave++
			case r.Fact == "authentication_refused" && r.Requirement == "G08-03":
				strangers++
			}
		}})
		held(t, o)
		tokens, changed = tokens+o.Fact("token_refused"), changed+o.Fact("members_changed")
	}
	if released == 0 || gave == 0 || tokens == 0 || changed == 0 || strangers == 0 {
		t.Errorf("got %d releases and %d events of the other one at server2, %d wrong tokens, %d new lists and %d strangers, want some of each",
			released, gave, tokens, changed, strangers)
	}
}
