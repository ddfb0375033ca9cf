package sim

import (
	"fmt"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim/workload"
)

// proveAgain is how long after a client has shown who it is it sends what needed that once more.
const proveAgain = time.Second

// provesMax is how often a client tries to show who it is on a connection: one whose clock is wrong never can.
const provesMax = 4

// opened is what a server hears when an actor connects: the text that it may have to sign belongs to the connection.
func (s *server) opened(a *actor) core.ConnOpened {
	conn := s.conn(a)
	return core.ConnOpened{Conn: conn, Challenge: fmt.Sprintf("%s/%d", s.Name, conn)}
}

// proofs are the mistakes that a client makes when it shows who it is; in most cases it makes none.
var proofs = []func(ev *nostr.Event){
	func(ev *nostr.Event) { ev.CreatedAt -= 600 },
	func(ev *nostr.Event) { ev.CreatedAt -= 601 },
	func(ev *nostr.Event) { ev.CreatedAt += 600 },
	func(ev *nostr.Event) { ev.CreatedAt += 601 },
	func(ev *nostr.Event) { ev.Kind = 1 },
	func(ev *nostr.Event) { ev.Tags = ev.Tags[:1] },
	func(ev *nostr.Event) { ev.Tags = ev.Tags[1:] },
	func(ev *nostr.Event) { ev.Tags = nostr.Tags{{"challenge"}, ev.Tags[0], ev.Tags[1]} },
	func(ev *nostr.Event) { ev.Tags[0][1] += "!" },
	func(ev *nostr.Event) { ev.Tags[1][1] = "ws://elsewhere.example" },
	func(ev *nostr.Event) { ev.Tags[1][1] += "/" },
	func(ev *nostr.Event) { ev.Tags = append(ev.Tags, nostr.Tag{"challenge", "another"}) },
}

// prove answers a challenge, and sends the last event again that needed it.
func (a *actor) prove(now instant.Instant, s *server, challenge string) {
	if a.proofs[challenge] == provesMax {
		return
	}
	a.proofs[challenge]++
	key := a.key.WithText("prove").WithText(challenge).With(uint64(now))
	ev := &nostr.Event{
		Kind: 22242, CreatedAt: nostr.Timestamp(now.Unix()),
		Tags: nostr.Tags{{"challenge", challenge}, {"relay", workload.RelayURL(s.service)}},
	}
	if i := int(key.Below(int64(2 * len(proofs)))); i < len(proofs) {
		proofs[i](ev)
	}
	a.project.Sign(a.role, ev)
	if s.private() {
		a.who[ev.ID] = sayingWho{s, challenge}
	}
	a.message(now, s, relay.Auth{Event: ev, IDOK: key.WithText("genuine").Below(10) > 0})
	if again := a.project.Protected(a.role); again != nil {
		a.world.engine.At(now.Add(proveAgain), key.Uint64(), &publishing{a, s, again})
	}
}

// publishing is the task in which an actor sends an event.
type publishing struct {
	actor  *actor
	server *server
	event  *nostr.Event
}

// Run implements Task.
func (p *publishing) Run(now instant.Instant) { p.actor.publish(now, p.server, p.event) }
