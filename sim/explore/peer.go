package explore

import (
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/model"
	"github.com/graspkit/graspkit/sim/relayhost"
)

// A peer is the relay that the server of a family syncs with. What the server says reaches it at once, for nothing else can come between
// that the relay would tell from what comes before or behind; what it says arrives message by message, each as a move of its own.
type peer struct {
	host  *relayhost.Host
	open  core.PeerID // the connection, as the relay knows it; 0 is none
	said  []said      // that has left the relay and not arrived, in order
	since []offered   // what it was given, in order
}

type said struct {
	peer  core.PeerID
	input core.Input
}

type offered struct {
	event string
	at    instant.Instant
}

const peerName = "relay.example"

// newPeer sets the relay up; nil if the family has none.
func newPeer(f Family) *peer {
	if f.Relay == nil {
		return nil
	}
	c := *f.Relay
	c.Name = peerName
	host, err := relayhost.New(c, sim.Start)
	if err != nil {
		panic("explore: invariant: " + err.Error())
	}
	return &peer{host: host}
}

// sync is how the server syncs.
func (p *peer) sync() core.SyncConfig {
	if p == nil {
		return core.SyncConfig{}
	}
	return core.SyncConfig{On: true, Config: replicate.Config{Bootstrap: []string{"ws://" + peerName}}}
}

// orders carries out what the server wants of relays, and reports whether it is that.
func (p *peer) orders(now instant.Instant, effect core.Effect) bool {
	switch e := effect.(type) {
	case core.DialPeer:
		if e.URL != "ws://"+peerName {
			p.says(e.Peer, core.PeerClosed{Peer: e.Peer, Failure: core.PeerNoName})
			return true
		}
		p.open = e.Peer
		p.says(e.Peer, core.PeerOpened{Peer: e.Peer})
		list, opening := p.host.Open(now, relayhost.ConnID(e.Peer), nil)
		if opening != relayhost.Taken {
			panic("explore: invariant: the relay takes no connection")
		}
		p.leave(list)
	case core.SendPeer:
		if e.Peer == p.open {
			p.leave(p.host.Message(now, relayhost.ConnID(e.Peer), e.Msg, nil))
		}
	case core.HangUp:
		p.ends(now, e.Peer, core.PeerEnded)
	case core.AnswerPeer: // nobody has asked
	default:
		return false
	}
	return true
}

func (p *peer) says(from core.PeerID, in core.Input) { p.said = append(p.said, said{from, in}) }

// leave takes what the relay says.
func (p *peer) leave(list []relayhost.Said) {
	for _, s := range list {
		from := core.PeerID(s.Conn)
		if s.Msg == nil {
			p.open = 0
			p.says(from, core.PeerClosed{Peer: from, Failure: core.PeerUnreachable})
			continue
		}
		p.says(from, core.PeerSaid{Peer: from, Msg: s.Msg, Good: !s.Forged})
	}
}

// ends ends a connection: what is under way does not arrive.
func (p *peer) ends(now instant.Instant, conn core.PeerID, why core.PeerFailure) {
	closed := slices.ContainsFunc(p.said, func(s said) bool {
		_, is := s.input.(core.PeerClosed)
		return is && s.peer == conn
	})
	p.said = slices.DeleteFunc(p.said, func(s said) bool { return s.peer == conn })
	if p.open == conn {
		p.host.Close(now, relayhost.ConnID(conn))
		p.open = 0
	} else if !closed {
		return // that is known already
	}
	p.says(conn, core.PeerClosed{Peer: conn, Failure: why})
}

// gone tells the relay that the server has ended.
func (p *peer) gone(now instant.Instant) {
	if p != nil {
		p.host.Close(now, relayhost.ConnID(p.open))
		p.open, p.said = 0, nil
	}
}

// offer gives the relay an event.
func (p *peer) offer(now instant.Instant, d Deed) {
	p.since = append(p.since, offered{d.event.ID, now})
	p.leave(p.host.Put(now, nil, d.event))
}

// offers lists what the relay has.
func (p *peer) offers() (list []model.Offer) {
	for _, ev := range p.host.Events() {
		at := slices.IndexFunc(p.since, func(o offered) bool { return o.event == ev.ID })
		list = append(list, model.Offer{Event: ev, Since: p.since[at].at})
	}
	return list
}

// healTime is how long a world is let alone until the server has to have what the relay has, and settleTime for how long that has to
// have been so.
const (
	healTime   = 20 * time.Minute
	settleTime = 10 * time.Minute
)

// heal lets the time pass in which the server has to come to what the relay has, and judges that it has (INV-07).
func (w *world) heal() {
	end := w.now.Add(healTime)
	for range healSteps {
		w.settle()
		at, set := w.machine.Deadline()
		if !set || at > end || len(w.violations()) > 0 {
			break
		}
		w.now = max(w.now, at)
		w.step(core.TimerFired{})
	}
	w.now = end
	for _, j := range w.judges {
		n, is := j.(*naive)
		if !is {
			continue
		}
		lacks, _ := n.LacksOffered(w.now, peerName, w.peer.offers(), true, settleTime)
		if len(lacks) > 0 {
			w.broke = append(w.broke, invariant.Violation{
				ID: "INV-07", Code: "lacks", At: w.now, Server: serverName,
				Detail: "the relay has " + strings.Join(lacks, ", ") + ", and the server has neither served nor held it since",
			})
		}
	}
}

const healSteps = 1_000
