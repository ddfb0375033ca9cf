package sim_test

import (
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
)

// A follower is a server that gets all that some relays have in the simplest way: it asks for everything, again and again. It
// takes no part in how the reference does it, and shows what the links and the judges make of a server that does nothing wrong.
type follower struct {
	core.Machine
	urls   []string
	every  time.Duration
	skips  func(in core.PeerSaid) bool // plants a mistake; may be nil
	dialed core.PeerID
	lines  []*followed
	closed bool
}

// followed is a relay as a follower knows it.
type followed struct {
	url  string
	peer core.PeerID
	open bool
	due  instant.Instant // to dial, or to ask
}

func (f *follower) Step(now instant.Instant, in core.Input, out *core.Effects) {
	switch in := in.(type) {
	case core.PeerOpened:
		if x := f.at(in.Peer); x != nil {
			x.open, x.due = true, now
		}
	case core.PeerClosed:
		if x := f.at(in.Peer); x != nil {
			x.open, x.due, x.peer = false, now.Add(5*time.Second), 0
		}
	case core.PeerSaid:
		if said, is := in.Msg.(relay.EventFor); is && in.Good && f.at(in.Peer) != nil && (f.skips == nil || !f.skips(in)) {
			f.Machine.Step(now, core.Synced{Event: said.Event}, out)
		} else {
			f.Machine.Step(now, core.TimerFired{}, out)
		}
		if end, is := in.Msg.(relay.EOSE); is && f.at(in.Peer) != nil {
			out.List = append(out.List, core.SendPeer{Peer: in.Peer, Msg: relay.Close(end)})
		}
	default:
		if _, first := in.(core.Started); first {
			for _, url := range f.urls {
				f.lines = append(f.lines, &followed{url: url, due: now})
			}
		}
		if _, last := in.(core.Shutdown); last {
			f.closed = true
		}
		f.Machine.Step(now, in, out)
	}
	f.follow(now, out)
}

func (f *follower) at(id core.PeerID) *followed {
	for _, x := range f.lines {
		if x.peer == id {
			return x
		}
	}
	return nil
}

// follow does what is due.
func (f *follower) follow(now instant.Instant, out *core.Effects) {
	for _, x := range f.lines {
		switch {
		case f.closed || x.due > now:
		case x.open:
			x.due = now.Add(f.every)
			out.List = append(out.List, core.SendPeer{Peer: x.peer, Msg: relay.Req{Sub: "all", Filters: []relay.Filter{{}}}})
		case x.peer == 0:
			f.dialed++
			x.peer = f.dialed
			out.List = append(out.List, core.DialPeer{Peer: x.peer, URL: x.url})
		}
	}
}

func (f *follower) Deadline() (instant.Instant, bool) {
	at, set := f.Machine.Deadline()
	for _, x := range f.lines {
		if (x.open || x.peer == 0) && !f.closed && (!set || x.due < at) {
			at, set = x.due, true
		}
	}
	return at, set
}

// following are options that make followers of all servers of a scenario.
func following(s scenarios.Scenario, skips func(in core.PeerSaid) bool) sim.Options {
	return sim.Options{Wrap: func(server int, m core.Machine) core.Machine {
		f := &follower{Machine: m, every: time.Minute, skips: skips}
		for n := 1; n <= s.Servers; n++ {
			if n != server+1 {
				f.urls = append(f.urls, "ws"+s.OriginOf(n)[len("http"):])
			}
		}
		return f
	}}
}
