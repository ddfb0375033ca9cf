package explore

import (
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim/invariant"
)

// A Move is what may happen next in a world. Index is that of an actor, an order or a push, in the world before it.
type Move struct {
	Kind  MoveKind
	Index int
}

// A MoveKind says what happens.
type MoveKind uint8

// The moves.
const (
	MoveCommit  MoveKind = iota + 1 // records become durable, and what waited for them leaves
	MoveExecute                     // an order is carried out
	MoveAnswer                      // its answer arrives at the server
	MovePack                        // a pack is here
	MoveUnpack                      // a pack is unpacked and refs move
	MoveReport                      // the server and the client hear of it
	MoveHear                        // something that the relay has said arrives
	MoveStart                       // an ended server starts
	MoveDeed                        // somebody does the next thing
	MoveNoPack                      // a pack will not come
	MoveBroken                      // a pack cannot be unpacked
	MoveTorn                        // records become durable, and the server crashes before anything leaves
	MoveCrash                       // the server crashes
)

// moves lists what may happen, what is usual first. Crashes come last.
func (w *world) moves() []Move {
	var list []Move
	add := func(kind MoveKind, index int) { list = append(list, Move{kind, index}) }
	if len(w.waiting) > 0 {
		add(MoveCommit, 0)
	}
	for i := range w.orders {
		if w.orders[i].answer == nil {
			add(MoveExecute, i)
		} else {
			add(MoveAnswer, i)
		}
	}
	for i, p := range w.pushes {
		switch p.stage { //nolint:exhaustive // the server has to answer first
		case stageExpects:
			add(MovePack, i)
			if w.lost > 0 {
				add(MoveNoPack, i)
			}
		case stageAdmits:
			add(MoveUnpack, i)
			if w.broken > 0 {
				add(MoveBroken, i)
			}
		case stageReports:
			add(MoveReport, i)
		}
	}
	if w.hears() {
		add(MoveHear, 0)
	}
	if w.ending && len(w.waiting) == 0 && len(w.pushes) == 0 && w.machine.Idle() {
		add(MoveStart, 0)
	}
	for i := range w.progress {
		if d := w.next(i); d >= 0 && w.enabled(w.deed(i, d)) {
			add(MoveDeed, i)
		}
	}
	if w.crashes > 0 {
		if len(w.waiting) > 0 {
			add(MoveTorn, 0)
		}
		add(MoveCrash, 0)
	}
	return list
}

// next is the deed that an actor is at, -1 for none.
func (w *world) next(actor int) int {
	deeds := w.plot.script.actors[actor].deeds
	for i, s := range w.progress[actor] {
		switch {
		case s == todo:
			return i
		case s == asked && (i+1 == len(deeds) || !deeds[i+1].waited):
			return -1
		}
	}
	return -1
}

// enabled reports whether something can be done now. Nobody reaches a server that starts or ends.
func (w *world) enabled(d Deed) bool {
	switch d.kind { //nolint:exhaustive // the others need a server that takes clients
	case deedTick, deedOutage:
		_, set := w.machine.Deadline()
		return set
	case deedPass, deedOffer:
		return true
	case deedCut:
		return w.peer.open != 0
	}
	return !w.starting && !w.ending
}

// quiescent reports whether nothing can happen but that somebody does something, time passes, or the server crashes.
func (w *world) quiescent() bool { return !w.underWay() }

// guard is deferred by whatever steps the server. A panic of the server is a broken invariant, and so is one of its host, who
// was told something impossible.
func (w *world) guard() {
	if p := recover(); p != nil {
		w.broke = append(w.broke, invariant.Violation{
			ID: "PANIC", Code: "panic", At: w.now, Server: serverName, Detail: fmt.Sprintf("%v\n%s", p, debug.Stack()),
		})
	}
}

// apply makes a move.
func (w *world) apply(m Move) {
	defer w.guard()
	w.passes++
	switch m.Kind {
	case MoveCommit:
		w.durable()
		w.leave()
	case MoveTorn:
		w.crashes--
		w.durable()
		w.crash()
	case MoveCrash:
		w.crashes--
		w.crash()
	case MoveExecute:
		w.execute(&w.orders[m.Index])
	case MoveAnswer:
		answer := w.orders[m.Index].answer
		w.orders = slices.Delete(w.orders, m.Index, m.Index+1)
		w.step(answer)
	case MovePack:
		p := &w.pushes[m.Index]
		p.stage = stageOffered
		w.step(core.PushOffered{Push: p.id, Repo: w.repoOf(*p), Commands: p.commands})
	case MoveNoPack:
		w.lost--
		id := w.pushes[m.Index].id
		w.endPush(id)
		w.step(core.PushForgone{Push: id})
	case MoveUnpack:
		w.unpack(&w.pushes[m.Index], false)
	case MoveBroken:
		w.broken--
		w.unpack(&w.pushes[m.Index], true)
	case MoveReport:
		w.report(w.pushes[m.Index])
	case MoveHear:
		in := w.peer.said[0].input
		w.peer.said = slices.Delete(w.peer.said, 0, 1)
		w.step(in)
	case MoveStart:
		w.boot()
	case MoveDeed:
		w.do(m.Index, w.next(m.Index))
	}
	w.admit()
}

// do does something for somebody.
func (w *world) do(actor, i int) {
	defer w.guard()
	d := w.deed(actor, i)
	mark := func(s status) {
		if actor >= 0 {
			w.progress[actor][i] = s
		}
	}
	mark(answered)
	switch d.kind {
	case deedPublish:
		mark(asked)
		w.step(core.Message{Conn: conn(actor), Msg: relay.Event{Event: d.event, IDOK: true}, SigOK: true})
	case deedPush:
		refs, err := w.git.Refs(d.repo)
		list := commands(refs, err, d.refs)
		if len(list) == 0 {
			return
		}
		mark(asked)
		id := w.pushID(actor, i)
		w.pushes = append(w.pushes, push{id: id, actor: actor, deed: i, commands: list})
		slices.SortFunc(w.pushes, func(a, b push) int { return int(a.id) - int(b.id) })
		w.step(core.PushAsked{Push: id, Repo: d.repo, Commands: list})
	case deedTick:
		at, _ := w.machine.Deadline()
		w.passed = true
		w.now = max(w.now, at)
		w.step(core.TimerFired{})
	case deedPass:
		w.pass(d)
	case deedOffer:
		w.peer.offer(w.now, d)
	case deedCut:
		w.peer.ends(w.now, w.peer.open, core.PeerUnreachable)
	case deedRestart:
		w.ending = true
		w.step(core.Shutdown{})
	case deedOutage:
		at, _ := w.machine.Deadline()
		w.passed = true
		w.now = max(w.now, at)
		w.crash()
	}
}

func (w *world) pass(d Deed) {
	w.passed = true
	end := w.now.Add(d.pass)
	for range deadlinesMax {
		at, set := w.machine.Deadline()
		if !set || at > end {
			break
		}
		w.now = max(w.now, at)
		w.step(core.TimerFired{})
	}
	w.now = end
}

// deadlinesMax is how many deadlines there may be in the time that a deed lets pass.
const deadlinesMax = 64

// pushID is the number of a push: the same in every order of things, so that worlds that differ in nothing else are one.
func (w *world) pushID(actor, deed int) core.PushID {
	return core.PushID(1 + (actor + 1) + actorsMax*(deed+deedsMax*w.round))
}

// Limits of a script.
const (
	actorsMax = 16 // with the one who does what comes before
	deedsMax  = 8
)

// settle has everything happen that is under way, in one order.
func (w *world) settle() {
	for range settleMax {
		list := w.moves()
		if len(w.broke) > 0 || len(list) == 0 || list[0].Kind >= MoveDeed {
			return
		}
		w.apply(list[0])
	}
	w.broke = append(w.broke, invariant.Violation{
		ID: "REST", Code: "no-end", At: w.now, Server: serverName, Detail: "what is under way does not end",
	})
}

const settleMax = 10_000
