package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
)

// A gauge watches how much of a limit is used when something comes that it is about, by the account of the records alone, and
// what is refused for it.
type gauge struct {
	core.Machine
	op      core.Op       // what comes
	mark    core.MarkKind // of OpMark
	use     func(*gauge) int
	kept    *core.Survivors
	known   map[string]bool // what is there, or has been
	revived map[string]bool // announcements that are back from their second phase: they keep nobody out, and nobody them
	most    int
	refused map[string]int // by the reason
}

func (g *gauge) Step(now instant.Instant, in core.Input, out *core.Effects) {
	before := len(out.List)
	g.Machine.Step(now, in, out)
	if started, is := in.(core.Started); is { // what survived
		for _, ev := range started.Stored {
			g.apply(core.Record{Op: core.OpStore, ID: ev.ID, Event: ev})
		}
		for _, h := range started.Held {
			g.apply(core.Record{Op: core.OpHold, ID: h.Event.ID, Event: h.Event, Arrived: h.Arrived, Deadline: h.Deadline, Soft: h.Soft})
			g.revived[h.Event.ID] = h.Event.Kind == repo.KindAnnouncement // it may be
		}
		for _, m := range started.Marks {
			g.apply(core.Record{Op: core.OpMark, Mark: m})
		}
	}
	_, pushed := in.(core.PushDone)
	comes, former := false, false
	for _, e := range out.List[before:] {
		switch e := e.(type) {
		case core.Record:
			if e.Op == core.OpHold && former && !g.known[e.ID] {
				g.revived[e.ID] = true // a newer version of one
			}
			former = e.Op == core.OpDrop && g.revived[e.ID]
			// A ref that loses its event has a clock as well, however many there are.
			comes = g.apply(e) && e.Op == g.op && e.Mark.Kind == g.mark && (g.mark != core.MarkPlaceholder || pushed) || comes
		case core.Note:
			if e.Fact == core.EventRevived {
				g.revived[e.Event] = true
			}
		case core.Send:
			if ok, is := e.Msg.(relay.OK); is && !ok.Accepted {
				g.refused[ok.Text]++
			}
		case core.SearchEvents:
			g.refused["looked for outside"]++
		case core.PushRefused:
			g.refused[e.Ruling.Reason]++
		}
	}
	if comes {
		g.most = max(g.most, g.use(g))
	}
}

// apply reports whether a record is about something new.
func (g *gauge) apply(r core.Record) bool {
	g.kept.Apply(r)
	name := r.ID
	if r.Op == core.OpMark || r.Op == core.OpUnmark {
		name = r.Mark.Name()
	}
	known := g.known[name]
	g.known[name] = r.Op != core.OpUnmark && r.Op != core.OpDrop
	return !known || r.Op == core.OpStore
}

func (g *gauge) held(weigh func(core.HeldEvent) int) (all, ofOne int) {
	by := map[string]int{}
	for _, h := range g.kept.Held() {
		if !h.Soft && !g.revived[h.Event.ID] {
			all += weigh(h)
			by[h.Event.PubKey] += weigh(h)
			ofOne = max(ofOne, by[h.Event.PubKey])
		}
	}
	return all, ofOne
}

func (g *gauge) marks() (n int) {
	for _, m := range g.kept.Marks() {
		if m.Kind == g.mark {
			n++
		}
	}
	return n
}

// Every limit of what a server keeps is reached, to the last place, and holds; what comes beyond is refused with the reason,
// and no invariant breaks over it, through crashes: nothing that was acknowledged goes (INV-10).
func TestEveryLimitIsReached(t *testing.T) {
	one := func(core.HeldEvent) int { return 1 }
	size := func(h core.HeldEvent) int { return repo.Size(h.Event) }
	for name, c := range map[string]struct {
		limit  func(*scenarios.Constants)
		op     core.Op
		mark   core.MarkKind
		use    func(*gauge) int
		max    int
		slack  int // what it need not reach: events are not small, and what waits in purgatory has its room
		reason string
	}{
		"held": {
			func(k *scenarios.Constants) { k.HeldMax = 6 },
			core.OpHold, 0, func(g *gauge) int { n, _ := g.held(one); return n }, 6, 0, "too many events wait for git data",
		},
		"held of one author": {
			func(k *scenarios.Constants) { k.HeldPerKeyMax = 3 },
			core.OpHold, 0, func(g *gauge) int { _, n := g.held(one); return n }, 3, 0, "too many events of this author wait for git data",
		},
		"bytes held": {
			func(k *scenarios.Constants) { k.HeldBytesMax = 4_000 },
			core.OpHold, 0, func(g *gauge) int { n, _ := g.held(size); return n }, 4_000, 1_000, "the events that wait for git data are too large",
		},
		"bytes held of one author": {
			func(k *scenarios.Constants) { k.HeldBytesPerKeyMax = 2_000 },
			core.OpHold, 0, func(g *gauge) int { _, n := g.held(size); return n }, 2_000, 1_000, "the events of this author that wait for git data are too large",
		},
		"stored": {
			func(k *scenarios.Constants) { k.StoredMax = 20 },
			core.OpStore, 0, func(g *gauge) int { return len(g.kept.Stored()) }, 20, 4, "the event store is full",
		},
		"bytes stored": {
			func(k *scenarios.Constants) { k.StoredBytesMax = 12_000 },
			core.OpStore, 0, func(g *gauge) int {
				n := 0
				for _, ev := range g.kept.Stored() {
					n += repo.Size(ev)
				}
				return n
			}, 12_000, 3_000, "the event store is full",
		},
		"refs without an event": {
			func(k *scenarios.Constants) { k.PlaceholdersMax = 2 },
			core.OpMark, core.MarkPlaceholder, func(g *gauge) int { return g.marks() }, 2, 0, "too many pull request refs wait for their events",
		},
		"expired ids": {
			func(k *scenarios.Constants) { k.ExpiredMax = 3 },
			core.OpMark, core.MarkExpired, func(g *gauge) int { return g.marks() }, 3, 0, "", // the oldest is forgotten
		},
		"questions in a step": {
			func(k *scenarios.Constants) { k.SearchAtOnce = 1 }, 0, 0, func(*gauge) int { return 0 }, 0, 0, "looked for outside",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := first(t)
			c.limit(&s.Constants)
			reached, refused := false, map[string]int{}
			for seed := uint64(1); seed <= 5; seed++ {
				var gauges []*gauge
				o := run(t, s, seed, sim.Options{Wrap: func(_ int, m core.Machine) core.Machine {
					g := &gauge{
						Machine: m, op: c.op, mark: c.mark, use: c.use, kept: core.NewSurvivors(),
						known: map[string]bool{}, revived: map[string]bool{}, refused: refused,
					}
					gauges = append(gauges, g)
					return g
				}})
				held(t, o)
				for _, g := range gauges {
					if g.most > c.max {
						t.Errorf("seed %d: got %d, want %d at most", seed, g.most, c.max)
					}
					reached = reached || g.most >= c.max-c.slack
				}
			}
			if !reached {
				t.Errorf("the limit of %d was never reached", c.max)
			}
			said := false
			for reason := range refused {
				said = said || strings.Contains(reason, c.reason)
			}
			if !said {
				t.Errorf("nothing was refused for it, but for %s", fmt.Sprint(refused))
			}
		})
	}
}
