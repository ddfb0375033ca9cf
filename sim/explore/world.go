package explore

import (
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
)

// A world is one state of a family: the server, what its disks have, what is under way, and how far everybody is. It is a
// value: a copy goes on by itself.
type world struct {
	plot     *plot
	now      instant.Instant
	machine  core.Machine
	judges   []Judge
	journal  *core.Survivors
	git      *sim.Model
	peer     *peer   // nil if the server does not sync
	waiting  []batch // steps whose records are not durable yet, and those behind them
	orders   []order // given to git and not answered, sorted by key
	pushes   []push  // that have reached the server, sorted by id
	progress [][]status
	crashes  int  // that may still come
	lost     int  // as in Family, that may still come
	broken   int  // as in Family, that may still come
	round    int  // of repetition, when everything has been done once
	passed   bool // time has passed
	starting bool // no client is let in before the server is idle
	ending   bool // an orderly end was asked for

	seen   func(in core.Input, effects []core.Effect) // is told each step, to be told to people; nil is nobody
	broke  []invariant.Violation                      // that no judge has said
	passes int                                        // moves since the beginning
}

// status is how far a deed is.
type status uint8

const (
	todo status = iota
	asked
	answered
)

// A batch is the effects of one step, without notes.
type batch struct {
	effects []core.Effect
	records bool
}

// A push is one that the server has been asked about.
type push struct {
	id       core.PushID
	actor    int
	deed     int
	commands []gitproto.Command
	stage    stage
	report   *gitstore.Report // once its pack has been unpacked
}

type stage uint8

const (
	stageJudged  stage = iota // by the server
	stageExpects              // its pack may come
	stageOffered              // its pack is here, and the server judges it
	stageAdmits               // its pack may be unpacked
	stageReports              // refs have moved, and the server does not know yet
)

// newWorld is the first state of a family: everything that comes before has been done.
func newWorld(p *plot) *world {
	w := &world{
		plot: p, now: sim.Start, judges: judges(p.alone), journal: core.NewSurvivors(), git: sim.NewModel(), peer: newPeer(p.family),
		crashes: p.family.Crashes, lost: p.family.Lost, broken: p.family.Broken,
	}
	w.look()
	w.boot()
	w.admit()
	for i := range p.script.before {
		w.settle()
		w.do(before, i)
	}
	w.settle()
	for _, a := range p.script.actors {
		w.progress = append(w.progress, make([]status, len(a.deeds)))
	}
	return w
}

// before stands for the actor who does what comes before.
const before = -1

// boot begins a life of the server on what has survived.
func (w *world) boot() {
	w.peer.gone(w.now)
	w.machine = core.New(core.Config{Service: service, Sync: w.peer.sync()})
	if w.plot.family.Wrap != nil {
		w.machine = w.plot.family.Wrap(w.machine)
	}
	w.waiting, w.orders, w.pushes, w.ending = nil, nil, nil, false
	w.starting = true
	for _, deeds := range w.progress {
		for i := range deeds {
			if deeds[i] == asked {
				deeds[i] = todo // whoever had no answer does it again
			}
		}
	}
	w.step(core.Started{
		Stored: w.journal.Stored(), Held: w.journal.Held(), Marks: w.journal.Marks(), Repositories: w.repositories(),
	})
}

// crash ends the life of the server at this point.
func (w *world) crash() {
	for _, j := range w.judges {
		j.Crashed()
	}
	w.boot()
}

// admit lets clients in, as soon as a started server is idle.
func (w *world) admit() {
	if !w.starting || !w.machine.Idle() || len(w.waiting) > 0 {
		return
	}
	w.starting = false
	for i := range w.plot.script.actors {
		w.step(core.ConnOpened{Conn: conn(i)})
	}
	if len(w.plot.script.before) > 0 {
		w.step(core.ConnOpened{Conn: conn(before)})
	}
}

// conn is the connection of an actor. It is the same in each life: a server that has started knows of none before.
func conn(actor int) core.ConnID { return core.ConnID(actor + 2) }

// repositories lists what git has.
func (w *world) repositories() []core.RepositoryRefs {
	var all []core.RepositoryRefs
	for _, id := range w.git.Repositories() {
		if refs, err := w.git.Refs(id); err == nil {
			all = append(all, core.RepositoryRefs{ID: id, Refs: refs})
		}
	}
	return all
}

// step feeds one input to the server.
func (w *world) step(in core.Input) {
	var out core.Effects
	w.machine.Step(w.now, in, &out)
	for _, j := range w.judges {
		j.Stepped(w.now, in, out.List)
	}
	if w.seen != nil {
		w.seen(in, out.List)
	}
	var b batch
	for _, e := range out.List {
		switch e.(type) {
		case core.Note:
			continue
		case core.Record:
			b.records = true
		}
		b.effects = append(b.effects, e)
	}
	if len(b.effects) == 0 {
		return
	}
	w.waiting = append(w.waiting, b)
	w.leave()
}

// leave carries out what waits for no records.
func (w *world) leave() {
	for len(w.waiting) > 0 && !w.waiting[0].records {
		b := w.waiting[0]
		w.waiting = slices.Delete(w.waiting, 0, 1)
		w.carryOut(b)
	}
}

// durable writes the records of the first step that waits.
func (w *world) durable() {
	for _, e := range w.waiting[0].effects {
		if r, is := e.(core.Record); is {
			w.journal.Apply(r)
		}
	}
	w.waiting[0].records = false
}

func (w *world) carryOut(b batch) {
	for _, effect := range b.effects {
		switch e := effect.(type) {
		case core.Record, core.CloseConn:
		case core.Send:
			w.sent(e)
		case core.PushExpected:
			w.pushAt(e.Push).stage = stageExpects
		case core.PushAdmitted:
			w.pushAt(e.Push).stage = stageAdmits
		case core.PushRefused:
			w.endPush(e.Push)
		case core.CancelTidy:
			for i := range w.orders {
				if w.orders[i].request() == e.Request {
					w.orders[i].canceled = true
				}
			}
		default:
			if w.peer == nil || !w.peer.orders(w.now, effect) {
				w.order(effect)
			}
		}
	}
}

// sent takes a message to whom it is for. There is one life, so there is one to whom it is for.
func (w *world) sent(e core.Send) {
	ok, is := e.Msg.(relay.OK)
	if !is {
		return
	}
	if ok.Accepted {
		for _, j := range w.judges {
			j.Acknowledged(ok.ID)
		}
	}
	actor := int(e.Conn) - 2
	if actor < 0 || actor >= len(w.progress) {
		return
	}
	for i, d := range w.plot.script.actors[actor].deeds {
		if d.kind == deedPublish && d.event.ID == ok.ID && w.progress[actor][i] == asked {
			w.progress[actor][i] = answered
		}
	}
}

func (w *world) pushAt(id core.PushID) *push {
	at := slices.IndexFunc(w.pushes, func(p push) bool { return p.id == id })
	if at < 0 {
		panic(fmt.Sprintf("explore: an answer to push %d, which is over", id))
	}
	return &w.pushes[at]
}

// endPush notes that the client knows what came of a push.
func (w *world) endPush(id core.PushID) {
	at := slices.IndexFunc(w.pushes, func(p push) bool { return p.id == id })
	if at < 0 {
		panic(fmt.Sprintf("explore: an answer to push %d, which is over", id))
	}
	if p := w.pushes[at]; p.actor >= 0 && p.actor < len(w.progress) {
		w.progress[p.actor][p.deed] = answered
	}
	w.pushes = slices.Delete(w.pushes, at, at+1)
}

// underWay reports whether anything goes on.
func (w *world) underWay() bool {
	return len(w.waiting) > 0 || w.hears() || len(w.orders) > 0 || len(w.pushes) > 0 || w.starting || w.ending
}

// hears reports whether something of the relay is under way.
func (w *world) hears() bool { return w.peer != nil && len(w.peer.said) > 0 }

// repo is where a push goes.
func (w *world) repoOf(p push) repo.ID { return w.deed(p.actor, p.deed).repo }

func (w *world) deed(actor, i int) Deed {
	if actor == before {
		return w.plot.script.before[i]
	}
	return w.plot.script.actors[actor].deeds[i]
}
