package explore

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/relayhost"
)

// A Family is a small world all of whose histories are looked at: people who do a few things each, one after the other but in
// any order among each other, and how often what may go wrong does.
type Family struct {
	Name    string
	About   string                                  // a sentence
	Crashes int                                     // of the server, at most
	Lost    int                                     // packs that never come, at most
	Broken  int                                     // packs that cannot be unpacked, at most
	Same    bool                                    // at rest the same is served whatever the order was: who is refused tries again
	Relay   *relayhost.Config                       // that the server syncs with; nil is none. The name is given to it
	Script  func(s *Script)                         // who is there, and what they do
	Wrap    func(machine core.Machine) core.Machine // puts something between the core and its host; nil is nothing
}

// A Deed is one thing that somebody does.
type Deed struct {
	kind   deedKind
	event  *nostr.Event
	repo   repo.ID
	refs   []repo.Ref // where they are to be pushed; the zero object deletes one
	pass   time.Duration
	waited bool // the one before it need not be answered
}

type deedKind uint8

const (
	deedPublish deedKind = iota + 1
	deedPush
	deedTick
	deedPass
	deedRestart
	deedOutage
	deedOffer
	deedCut
)

// Publish has an event sent.
func Publish(ev *nostr.Event) Deed { return Deed{kind: deedPublish, event: ev} }

// Push has refs moved to where they are wanted, from where they are when the client looks.
func Push(to repo.ID, refs ...repo.Ref) Deed { return Deed{kind: deedPush, repo: to, refs: refs} }

// Tick has time go on to the next deadline of the server.
func Tick() Deed { return Deed{kind: deedTick} }

// Pass has some time pass, and deadlines on its way.
func Pass(d time.Duration) Deed { return Deed{kind: deedPass, pass: d} }

// Restart has the server end in order and start again.
func Restart() Deed { return Deed{kind: deedRestart} }

// Outage has the server crash, and start again when its next deadline has come.
func Outage() Deed { return Deed{kind: deedOutage} }

// Offer has an event given to the relay that the server syncs with.
func Offer(ev *nostr.Event) Deed { return Deed{kind: deedOffer, event: ev} }

// Cut has the connection to that relay end, with all that is under way on it.
func Cut() Deed { return Deed{kind: deedCut} }

// AtOnce has a deed done whether or not the one before it has been answered.
func (d Deed) AtOnce() Deed {
	d.waited = true
	return d
}

// timely reports whether a deed has an answer that a client may wait for.
func (d Deed) timely() bool { return d.kind == deedPublish || d.kind == deedPush }

// An actor is somebody with what he does.
type actor struct {
	name  string
	deeds []Deed
}

// A plot is a family with its script read: what all worlds of it have in common.
type plot struct {
	family Family
	script *Script
	alone  bool // as in Options
}
