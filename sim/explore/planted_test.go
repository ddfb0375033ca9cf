package explore_test

import (
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/explore"
)

// What a search would find, if it were so: each mistake by the family for it, by the shortest history that leads to it.
func TestPlantedMistakesAreFound(t *testing.T) {
	for _, c := range []struct {
		mistake, family, breaks string
		moves                   int
		wrap                    func(core.Machine) core.Machine
	}{
		{
			"an answer leaves before what it promises is durable", "first-push", "INV-10 accepted-vanished", 3,
			func(m core.Machine) core.Machine { return &hasty{Machine: m} },
		},
		{
			"a start asks git nothing", "first-push", "G01-PURG-07 model-not-released", 14,
			func(m core.Machine) core.Machine { return &incurious{Machine: m} },
		},
		{
			"deadlines are forgotten", "deadline", "INV-11 held-too-long", 5,
			func(m core.Machine) core.Machine { return &timeless{Machine: m} },
		},
		{
			"a push of two refs is too much", "second-push", "PANIC panic", 1,
			func(m core.Machine) core.Machine { return &brittle{m, 1} },
		},
		{
			"a push is too much, before anything is looked at", "delete-state", "PANIC panic", 0,
			func(m core.Machine) core.Machine { return &brittle{m, 0} },
		},
		{
			"whoever declares first is heard alone", "one-second", "N01-EV-01 model-late-answer", 2,
			func(m core.Machine) core.Machine { return &faithful{Machine: m} },
		},
	} {
		t.Run(c.mistake, func(t *testing.T) {
			f := family(t, c.family)
			f.Wrap = c.wrap
			r := explore.Explore(f, explore.Options{})
			if r.Failure == nil {
				t.Fatalf("got nothing in %d states, want %s", r.States, c.breaks)
			}
			if got := r.Failure.Violations[0].String(); got != c.breaks || len(r.Failure.Moves) != c.moves || !r.Failure.Shortest {
				t.Errorf("got %s after %d moves, shortest %t; want %s after %d:\n%s", got, len(r.Failure.Moves), r.Failure.Shortest,
					c.breaks, c.moves, strings.Join(r.Failure.Lines, "\n"))
			}
		})
	}
}

// That the order must not matter is found without the model too, which asks for more.
func TestAnOrderThatMattersIsFound(t *testing.T) {
	f := family(t, "one-second")
	f.Wrap = func(m core.Machine) core.Machine { return &faithful{Machine: m} }
	r := explore.Explore(f, explore.Options{Alone: true})
	if r.Failure == nil || r.Failure.Violations[0].String() != "ORDER order-matters" || len(r.Failure.Moves) != 7 || !r.Failure.Shortest {
		t.Errorf("got %+v, want that the order matters after 7 moves", r.Failure)
	}
}

func family(t *testing.T, name string) explore.Family {
	t.Helper()
	for _, f := range explore.Families() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no family %s", name)
	return explore.Family{}
}

// hasty records what it holds one step after it has answered.
type hasty struct {
	core.Machine
	late []core.Effect
}

func (h *hasty) Step(now instant.Instant, in core.Input, out *core.Effects) {
	out.List = append(out.List, h.late...)
	h.late = nil
	var own core.Effects
	h.Machine.Step(now, in, &own)
	for _, e := range own.List {
		if r, is := e.(core.Record); is && r.Op == core.OpHold {
			h.late = append(h.late, e)
			continue
		}
		out.List = append(out.List, e)
	}
}

// incurious is a core that is told, until the first client comes, that git has nothing.
type incurious struct {
	core.Machine
	asked  map[core.RequestID][]repo.OID
	opened bool
}

func (c *incurious) Step(now instant.Instant, in core.Input, out *core.Effects) {
	switch x := in.(type) {
	case core.ConnOpened:
		c.opened = true
	case core.ObjectFacts:
		if oids, is := c.asked[x.Request]; is {
			x.Missing = oids
			in = x
		}
	}
	c.Machine.Step(now, in, out)
	for _, e := range out.List {
		if ask, is := e.(core.AskObjects); is && !c.opened {
			if c.asked == nil {
				c.asked = map[core.RequestID][]repo.OID{}
			}
			c.asked[ask.Request] = ask.OIDs
		}
	}
}

// timeless is a core that lets nothing go whose time is over.
type timeless struct{ core.Machine }

func (x *timeless) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if _, fired := in.(core.TimerFired); !fired {
		x.Machine.Step(now, in, out)
		return
	}
	var own core.Effects
	x.Machine.Step(now, in, &own)
	for _, e := range own.List {
		if r, is := e.(core.Record); !is || r.Op != core.OpDrop && r.Op != core.OpHold {
			out.List = append(out.List, e)
		}
	}
}

// brittle falls over a push of more refs than it bears.
type brittle struct {
	core.Machine
	bears int
}

func (b *brittle) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if asked, is := in.(core.PushAsked); is && len(asked.Commands) > b.bears {
		panic("too many commands")
	}
	b.Machine.Step(now, in, out)
}

// faithful refuses states of whoever was not the first to declare anything.
type faithful struct {
	core.Machine
	first string
}

func (f *faithful) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if m, is := in.(core.Message); is {
		if ev, is := m.Msg.(relay.Event); is && ev.Event.Kind == repo.KindState {
			if f.first == "" {
				f.first = ev.Event.PubKey
			}
			if f.first != ev.Event.PubKey {
				m.SigOK = false
				in = m
			}
		}
	}
	f.Machine.Step(now, in, out)
}
