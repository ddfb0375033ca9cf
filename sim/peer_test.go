package sim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/network"
)

// echo is a relay that answers each message with a notice.
type echo struct {
	down  bool
	lines []*sim.Line
	said  []string
	left  int
	ended int // connections that it has ended itself
}

func (e *echo) Name() string { return "far" }

func (e *echo) Takes() (takes, answers bool) { return !e.down, true }

func (e *echo) Opened(_ instant.Instant, l *sim.Line) {
	l.Conn = core.ConnID(len(e.lines))
	e.lines = append(e.lines, l)
}

func (e *echo) Heard(now instant.Instant, l *sim.Line, msg relay.ClientMessage) {
	text := msg.(relay.Close).Sub
	e.said = append(e.said, text)
	l.Say(now, relay.Notice{Text: text})
}

func (e *echo) Left(_ instant.Instant, l *sim.Line) {
	e.left++
	e.lines[l.Conn] = nil
}

// call is what a server has heard of one connection.
type call struct {
	opened bool
	heard  []string
	closed []core.PeerFailure
	after  int // what came behind the end
	at     instant.Instant
}

func (c *call) hears(now instant.Instant, in core.Input) {
	c.at = now
	if len(c.closed) > 0 {
		c.after++
	}
	switch in := in.(type) {
	case core.PeerOpened:
		c.opened = true
	case core.PeerSaid:
		c.heard = append(c.heard, in.Msg.(relay.Notice).Text)
	case core.PeerClosed:
		c.closed = append(c.closed, in.Failure)
	}
}

// exchange is an engine with a network between the nodes "near" and "far".
type exchange struct {
	*sim.Engine
	net   *network.Network
	lines *sim.Lines
	far   *echo
}

func newExchange(seed uint64, link network.Link) *exchange {
	x := &exchange{Engine: sim.NewEngine(seed, 0), net: network.New(seed, link), far: &echo{}}
	x.lines = sim.NewLines(x.Engine, x.net, seed, "near", 1)
	x.lines.Locate = func(url string) (sim.Relay, core.PeerFailure) {
		if url != "ws://far" {
			return nil, replicate.NoName
		}
		return x.far, replicate.NoFailure
	}
	return x
}

func (x *exchange) dial(id core.PeerID, url string) *call {
	c := &call{}
	x.lines.Dial(x.Now(), core.DialPeer{Peer: id, URL: url}, c.hears)
	return c
}

func (x *exchange) say(id core.PeerID, text string) {
	x.lines.Say(x.Now(), core.SendPeer{Peer: id, Msg: relay.Close{Sub: text}})
}

// cut lets nothing pass for a while from now on, and has the connections notice as a world does.
func (x *exchange) cut(length time.Duration) {
	for _, way := range [][2]string{{"near", "far"}, {"far", "near"}} {
		x.net.Cut(network.Cut{From: way[:1], To: way[1:], Since: x.Now(), Until: x.Now().Add(length)})
	}
	x.At(x.Now().Add(network.StreamPatience), 1, withers{x})
}

type withers struct{ *exchange }

func (w withers) Run(now instant.Instant) { w.lines.Wither(now) }

func (x *exchange) pass(d time.Duration) { x.RunUntil(x.Now().Add(d)) }

// However links lose and whoever ends what when: of each attempt there is one end, nothing behind it, and what came before is
// the beginning of what was said, in order. No far end is left with a connection that nobody has.
func TestConnectionsEndOnceAndKeepOrder(t *testing.T) {
	ends := map[core.PeerFailure]int{}
	for seed := range uint64(300) {
		x := newExchange(seed, network.Link{
			Latency: 20 * time.Millisecond, Jitter: 500 * time.Millisecond, Tail: 50_000, TailDelay: time.Second, Loss: 100_000, Duplicate: 100_000,
		})
		key := kernel.NewKey(seed, "test")
		var calls []*call
		said := map[int][]string{}
		for step := range uint64(120) {
			draw := key.With(step)
			id := core.PeerID(len(calls))
			switch {
			case step == 0 || draw.Below(20) == 0:
				calls = append(calls, x.dial(id+1, "ws://far"))
			case draw.Below(60) == 1:
				x.lines.HangUp(x.Now(), id)
			case draw.Below(60) == 2:
				x.cut(time.Duration(draw.With(1).Below(int64(5 * time.Minute))))
			case draw.Below(60) == 3:
				x.far.down = !x.far.down
				for i, l := range x.far.lines {
					if x.far.down && l != nil {
						x.far.ended++
						x.far.lines[i] = nil
						l.Crash(x.Now())
					}
				}
			case draw.Below(60) == 4:
				if n := len(x.far.lines); n > 0 && x.far.lines[n-1] != nil {
					x.far.lines[n-1].Close(x.Now())
					x.far.lines[n-1] = nil
					x.far.ended++
				}
			default:
				if c := calls[id-1]; c.opened && len(c.closed) == 0 {
					text := fmt.Sprint(id, "/", step)
					said[int(id)] = append(said[int(id)], text)
					x.say(id, text)
				}
			}
			x.pass(time.Duration(draw.With(2).Below(int64(5 * time.Second))))
		}
		for id := range calls {
			x.lines.HangUp(x.Now(), core.PeerID(id+1))
		}
		x.pass(10 * time.Minute)
		for i, c := range calls {
			if len(c.closed) != 1 || c.after > 0 {
				t.Fatalf("seed %d: attempt %d: got %d ends and %d inputs behind one", seed, i+1, len(c.closed), c.after)
			}
			ends[c.closed[0]]++
			if words := said[i+1]; len(c.heard) > len(words) || !slices.Equal(c.heard, words[:len(c.heard)]) {
				t.Fatalf("seed %d: attempt %d: got %q, want the beginning of %q", seed, i+1, c.heard, words)
			}
		}
		if open := len(x.far.lines) - x.far.left - x.far.ended; open != 0 {
			t.Fatalf("seed %d: got %d connections of %d at the far end that nobody has", seed, open, len(x.far.lines))
		}
	}
	for _, want := range []core.PeerFailure{replicate.NoFailure, replicate.Unreachable, replicate.TimedOut} {
		if ends[want] < 20 {
			t.Errorf("failure %d: got %d ends, want some", want, ends[want])
		}
	}
}

func TestDialing(t *testing.T) {
	x := newExchange(1, network.Link{Latency: time.Second})
	nobody, open := x.dial(1, "ws://nobody"), x.dial(2, "ws://far")
	x.pass(time.Minute)
	x.far.down = true
	refused := x.dial(3, "ws://far")
	x.pass(time.Minute)
	x.far.down = false
	x.cut(time.Hour)
	cut := x.dial(4, "ws://far")
	since := x.Now()
	x.pass(time.Minute)
	for _, test := range []struct {
		what string
		call *call
		want []core.PeerFailure
	}{
		{"a name of nobody", nobody, []core.PeerFailure{replicate.NoName}},
		{"a relay that is there", open, nil},
		{"a relay that is down", refused, []core.PeerFailure{replicate.Unreachable}},
		{"a relay that is cut off", cut, []core.PeerFailure{replicate.TimedOut}},
	} {
		if !slices.Equal(test.call.closed, test.want) || test.call.opened != (test.want == nil) {
			t.Errorf("%s: got open %t and ends %v, want %v", test.what, test.call.opened, test.call.closed, test.want)
		}
	}
	if took := cut.at.Sub(since); took != 30*time.Second {
		t.Errorf("an attempt without an answer is given up after %v, want 30s", took)
	}
}

// A short partition makes what is said late, a long one ends the connection for both, also where nobody says anything.
func TestConnectionsInAPartition(t *testing.T) {
	x := newExchange(2, network.Link{Latency: 10 * time.Millisecond})
	c := x.dial(1, "ws://far")
	x.pass(time.Second)
	x.cut(30 * time.Second)
	x.say(1, "hello")
	x.pass(20 * time.Second)
	if len(c.heard) > 0 {
		t.Errorf("in the partition: got %q", c.heard)
	}
	x.pass(time.Minute)
	if !slices.Equal(c.heard, []string{"hello"}) || len(c.closed) > 0 {
		t.Errorf("behind it: got %q and ends %v, want what was said", c.heard, c.closed)
	}
	x.cut(10 * time.Minute)
	x.pass(5 * time.Minute)
	if !slices.Equal(c.closed, []core.PeerFailure{replicate.TimedOut}) || x.far.left != 1 {
		t.Errorf("in a long partition: got ends %v, and %d at the far end, want both", c.closed, x.far.left)
	}
}

// When the far end dies, the near end hears of it at once, or finds out within a minute; after its own death it hears nothing.
func TestConnectionsOfTheDead(t *testing.T) {
	silent, reset := 0, 0
	for seed := range uint64(40) {
		x := newExchange(seed, network.Link{Latency: 10 * time.Millisecond})
		c := x.dial(1, "ws://far")
		x.pass(time.Second)
		died := x.Now()
		x.far.lines[0].Crash(died)
		x.pass(time.Hour)
		switch after := c.at.Sub(died); {
		case len(c.closed) == 1 && c.closed[0] == replicate.Unreachable && after == 10*time.Millisecond:
			reset++
		case len(c.closed) == 1 && c.closed[0] == replicate.TimedOut && after <= network.StreamPatience:
			silent++
		default:
			t.Errorf("seed %d: got ends %v after %v", seed, c.closed, after)
		}
		d := x.dial(2, "ws://far")
		x.pass(time.Second)
		x.say(2, "hello")
		x.lines.Drop(x.Now())
		x.pass(time.Hour)
		if len(d.heard)+len(d.closed) > 0 || x.far.left != 1 {
			t.Errorf("seed %d: the dead heard %q and %v, and the far end noticed %d", seed, d.heard, d.closed, x.far.left)
		}
	}
	if silent < 5 || reset < 5 {
		t.Errorf("got %d that fell silent and %d that were reset, want both", silent, reset)
	}
}

// apart is a world of two servers in which people tell one of them.
func apart(t *testing.T) scenarios.Scenario {
	t.Helper()
	s := short(t)
	s.Servers, s.Duration = 2, 2*time.Hour
	s.People.Partly = 1_000_000
	return s
}

// Servers that follow each other over the links hold what must hold, and the model and the monitor follow what they get.
func TestFollowersHold(t *testing.T) {
	for seed := range uint64(4) {
		o := run(t, apart(t), seed, following(apart(t), nil))
		held(t, o)
		if o.Fact("peer_opened") != 2 || o.Fact("event_duplicate") < 100 {
			t.Errorf("seed %d: got %d connections and %d events twice, want two and many", seed, o.Fact("peer_opened"), o.Fact("event_duplicate"))
		}
	}
}
