package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
)

// puppet is a machine that answers message n with the effects of script n, and every other input with none.
type puppet struct {
	core.Machine // nil: nobody asks for a repository's page

	script [][]core.Effect
	given  []string
}

func (p *puppet) Step(_ instant.Instant, in core.Input, out *core.Effects) {
	p.given = append(p.given, fmt.Sprintf("%T", in))
	if m, ok := in.(core.Message); ok {
		out.List = append(out.List, p.script[m.Conn]...)
	}
}

func (p *puppet) Deadline() (instant.Instant, bool) { return 0, false }
func (p *puppet) Idle() bool                        { return true }
func (p *puppet) Settled(repo.ID) bool              { return true }
func (p *puppet) Relays(instant.Instant) (core.RelaysReport, bool) {
	return core.RelaysReport{}, false
}

// clients writes down what a host sends, and how much the journal held by then.
type clients struct {
	host  *sim.Host
	lines []string
}

func (c *clients) add(what string) {
	c.lines = append(c.lines, fmt.Sprintf("%s with %d stored", what, len(c.host.Journal.Stored())))
}

func (c *clients) Sent(_ instant.Instant, _ core.ConnID, msg relay.ServerMessage) {
	c.add(msg.(relay.Notice).Text)
}
func (c *clients) Closed(instant.Instant, core.ConnID)                     { c.add("closed") }
func (c *clients) PushExpected(instant.Instant, core.PushID)               { c.add("expected") }
func (c *clients) PushAdmitted(instant.Instant, core.PushID)               { c.add("admitted") }
func (c *clients) PushRefused(instant.Instant, core.PushID, policy.Ruling) { c.add("refused") }

func say(text string) core.Effect { return core.Send{Conn: 1, Msg: relay.Notice{Text: text}} }

func store(id string) core.Effect {
	return core.Record{Op: core.OpStore, ID: id, Event: &nostr.Event{ID: id}}
}

func newHost(script [][]core.Effect, delays sim.Delays) (*sim.Engine, *sim.Host, *clients, *puppet) {
	e := sim.NewEngine(1, 0)
	h := sim.NewHost("host", e, 1, delays)
	c, p := &clients{host: h}, &puppet{script: script}
	h.Machine, h.Clients, h.Git = p, c, sim.NewModel()
	return e, h, c, p
}

var durability = [][]core.Effect{
	{say("plain")},
	{store("a"), say("a kept"), store("b")},
	{say("after a and b")},
	{store("c"), core.CloseConn{Conn: 1}},
}

func TestEffectsWaitForTheirRecords(t *testing.T) {
	e, h, c, _ := newHost(durability, sim.Delays{Journal: time.Second})
	for n := range durability {
		h.Step(0, core.Message{Conn: core.ConnID(n)})
	}
	if diff := cmp.Diff([]string{"plain with 0 stored"}, c.lines); diff != "" {
		t.Fatalf("before the journal is durable (-want +got):\n%s", diff)
	}
	if h.Idle() {
		t.Error("got an idle host, want one that waits for its journal")
	}
	e.Settle()
	want := []string{"plain with 0 stored", "a kept with 2 stored", "after a and b with 3 stored", "closed with 3 stored"}
	if diff := cmp.Diff(want, c.lines); diff != "" {
		t.Errorf("in the end (-want +got):\n%s", diff)
	}
	if !h.Idle() {
		t.Error("got a host that waits, want an idle one")
	}
}

func TestCrashLosesWhatIsNotDurable(t *testing.T) {
	e, h, c, p := newHost([][]core.Effect{{store("a"), say("a kept")}}, sim.Delays{Journal: time.Second})
	h.Step(0, core.Message{})
	h.Crash()
	e.Settle()
	h.Step(e.Now(), core.Message{})
	if len(c.lines) > 0 || len(h.Journal.Stored()) > 0 || len(p.given) != 1 {
		t.Errorf("after the crash: got %v, %d stored, inputs %v, want nothing more", c.lines, len(h.Journal.Stored()), p.given)
	}
}

func TestOneServerOnOneJournal(t *testing.T) {
	e, h, c, p := newHost(nil, sim.Delays{})
	start := func(journal *core.Survivors) (told any) {
		next := sim.NewHost("next", e, 2, sim.Delays{})
		next.Machine, next.Clients, next.Git, next.Journal = p, c, sim.NewModel(), journal
		defer func() { told = recover() }()
		next.Start(e.Now(), nil)
		next.Crash()
		return nil
	}
	h.Start(e.Now(), nil)
	if told := start(core.NewSurvivors()); told != nil {
		t.Errorf("on a journal of its own: got %v", told)
	}
	if told := start(h.Journal); told == nil {
		t.Error("on the journal of a server that lives: got a start, want a panic")
	}
	h.Crash()
	if told := start(h.Journal); told != nil {
		t.Errorf("after its crash: got %v", told)
	}
}

func TestOrdersAreAnsweredOnceAndLater(t *testing.T) {
	id := repo.ID{Owner: "o", Identifier: "i"}
	e, h, _, p := newHost([][]core.Effect{{
		core.CreateRepository{Request: 1, Repo: id},
		core.UpdateRefs{Request: 2, Repo: id},
		core.AskObjects{Request: 3, Repo: id},
		core.RemoveRepository{Request: 4, Repo: id},
		core.PushAdmitted{Push: 1},
	}}, sim.Delays{Order: time.Second})
	h.Step(0, core.Message{})
	if len(p.given) != 1 {
		t.Fatalf("got inputs %v, want the message alone: no step runs inside another", p.given)
	}
	e.Settle()
	count := map[string]int{}
	for _, in := range p.given {
		count[in]++
	}
	want := map[string]int{"core.Message": 1, "core.RepositoryDone": 3, "core.ObjectFacts": 1}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
}
