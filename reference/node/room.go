package node

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// ErrNoRoom is returned by a journal that cannot write at present: the disk or a quota is full, or nobody may write there.
// Nothing of what was to be written is kept, nothing else is lost, and the same may be tried again.
var ErrNoRoom = errors.New("node: no room to write")

// How a node deals with a journal that has no room, or repositories that are gone.
const (
	roomEvery = time.Second      // a journal without room is asked again
	heldBack  = 30 * time.Second // a turn waits for room that the journal believed to have; then the node ends
)

// textNoRoom is what a client is told whose event or push would have to be kept.
const textNoRoom = "the server cannot write to its disk at present, try again later"

// A room is what the goroutine of the core knows about room in the journal. While there is none, the core hears of nothing
// that it would have to record: events and pushes are refused at the door, what its orders have led to waits, and time
// stands still for it, so that nothing expires. Reads go on.
type room struct {
	why   error     // there is none; nil if there is
	asked time.Time // when the journal was asked last
	waits []item    // at most the answers to orders that are open, and the ends of pushes that run
}

// look asks the journal and the store of repositories for room. When it has room again, what has waited comes before the batch. A node that has not begun
// or that ends has to try.
func (n *Node) look(batch []item) []item {
	l := &n.loop
	now := n.clock.Now()
	if l.room.why != nil && now.Sub(l.room.asked).Abs() < roomEvery && !l.shutdown || l.room.why == nil && !n.keeps(batch) {
		return batch
	}
	before := l.room.why
	l.room.asked, l.room.why = now, nil
	if l.started && !l.shutdown {
		l.room.why = n.journal.Room()
		if store, is := n.backend.(interface{ Room() error }); is && l.room.why == nil {
			l.room.why = store.Room() // what is acknowledged needs a place for its data, too
		}
	}
	switch {
	case before == nil && l.room.why != nil:
		n.counts.add("journal_closed")
		n.log.LogAttrs(context.Background(), slog.LevelError, "no room to write: events and pushes are refused, reads go on",
			slog.Any("error", l.room.why))
	case before != nil && l.room.why == nil:
		n.log.LogAttrs(context.Background(), slog.LevelInfo, "there is room to write again")
	}
	if l.room.why == nil && len(l.room.waits) > 0 {
		batch = append(l.room.waits, batch...)
		l.room.waits = nil
	}
	return batch
}

// keeps reports whether a turn may have something to record. Who only reads and listens needs no room: files need not be opened to see
// whether they are in their places.
func (n *Node) keeps(batch []item) bool {
	if deadline, ok := n.machine.Deadline(); n.time.ahead != n.loop.ahead || n.time.set() || ok && deadline <= n.time.glance() {
		return true
	}
	return slices.ContainsFunc(batch, func(it item) bool {
		switch in := it.input.(type) {
		case nil, core.ConnOpened, core.ConnClosed:
			return false
		case core.Message:
			switch in.Msg.(type) {
			case relay.Req, relay.Count, relay.Close:
				return false
			}
		}
		return true
	})
}

// door reports whether the core hears of an input, now that there may be no room. One that waits for room is taken out of the
// turn, with whoever waits for it.
func (n *Node) door(it *item) (open bool) {
	l := &n.loop
	if l.room.why == nil {
		return true
	}
	switch in := it.input.(type) {
	case core.Message:
		ev, is := in.Msg.(relay.Event)
		if !is {
			return true
		}
		l.effects.List = append(l.effects.List, core.Send{Conn: in.Conn, Msg: relay.OK{ID: ev.Event.ID, Text: "error: " + textNoRoom}})
	case core.PushAsked:
		n.shut(in.Push, it.push)
	case core.PushOffered:
		n.shut(in.Push, it.push)
		l.own = append(l.own, item{input: core.PushForgone{Push: in.Push}}) // the core may expect it
	case core.Synced:
		// Nobody waits for it, and it can be had again.
	case core.PeerSaid:
		// An event would have to be recorded. It comes again: the connection ends, and what was asked for is asked for anew.
		if _, is := in.Msg.(relay.EventFor); !is {
			return true
		}
		n.hangUpPeer(core.HangUp{Peer: in.Peer})
	case core.PushDone, core.ObjectFacts, core.RepositoryDone, core.FetchDone:
		l.room.waits = append(l.room.waits, *it)
		*it = item{}
	default:
		return true
	}
	return false
}

// shut refuses a push at the door.
func (n *Node) shut(id core.PushID, p *push) {
	n.loop.pushes[id] = p
	ruling := policy.Ruling{Decision: policy.Refuse, Prefix: "error", Reason: textNoRoom, Requirement: "REF-PURG-15"}
	n.loop.effects.List = append(n.loop.effects.List, core.PushRefused{Push: id, Ruling: ruling})
}

// present is the instant that the core lives in: while nothing can be recorded, the one that it knows already.
func (n *Node) present() instant.Instant {
	if n.loop.room.why != nil {
		return n.time.instant
	}
	return n.now()
}

// write makes records durable. Where the journal has no room although it believed to have, the whole turn waits, because
// the core has taken them already: nobody is answered, and what was acknowledged before is safe.
func (n *Node) write(records []core.Record) error {
	err := n.journal.Write(records)
	for waited := time.Duration(0); errors.Is(err, ErrNoRoom) && waited < heldBack; waited += roomEvery {
		timer := n.clock.Timer(roomEvery)
		select {
		case <-timer.C:
			err = n.journal.Write(records)
		case <-n.stopping:
			timer.Stop()
			return err
		}
	}
	return err
}
