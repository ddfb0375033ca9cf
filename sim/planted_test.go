package sim_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
)

// doctored is a core whose effects are changed on their way out.
type doctored struct {
	core.Machine
	change func(in core.Input, effects []core.Effect) []core.Effect
}

func (d *doctored) Step(now instant.Instant, in core.Input, out *core.Effects) {
	var own core.Effects
	d.Machine.Step(now, in, &own)
	out.List = append(out.List, d.change(in, own.List)...)
}

// effects is a plant that changes the effects of every step.
func effects(change func(in core.Input, effects []core.Effect) []core.Effect) sim.Options {
	return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine { return &doctored{m, change} }}
}

// each is a plant that replaces every effect by others.
func each(change func(e core.Effect) []core.Effect) sim.Options {
	return effects(func(_ core.Input, effects []core.Effect) []core.Effect {
		var out []core.Effect
		for _, e := range effects {
			out = append(out, change(e)...)
		}
		return out
	})
}

// records is a plant that replaces every journal record of one operation by others.
func records(op core.Op, change func(r core.Record) []core.Effect) sim.Options {
	return each(func(e core.Effect) []core.Effect {
		if r, ok := e.(core.Record); ok && r.Op == op {
			return change(r)
		}
		return []core.Effect{e}
	})
}

// A plant is a mistake with what it breaks.
type plant struct {
	breaks string
	opts   func() sim.Options
}

// An invariant that has never been seen to fail may be unable to. Every one is broken here, in every way that it knows.
var plants = []plant{
	{"INV-01 served-without-data", func() sim.Options {
		return records(core.OpHold, func(r core.Record) []core.Effect {
			if r.Event.Kind == 30617 {
				return []core.Effect{core.Record{Op: core.OpStore, ID: r.ID, Event: r.Event}}
			}
			return []core.Effect{r}
		})
	}},
	{"INV-01 pull-request-without-commit", func() sim.Options {
		return records(core.OpHold, func(r core.Record) []core.Effect {
			if r.Event.Kind == repo.KindPullRequest {
				return []core.Effect{core.Record{Op: core.OpStore, ID: r.ID, Event: r.Event}}
			}
			return []core.Effect{r}
		})
	}},
	{"INV-01 pull-request-ref-lost", func() sim.Options {
		return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine { return &losing{m, ordersOfOurs} }}
	}},
	{"INV-02 head-elsewhere", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if u, ok := e.(core.UpdateRefs); ok && u.Head != "" {
				u.Head = "refs/heads/elsewhere"
				return []core.Effect{u}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-02 not-aligned", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if u, ok := e.(core.UpdateRefs); ok && len(u.Commands) > 0 {
				u.Commands = u.Commands[1:]
				return []core.Effect{u}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-02 not-aligned", func() sim.Options { // of siblings
		return each(func(e core.Effect) []core.Effect {
			if c, ok := e.(core.CopyObjects); ok {
				c.From = repo.ID{}
				return []core.Effect{c}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-02 complete-and-held", func() sim.Options {
		return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine { return &blind{m, map[core.RequestID][]repo.OID{}} }}
	}},
	{"INV-03 unserved-event-sent", func() sim.Options {
		return records(core.OpHold, func(r core.Record) []core.Effect {
			return []core.Effect{r, core.Send{Conn: 1, Msg: relay.EventFor{Sub: "s", Event: r.Event}}}
		})
	}},
	{"INV-03 refused-kept", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if s, ok := e.(core.Send); ok {
				if answer, ok := s.Msg.(relay.OK); ok {
					answer.Accepted = false
					return []core.Effect{core.Send{Conn: s.Conn, Msg: answer}}
				}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-04 copied-unasked", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if c, ok := e.(core.CopyObjects); ok {
				c.OIDs = append(slices.Clone(c.OIDs), repo.OID(strings.Repeat("5", 40)))
				return []core.Effect{c}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-04 moved-unasked", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if u, ok := e.(core.UpdateRefs); ok && len(u.Commands) > 0 {
				u.Commands = slices.Clone(u.Commands)
				u.Commands[0].New = repo.OID(strings.Repeat("5", 40))
				return []core.Effect{u}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-05 store-went-back", func() sim.Options {
		kept := map[string]*nostr.Event{}
		return each(func(e core.Effect) []core.Effect {
			r, ok := e.(core.Record)
			if ok && r.Event != nil {
				kept[r.ID] = r.Event
			}
			if ok && r.Op == core.OpUnstore {
				return []core.Effect{r, core.Record{Op: core.OpStore, ID: r.ID, Event: kept[r.ID]}}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-05 purgatory-went-back", func() sim.Options {
		last := map[string]core.Record{}
		return records(core.OpHold, func(r core.Record) []core.Effect {
			old, known := last[r.Event.PubKey]
			if r.Event.Kind != 30617 {
				return []core.Effect{r}
			}
			last[r.Event.PubKey] = r
			if !known || old.ID == r.ID {
				return []core.Effect{r}
			}
			return []core.Effect{r, old}
		})
	}},
	{"INV-10 accepted-vanished", func() sim.Options {
		return records(core.OpHold, func(core.Record) []core.Effect { return nil })
	}},
	{"INV-10 kept-vanished", func() sim.Options {
		return records(core.OpHold, func(r core.Record) []core.Effect {
			return []core.Effect{r, core.Record{Op: core.OpDrop, ID: r.ID}}
		})
	}},
	{"INV-11 deadline-too-late", func() sim.Options {
		return records(core.OpHold, func(r core.Record) []core.Effect {
			r.Deadline = r.Deadline.Add(time.Second)
			return []core.Effect{r}
		})
	}},
	{"INV-11 held-too-long", func() sim.Options {
		return records(core.OpDrop, func(core.Record) []core.Effect { return nil })
	}},
	{"INV-16 served-repository-removed", func() sim.Options {
		return effects(func(in core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				if n, ok := e.(core.Note); ok && n.Fact == core.EventReleased && n.Kind == 30617 {
					return append(effects, core.RemoveRepository{Request: 1 << 40, Repo: n.Repo})
				}
			}
			return effects
		})
	}},
	{"INV-20 admitted-undeclared", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if r, ok := e.(core.PushRefused); ok {
				return []core.Effect{core.PushAdmitted{Push: r.Push}}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-20 refused-declared", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if a, ok := e.(core.PushAdmitted); ok {
				return []core.Effect{core.PushRefused{Push: a.Push}}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-20 unanswered", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if _, ok := e.(core.PushRefused); ok {
				return nil
			}
			return []core.Effect{e}
		})
	}},
	{"INV-21 admitted-outside", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if r, ok := e.(core.PushRefused); ok && r.Ruling.Requirement == "G01-PUSH-17" {
				return []core.Effect{core.PushAdmitted{Push: r.Push}}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-21 moved-outside", func() sim.Options {
		return sim.Options{Report: func(_ int, done core.PushDone) core.PushDone {
			done.Report.Results = append(slices.Clone(done.Report.Results), gitstore.Result{Ref: "refs/meta/config", OK: true})
			return done
		}}
	}},
	{"INV-24 misnamed", func() sim.Options {
		misnamed := false
		return each(func(e core.Effect) []core.Effect {
			u, ok := e.(core.UpdateRefs)
			if !ok || misnamed || len(u.Commands) == 0 || u.Commands[0].New.IsZero() {
				return []core.Effect{e}
			}
			misnamed = true
			u.Commands = append(slices.Clone(u.Commands), gitproto.Command{Old: repo.ZeroOID, New: u.Commands[0].New, Ref: "refs/nostr/main"})
			return []core.Effect{u}
		})
	}},
	{"PANIC core", func() sim.Options {
		return effects(func(in core.Input, effects []core.Effect) []core.Effect {
			if _, ok := in.(core.PushDone); ok {
				panic("core: invariant: planted")
			}
			return effects
		})
	}},
}

// blind is a core that is told that every object is missing.
type blind struct {
	core.Machine
	asked map[core.RequestID][]repo.OID
}

func (b *blind) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if facts, ok := in.(core.ObjectFacts); ok {
		facts.Missing = b.asked[facts.Request]
		in = facts
	}
	b.Machine.Step(now, in, out)
	for _, e := range out.List {
		if ask, ok := e.(core.AskObjects); ok {
			b.asked[ask.Request] = ask.OIDs
		}
	}
}

// losing is a core that takes the ref of a pull request away as soon as that is served, and knows nothing of it.
type losing struct {
	core.Machine
	request core.RequestID
}

// ordersOfOurs are the numbers from which the orders of plants count.
const ordersOfOurs core.RequestID = 1 << 40

func (l *losing) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if done, ok := in.(core.RepositoryDone); ok && done.Request > ordersOfOurs {
		return
	}
	var own core.Effects
	l.Machine.Step(now, in, &own)
	out.List = append(out.List, own.List...)
	for _, e := range own.List {
		r, ok := e.(core.Record)
		if !ok || r.Op != core.OpStore {
			continue
		}
		if pr, reason := repo.ParsePullRequest(r.Event); reason == "" {
			l.request++
			commands := []gitproto.Command{{Old: pr.Commit, New: repo.ZeroOID, Ref: pr.Ref()}}
			out.List = append(out.List, core.UpdateRefs{Request: l.request, Repo: pr.Repos[0], Commands: commands})
		}
	}
}

// alone leaves an invariant without the model, which would end the run before it.
func alone(opts sim.Options) sim.Options {
	opts.Alone = true
	return opts
}

func TestEveryInvariantCanFail(t *testing.T) {
	broken := map[string]bool{}
	for _, p := range slices.Concat(plants, deletionPlants, gitPlants) {
		id, _, _ := strings.Cut(p.breaks, " ")
		broken[id] = true
		t.Run(p.breaks, func(t *testing.T) {
			t.Parallel()
			s := first(t)
			s.Invariants = []string{id}
			found := func(o sim.Outcome) bool {
				return slices.ContainsFunc(o.Violations, func(v invariant.Violation) bool { return v.String() == p.breaks })
			}
			seed := uint64(1)
			o := run(t, s, seed, alone(p.opts()))
			for ; !found(o) && seed < 10; seed++ {
				o = run(t, s, seed+1, alone(p.opts()))
			}
			if !found(o) {
				t.Fatalf("10 seeds: got violations %v in the last, want %s", o.Violations, p.breaks)
			}
			if again := run(t, s, seed, alone(p.opts())); again.Trace != o.Trace || again.Violations[0].Detail != o.Violations[0].Detail {
				t.Errorf("%s: got %v the second time, want %v", o.Reproduce, again.Violations, o.Violations)
			}
			if id == "PANIC" {
				return
			}
			s.Invariants = []string{}
			if o := run(t, s, seed, alone(p.opts())); slices.ContainsFunc(o.Violations, func(v invariant.Violation) bool { return v.ID == id }) {
				t.Errorf("without the invariant: got violations %v, want none of %s", o.Violations, id)
			}
		})
	}
	for _, id := range invariant.IDs() {
		if !broken[id] {
			t.Errorf("invariant %s is never seen to fail", id)
		}
	}
}

// What the simulator does wrong itself is an error, not a verdict on the server.
func TestOwnPanicIsAnError(t *testing.T) {
	_, err := sim.Run(short(t), 1, effects(func(core.Input, []core.Effect) []core.Effect {
		panic("sim: invariant: planted")
	}))
	if err == nil || !strings.Contains(err.Error(), "planted") {
		t.Errorf("got error %v, want the text of the panic", err)
	}
}
