package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
)

// A pair is two servers of which the second one replicates from the first one.
type pair struct {
	origin, copy *shell
	queue        []func() // what is on its way between them
	down         bool
	open         map[core.PeerID]bool
}

func newPair(t *testing.T, more ...func(*core.Config)) *pair {
	p := &pair{origin: newShell(t), open: map[core.PeerID]bool{}}
	p.copy = &shell{
		t: t, now: start, repos: map[repo.ID]*bare{}, stored: map[string]*nostr.Event{}, held: map[string]core.HeldEvent{},
		names: p.origin.names, running: map[core.PushID]core.PushOffered{}, marks: map[string]core.Mark{},
		fetches: map[core.FetchID]core.StartFetch{}, canceled: map[core.FetchID]bool{},
		limit: func(c *core.Config) {
			c.Hunt.On = true
			c.Sync = core.SyncConfig{On: true, Config: replicate.Config{Bootstrap: []string{"ws://grasp.test"}}}
			c.Service = repo.Service{Host: "copy.test"}
			for _, set := range more {
				set(c)
			}
		},
	}
	p.origin.peers = func(e core.Effect) {
		if send, is := e.(core.Send); is && send.Conn >= 1000 {
			p.toCopy(core.PeerSaid{Peer: core.PeerID(send.Conn - 1000), Msg: send.Msg, Good: true})
		}
	}
	p.copy.peers = p.carry
	p.copy.boot()
	p.settle()
	return p
}

func (p *pair) toCopy(in core.Input) { p.queue = append(p.queue, func() { p.copy.step(in) }) }

func (p *pair) toOrigin(in core.Input) { p.queue = append(p.queue, func() { p.origin.step(in) }) }

func (p *pair) carry(e core.Effect) {
	switch e := e.(type) {
	case core.DialPeer:
		if p.down || e.URL != "ws://grasp.test" {
			p.toCopy(core.PeerClosed{Peer: e.Peer, Failure: core.PeerUnreachable})
			return
		}
		p.open[e.Peer] = true
		p.toOrigin(core.ConnOpened{Conn: core.ConnID(e.Peer) + 1000})
		p.toCopy(core.PeerOpened{Peer: e.Peer})
	case core.SendPeer:
		if !p.down {
			p.toOrigin(core.Message{Conn: core.ConnID(e.Peer) + 1000, Msg: e.Msg, SigOK: true})
		}
	case core.HangUp:
		p.toCopy(core.PeerClosed{Peer: e.Peer})
	}
}

// settle delivers all that is on its way.
func (p *pair) settle() {
	for n := 0; len(p.queue) > 0; n++ {
		if n == 100_000 {
			p.copy.t.Fatal("the two find no end")
		}
		next := p.queue[0]
		p.queue = p.queue[1:]
		next()
	}
}

// pass lets time go by at both.
func (p *pair) pass(d time.Duration) {
	until := p.copy.now.Add(d)
	for {
		p.settle()
		next := until
		for _, s := range []*shell{p.origin, p.copy} {
			if at, ok := s.server.Deadline(); ok {
				next = min(next, max(at, s.now))
			}
		}
		p.origin.now, p.copy.now = next, next
		if next >= until {
			return
		}
		p.origin.step(core.TimerFired{})
		p.copy.step(core.TimerFired{})
	}
}

func (p *pair) has(name string) (stored, held bool) {
	for id := range p.copy.stored {
		stored = stored || p.copy.names[id] == name
	}
	for id := range p.copy.held {
		held = held || p.copy.names[id] == name
	}
	return stored, held
}

// An announcement, a state and an issue that one server was given come to another one: judged like a client's, held until
// their data is there, which is hunted after half a second (G02-EV-01, G02-EV-02, REF-SYNC-22).
func TestReplication(t *testing.T) {
	p := newPair(t)
	id := repo.ID{Owner: key("alice"), Identifier: "demo"}
	p.origin.send("alice", "A", 30617, 1, nostr.Tag{"d", "demo"},
		nostr.Tag{"clone", "https://grasp.test" + id.Path(), "https://copy.test" + id.Path()},
		nostr.Tag{"relays", "ws://grasp.test", "ws://copy.test"})
	p.origin.send("alice", "S", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	p.pass(10 * time.Second)
	if stored, held := p.has("A"); stored || held {
		t.Fatal("got an announcement that nobody serves")
	}
	p.origin.pushMain(id, "0", "a")
	p.origin.send("bob", "I", 1621, 3, nostr.Tag{"a", id.Coordinate()})
	var hunted time.Duration
	begin := p.copy.now
	p.copy.asks = func(f core.StartFetch) {
		hunted = p.copy.now.Sub(begin)
		p.copy.repos[id].objects[oid("a")] = true
		p.toCopy(core.FetchDone{Fetch: f.Fetch, Got: true})
	}
	p.pass(10 * time.Second)
	if hunted == 0 || hunted > 6*time.Second { // five seconds for the states of what is held, and half a one
		t.Errorf("hunted after %v, want half a second after the state came", hunted)
	}
	p.pass(20 * time.Second)
	for _, name := range []string{"A", "S", "I"} {
		if stored, _ := p.has(name); !stored {
			t.Errorf("%s is not served by the other server:\n%s", name, p.copy.log.String())
		}
	}
	p.origin.send("bob", "C", 1111, 4, nostr.Tag{"E", p.idOf("I")})
	p.pass(time.Second)
	if stored, _ := p.has("C"); !stored {
		t.Error("an answer that names the issue alone did not come")
	}
	p.origin.send("bob", "D", 5, 5, nostr.Tag{"e", p.idOf("C")})
	p.pass(time.Second)
	if stored, _ := p.has("C"); stored {
		t.Error("the deletion of an answer did not come")
	}
	p.copy.send("bob", "own", 1621, 6, nostr.Tag{"a", id.Coordinate()}) // by a client
	p.origin.send("bob", "nothing", 1621, 6, nostr.Tag{"a", "30617:" + string(key("bob")) + ":nothing"})
	p.pass(time.Second)
	if r, is := p.copy.server.Relays(p.copy.now); !is || r.Saved != 5 || r.Connected != 1 {
		t.Errorf("report of relays: got %+v, want 5 events of relays that are served: two that were held and three others", r)
	}
	if r, is := p.origin.server.Relays(p.origin.now); is {
		t.Errorf("report of a server that does not replicate: got %+v", r)
	}
}

func (p *pair) idOf(name string) string {
	for id, known := range p.copy.names {
		if known == name {
			return id
		}
	}
	panic(fmt.Sprintf("nothing has the name %s", name))
}

// An event that a relay forges changes nothing (G02-EV-03).
func TestForgedReplication(t *testing.T) {
	p := newPair(t)
	p.pass(time.Minute)
	list := &nostr.Event{Kind: 10317, PubKey: string(key("alice")), CreatedAt: nostr.Timestamp(start.Unix())}
	list.ID = list.GetID()
	p.copy.names[list.ID] = "L"
	for _, good := range []bool{false, true} {
		p.copy.step(core.PeerSaid{Peer: 1, Msg: relay.EventFor{Sub: "l1", Event: list}, Good: good})
		if stored, _ := p.has("L"); stored != good {
			t.Errorf("got stored %t, want %t", stored, good)
		}
	}
}

// Nobody has authenticated who sends what another relay has, so a protected event (NIP-70) is not taken from there, and all else goes on
// (N70-01).
func TestProtectedEventsOfRelays(t *testing.T) {
	p := newPair(t)
	p.pass(time.Minute)
	for _, tags := range []nostr.Tags{{{"-"}}, {}} {
		list := &nostr.Event{Kind: 10317, PubKey: string(key("alice")), CreatedAt: nostr.Timestamp(start.Unix()), Tags: tags}
		list.ID = list.GetID()
		p.copy.names[list.ID] = "L"
		p.copy.step(core.PeerSaid{Peer: 1, Msg: relay.EventFor{Sub: "l1", Event: list}, Good: true})
		if stored, _ := p.has("L"); stored != (len(tags) == 0) {
			t.Errorf("%v: got stored %t, want %t", tags, stored, len(tags) == 0)
		}
	}
}

// What a relay has and a full store has no room for is asked for again until there is: here once an event is over by its own word, and
// long before the daily pass.
func TestRelatedEventComesOnceThereIsRoom(t *testing.T) {
	p := newPair(t, func(c *core.Config) { c.StoredMax = 3 })
	id := repo.ID{Owner: key("alice"), Identifier: "demo"}
	p.origin.send("alice", "A", 30617, 1, nostr.Tag{"d", "demo"},
		nostr.Tag{"clone", "https://grasp.test" + id.Path(), "https://copy.test" + id.Path()},
		nostr.Tag{"relays", "ws://grasp.test", "ws://copy.test"})
	p.origin.send("alice", "S", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	p.origin.pushMain(id, "0", "a")
	p.copy.asks = func(f core.StartFetch) {
		p.copy.repos[id].objects[oid("a")] = true
		p.toCopy(core.FetchDone{Fetch: f.Fetch, Got: true})
	}
	p.pass(time.Minute)
	over := nostr.Tag{"expiration", fmt.Sprint(p.copy.now.Add(time.Hour).Unix())}
	p.copy.send("bob", "own", 1621, 3, nostr.Tag{"a", id.Coordinate()}, over)
	p.origin.send("bob", "I", 1621, 4, nostr.Tag{"a", id.Coordinate()})
	p.pass(30 * time.Minute)
	if own, _ := p.has("own"); !own {
		t.Fatal("the event of a client is not stored, so that there is room")
	}
	if stored, _ := p.has("I"); stored {
		t.Fatal("the event of a relay is stored although there is no room")
	}
	p.pass(2 * time.Hour)
	if stored, _ := p.has("I"); !stored {
		t.Error("the event of a relay did not come when there was room again")
	}
}

// An announcement that another server serves comes to be served here as well when a newer one, which took its place while both
// waited for their data, has run out: at once, and not with the daily pass.
func TestOlderAnnouncementComesWhenANewerOneRanOut(t *testing.T) {
	p := newPair(t, func(c *core.Config) { c.SoftLife = time.Hour }) // long before the daily pass
	id := repo.ID{Owner: key("alice"), Identifier: "demo"}
	tags := nostr.Tags{
		{"d", "demo"},
		{"clone", "https://grasp.test" + id.Path(), "https://copy.test" + id.Path()},
		{"relays", "ws://grasp.test", "ws://copy.test"},
	}
	p.origin.send("alice", "A", 30617, 1, tags...)
	p.origin.send("alice", "S", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	p.origin.pushMain(id, "0", "a")
	p.pass(10 * time.Second)
	if _, held := p.has("A"); !held {
		t.Fatal("the announcement did not come")
	}
	p.copy.send("alice", "newer", 30617, 3, tags...)
	p.pass(core.PurgatoryLife + time.Hour - time.Minute)
	if _, held := p.has("A"); held {
		t.Fatal("the older announcement is held")
	}
	p.pass(2 * time.Minute)
	stored, held := p.has("A")
	if !stored && !held {
		t.Errorf("the older announcement is neither held nor served %v after the newer one ran out:\n%s", time.Minute, p.copy.log.String())
	}
}
