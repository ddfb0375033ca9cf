package node

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// settleWait is how long the end of a push waits for the orders that it led to, so that who looks at the repository
// right after a push finds HEAD and events in place. The push has succeeded whether they are or not.
const settleWait = 500 * time.Millisecond

// cancelGrace is how long a node that is being closed waits for the pushes that it has canceled.
const cancelGrace = 5 * time.Second

// An item is one entry of the inbox: an input, or something to do on the core's goroutine.
type item struct {
	input core.Input    // nil if the item is only a call
	push  *push         // the push that a PushAsked or a PushOffered is about
	call  func()        // called when the effects of the turn have been carried out; must not block
	done  chan struct{} // closed after that; nil if nobody waits
	quiet chan struct{} // closed when nothing goes on any more that needs no new input; nil if nobody waits
	in    *repo.ID      // the repository that quiet is about; nil for all of them
}

// A waiting is somebody who waits for quiet.
type waiting struct {
	quiet chan struct{}
	in    *repo.ID
}

// A loop is what belongs to the goroutine of the core.
type loop struct {
	batch    []item
	effects  core.Effects
	records  []core.Record
	own      []item // inputs that carrying out effects has led to; next turn
	orders   []order
	searches []core.SearchEvents // that nobody looks for yet; core.SearchingMax at most
	asked    int                 // orders and questions about objects without an answer
	pushes   map[core.PushID]*push
	quiet    []waiting

	started  bool          // the core has been told what survived
	ahead    time.Duration // of the time of day to the instants, as the core was told
	stuck    bool          // TimerFired did not move the deadline, and nothing was fed since
	room     room          // in the journal
	timer    *clock.Timer  // fires at armed; nil if there is no deadline
	armed    instant.Instant
	shutdown bool
}

// run is the goroutine of the core.
func (n *Node) run(started core.Started) {
	l := &n.loop
	defer n.conns.closeAll()
	defer close(n.done)
	defer close(n.work)
	defer close(n.find)
	defer n.disarm()
	err := n.turn([]item{{input: started}})
	stopping := n.stopping
	for err == nil && !n.ended() {
		if len(l.own) > 0 {
			batch := l.own
			l.own = nil
			err = n.turn(batch)
			continue
		}
		n.tellQuiet()
		var work chan order
		var next order
		if len(l.orders) > 0 {
			work, next = n.work, l.orders[0]
		}
		var find chan core.SearchEvents
		var question core.SearchEvents
		if len(l.searches) > 0 {
			find, question = n.find, l.searches[0]
		}
		select {
		case it := <-n.inbox:
			err = n.turn(n.drain(it))
		case <-n.wake:
			n.disarm()
			err = n.turn(n.fetched.take())
		case work <- next:
			l.orders[0] = order{}
			l.orders = l.orders[1:]
		case find <- question:
			l.searches[0] = core.SearchEvents{}
			l.searches = l.searches[1:]
		case <-stopping:
			stopping = nil
			l.shutdown = true
			err = n.turn([]item{{input: core.Shutdown{}}})
		case <-n.kill:
			l.shutdown = true
			l.asked, l.pushes, l.own, l.orders = 0, nil, nil, nil
			return
		}
	}
	if err != nil {
		n.err = err
		n.log.LogAttrs(context.Background(), slog.LevelError, "node stopped", slog.Any("error", err))
		n.abort()
	}
}

// ended reports whether an orderly end is complete.
func (n *Node) ended() bool {
	l := &n.loop
	return l.shutdown && l.asked == 0 && len(l.pushes) == 0 && len(l.own) == 0
}

// drain takes what else waits in the inbox, up to a turn.
func (n *Node) drain(first item) []item {
	batch := n.loop.batch[:0]
	batch = append(batch, first)
	for len(batch) < turnMax {
		select {
		case it := <-n.inbox:
			batch = append(batch, it)
			continue
		default:
		}
		break
	}
	n.loop.batch = batch
	return batch
}

// turn steps the core through a batch of inputs, makes what they recorded durable together, and carries out
// the other effects in order. An error means that nothing may be acknowledged any more.
func (n *Node) turn(batch []item) error {
	l := &n.loop
	batch = n.look(batch)
	l.effects.Reset()
	n.fireDue()
	for i := range batch {
		if n.door(&batch[i]) {
			n.feed(batch[i])
		}
	}
	n.fireDue()
	if err := n.record(); err != nil {
		return err
	}
	for _, e := range l.effects.List {
		n.carry(e)
	}
	n.arm()
	for _, it := range batch {
		if it.call != nil {
			it.call()
		}
		if it.done != nil {
			close(it.done)
		}
		if it.quiet != nil {
			l.quiet = append(l.quiet, waiting{it.quiet, it.in})
		}
	}
	clear(batch)
	return nil
}

// feed steps the core through one input.
func (n *Node) feed(it item) {
	l := &n.loop
	switch in := it.input.(type) {
	case nil:
		return
	case core.PushAsked:
		l.pushes[in.Push] = it.push
	case core.PushOffered:
		l.pushes[in.Push] = it.push
	case core.PushForgone:
		delete(l.pushes, in.Push)
	case core.PushDone:
		delete(l.pushes, in.Push)
	case core.ObjectFacts, core.RepositoryDone:
		l.asked--
	}
	now := n.fireDue()
	n.machine.Step(now, it.input, &l.effects)
	l.started, l.stuck = true, false
}

func (n *Node) record() error {
	l := &n.loop
	l.records = l.records[:0]
	for _, e := range l.effects.List {
		if r, ok := e.(core.Record); ok {
			l.records = append(l.records, r)
		}
	}
	if len(l.records) == 0 {
		return nil
	}
	defer clear(l.records)
	return n.write(l.records)
}

// carry carries out one effect. It never waits for a client, a worker or a push.
func (n *Node) carry(e core.Effect) {
	switch e := e.(type) {
	case core.Record:
		// Durable already.
	case core.Send:
		n.send(e)
	case core.SearchEvents:
		n.loop.searches = append(n.loop.searches, e)
	case core.CloseConn:
		n.hangUp(e.Conn)
	case core.PushExpected:
		n.pushLet(e.Push)
	case core.PushAdmitted:
		n.pushLet(e.Push)
	case core.PushRefused:
		n.pushRefused(e)
	case core.AskObjects, core.CreateRepository, core.RemoveRepository, core.ReadRefs, core.UpdateRefs, core.CopyObjects, core.TidyRepository:
		n.loop.asked++
		n.loop.orders = append(n.loop.orders, order{effect: e})
		n.tidies.ordered(e)
	case core.CancelTidy:
		n.tidies.cancel(e.Request)
	case core.StartFetch:
		n.startFetch(e)
	case core.CancelFetch:
		n.cancelFetch(e)
	case core.DialPeer:
		n.dialPeer(e)
	case core.SendPeer:
		n.sendPeer(e)
	case core.HangUp:
		n.hangUpPeer(e)
	case core.AnswerPeer:
		n.answerPeer(e)
	case core.Note:
		n.note(e)
	default:
		panic(fmt.Sprintf("node: invariant: unknown effect %T", e))
	}
}

// tellQuiet answers who waits for quiet, in a repository or everywhere: the core waits for nothing but the end of pushes, and
// has heard of every fetch that has ended.
func (n *Node) tellQuiet() {
	l := &n.loop
	if len(l.quiet) == 0 {
		return
	}
	all := l.asked == 0 && (n.machine.Idle() || len(l.pushes) > 0) && !n.fetched.pending()
	l.quiet = slices.DeleteFunc(l.quiet, func(w waiting) bool {
		quiet := all || w.in != nil && n.machine.Settled(*w.in)
		if quiet {
			close(w.quiet)
		}
		return quiet
	})
}

// fireDue tells the core that its deadline has come, as often as it has, and returns the present. A deadline that does
// not move is told once after each input: the core moves it when it can.
func (n *Node) fireDue() instant.Instant {
	l := &n.loop
	now := n.present()
	for l.room.why == nil {
		deadline, ok := n.machine.Deadline()
		if !ok || deadline > now || l.stuck {
			return now
		}
		n.machine.Step(now, core.TimerFired{}, &l.effects)
		after, ok := n.machine.Deadline()
		l.stuck = ok && after == deadline
	}
	return now
}

// arm sets the timer to the core's deadline. A firing is only a wake-up.
func (n *Node) arm() {
	l := &n.loop
	if l.room.why != nil {
		n.disarm()
		l.armed = 0
		l.timer = n.clock.AfterFunc(roomEvery, n.wakeUp)
		return
	}
	deadline, ok := n.machine.Deadline()
	if !ok || l.stuck {
		n.disarm()
		return
	}
	if l.timer != nil && deadline == l.armed {
		return
	}
	n.disarm()
	l.armed = deadline
	l.timer = n.clock.AfterFunc(max(0, deadline.Sub(n.time.now())), n.wakeUp)
}

func (n *Node) wakeUp() {
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

func (n *Node) disarm() {
	if n.loop.timer != nil {
		n.loop.timer.Stop()
		n.loop.timer = nil
	}
}
