package sim

import (
	"errors"
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/kernel"
)

// Git is what a host needs of a store of repositories: a gitstore.Backend has it, and so has the Model of this
// package.
type Git interface {
	Create(id repo.ID) error
	Remove(id repo.ID) error
	Refs(id repo.ID) (gitstore.Refs, error)
	Missing(id repo.ID, oids []repo.OID) ([]repo.OID, error)
	Update(id repo.ID, commands []gitproto.Command, head string) error
	Copy(c gitstore.Cancel, id, from repo.ID, oids []repo.OID) error
	Tidy(c gitstore.Cancel, id repo.ID, keep []repo.OID) error
}

// never is a gitstore.Cancel that never stops: in the simulated world nothing takes long.
type never struct{}

func (never) Err() error { return nil }

// Clients is where the effects of a server that others can see go. A method must not step the host; it may schedule.
type Clients interface {
	Sent(now instant.Instant, conn core.ConnID, msg relay.ServerMessage)
	Closed(now instant.Instant, conn core.ConnID)
	PushExpected(now instant.Instant, push core.PushID)
	PushAdmitted(now instant.Instant, push core.PushID)
	PushRefused(now instant.Instant, push core.PushID, ruling policy.Ruling)
}

// An Observer sees every step of a host, notes included, before anything of it is carried out.
type Observer interface {
	Stepped(now instant.Instant, in core.Input, effects []core.Effect)
}

// Delays are the longest times that a host's disk takes, drawn anew for each use. Zero is at once.
type Delays struct {
	Journal time.Duration // until records are durable
	Order   time.Duration // until a question about objects or an order for a repository is answered
}

// A Host is one simulated machine with a server on it: it carries out the effects of a core, answers its orders, and
// keeps the rule that the records of a step are durable before its other effects are carried out.
type Host struct {
	Name    string
	Machine core.Machine
	Git     Git
	Clients Clients
	Remotes Remotes // nil means that nobody can be reached
	Peers   Peers   // nil means that no relay can be
	Sign    Signer  // nil means that it authenticates to none
	Observe []Observer
	Journal *core.Survivors
	Begun   func() // called when an order has been given to the disk; may be nil
	Durable func() // called when records have become durable and nothing that follows from them has left; may be nil

	engine *Engine
	delays Delays
	key    kernel.Key
	dead   bool
	full   bool // the journal takes nothing

	out      core.Effects
	waiting  []core.Effect // in order; carried out once what precedes them is durable
	flushing int           // effects at the start of waiting that the running flush covers; 0 if none runs
	under    []*order      // orders that are not carried out yet, in order
	drawn    tally         // what was drawn about, by its content
	steps    uint64
}

// NewHost returns a host on the engine, which fires its deadlines from now on. The caller fills in the exported fields
// and then calls Start.
func NewHost(name string, e *Engine, seed uint64, delays Delays) *Host {
	h := &Host{
		Name: name, Journal: core.NewSurvivors(), drawn: tally{},
		engine: e, delays: delays, key: kernel.NewKey(seed, "sim/host").WithText(name),
	}
	e.AddTimer(h.key.Uint64(), h)
	return h
}

// Start gives the server what survived, by the journal and the repositories that are there. It panics if another host
// lives on the same journal: that would be two servers on one disk, and whatever they did would prove nothing.
func (h *Host) Start(now instant.Instant, there []repo.ID) {
	for _, t := range h.engine.timers {
		if other, ok := t.Timer.(*Host); ok && other.steps > 0 && !other.dead && other.Journal == h.Journal {
			panic("sim: invariant: two servers live on one journal")
		}
	}
	in := core.Started{Stored: h.Journal.Stored(), Held: h.Journal.Held(), Marks: h.Journal.Marks()}
	for _, id := range there {
		refs, err := h.Git.Refs(id)
		if err != nil && h.Git.Create(id) == nil { // makes whole what a crash has left half made
			refs, err = h.Git.Refs(id)
		}
		in.Repositories = append(in.Repositories, core.RepositoryRefs{ID: id, Refs: refs, Unknown: err != nil})
	}
	h.Step(now, in)
}

// Crash ends the host: nothing that waits is carried out, no answer arrives, no timer fires. What survives is the
// journal, as far as it was durable, and the repositories.
func (h *Host) Crash() {
	h.dead = true
	h.waiting = nil
	h.engine.RemoveTimer(h)
	if h.Remotes != nil {
		h.Remotes.DropFetches(h.engine.Now())
	}
	if h.Peers != nil {
		h.Peers.Drop(h.engine.Now())
	}
}

// Steps is the number of inputs that the server was given.
func (h *Host) Steps() uint64 { return h.steps }

// Step feeds one input to the server and carries out, now or when it is durable, what follows from it.
func (h *Host) Step(now instant.Instant, in core.Input) {
	if h.dead {
		return
	}
	h.steps++
	h.out.Reset()
	h.Machine.Step(now, in, &h.out)
	for _, o := range h.Observe {
		o.Stepped(now, in, h.out.List)
	}
	if h.dead {
		return
	}
	records := false
	for _, effect := range h.out.List {
		if _, ok := effect.(core.Record); ok {
			records = true
		}
	}
	if !records && len(h.waiting) == 0 {
		for _, effect := range h.out.List {
			h.carryOut(now, effect)
		}
		return
	}
	for _, effect := range h.out.List {
		if _, ok := effect.(core.Note); !ok {
			h.waiting = append(h.waiting, effect)
		}
	}
	h.flush(now)
}

// flush makes what waits durable, all of it together, unless a flush is on its way: then the next one does.
func (h *Host) flush(now instant.Instant) {
	if h.flushing > 0 || len(h.waiting) == 0 || h.full {
		return
	}
	h.flushing = len(h.waiting)
	content, records := recordContent, false
	for _, effect := range h.waiting {
		if r, is := effect.(core.Record); is {
			content, records = content.With(uint64(r.Op)).WithText(r.ID), true
		}
	}
	if h.delays.Journal == 0 || !records {
		h.flushed(now)
		return
	}
	key := h.key.With(uint64(h.drawn.next(content)))
	h.engine.At(h.after(now, h.delays.Journal, key), key.Uint64(), (*flushDone)(h))
}

// Fill has the journal take nothing, or takes that back: then what waits becomes durable.
func (h *Host) Fill(now instant.Instant, full bool) {
	h.full = full
	if !h.dead {
		h.flush(now)
	}
}

// flushDone is the task that ends a flush.
type flushDone Host

// Run implements Task.
func (f *flushDone) Run(now instant.Instant) {
	if h := (*Host)(f); !h.dead {
		h.flushed(now)
	}
}

func (h *Host) flushed(now instant.Instant) {
	durable := h.waiting[:h.flushing]
	for _, effect := range durable {
		if r, ok := effect.(core.Record); ok {
			h.Journal.Apply(r)
		}
	}
	if h.Durable != nil {
		h.Durable()
	}
	for _, effect := range durable {
		h.carryOut(now, effect)
	}
	if h.dead {
		return
	}
	rest := copy(h.waiting, h.waiting[h.flushing:])
	clear(h.waiting[rest:])
	h.waiting = h.waiting[:rest]
	h.flushing = 0
	h.flush(now)
}

// carryOut does one effect. Orders are answered later, by a task, so no step runs inside another.
func (h *Host) carryOut(now instant.Instant, effect core.Effect) {
	if h.dead {
		return
	}
	switch effect := effect.(type) {
	case core.Record, core.Note: // the journal and the observers had them
	case core.Send:
		h.Clients.Sent(now, effect.Conn, effect.Msg)
	case core.CloseConn:
		h.Clients.Closed(now, effect.Conn)
	case core.PushExpected:
		h.Clients.PushExpected(now, effect.Push)
	case core.PushAdmitted:
		h.Clients.PushAdmitted(now, effect.Push)
	case core.PushRefused:
		h.Clients.PushRefused(now, effect.Push, effect.Ruling)
	case core.StartFetch:
		h.startFetch(now, effect)
	case core.CancelFetch:
		h.cancelFetch(now, effect)
	case core.DialPeer:
		h.dialPeer(now, effect)
	case core.SendPeer:
		if h.Peers != nil {
			h.Peers.Say(now, effect)
		}
	case core.AnswerPeer:
		if h.Peers != nil && h.Sign != nil {
			h.Peers.Say(now, core.SendPeer{Peer: effect.Peer, Msg: relay.Auth{Event: h.Sign(now, effect), IDOK: true}})
		}
	case core.HangUp:
		if h.Peers != nil {
			h.Peers.HangUp(now, effect.Peer)
		}
	case core.AskObjects, core.CreateRepository, core.RemoveRepository, core.ReadRefs, core.UpdateRefs, core.CopyObjects,
		core.TidyRepository, core.SearchEvents:
		key := h.key.With(uint64(h.drawn.next(orderedContent(effect))))
		o := &order{host: h, effect: effect, key: key}
		h.under = append(h.under, o)
		h.engine.At(h.after(now, h.delays.Order, key), key.Uint64(), o)
		if h.Begun != nil {
			h.Begun()
		}
	case core.CancelTidy:
		for _, o := range h.under { // none has the request if it has ended
			if e, is := o.effect.(core.TidyRepository); is && e.Request == effect.Request {
				o.canceled = true
			}
		}
	default:
		panic("sim: invariant: unknown effect")
	}
}

func (h *Host) after(now instant.Instant, longest time.Duration, key kernel.Key) instant.Instant {
	return now.Add(time.Duration(key.Below(int64(longest) + 1)))
}

// order is the task that carries out an order of the core and answers it.
type order struct {
	host     *Host
	effect   core.Effect
	key      kernel.Key // of what is drawn about it
	canceled bool
}

// errCanceled is what comes of an order that was taken back before it was carried out.
var errCanceled = errors.New("sim: the order was taken back")

// Run implements Task.
func (o *order) Run(now instant.Instant) {
	h := o.host
	if h.dead {
		return
	}
	at := slices.Index(h.under, o)
	h.under = slices.Delete(h.under, at, at+1)
	switch e := o.effect.(type) {
	case core.SearchEvents:
		h.Step(now, core.EventsFound{Request: e.Request, Found: e.Question.Find()})
	case core.AskObjects:
		missing, err := h.Git.Missing(e.Repo, e.OIDs)
		if err != nil {
			missing = e.OIDs
		}
		h.Step(now, core.ObjectFacts{Request: e.Request, Missing: missing})
	case core.CopyObjects:
		facts := core.ObjectFacts{Request: e.Request}
		if h.Git.Copy(never{}, e.Repo, e.From, e.OIDs) != nil {
			facts.Missing = e.OIDs
		}
		h.Step(now, facts)
	case core.CreateRepository:
		h.ordered(now, e.Request, e.Repo, h.Git.Create(e.Repo))
	case core.RemoveRepository:
		h.ordered(now, e.Request, e.Repo, h.Git.Remove(e.Repo))
	case core.UpdateRefs:
		h.ordered(now, e.Request, e.Repo, h.Git.Update(e.Repo, e.Commands, e.Head))
	case core.TidyRepository:
		err := errCanceled
		if !o.canceled {
			err = h.Git.Tidy(never{}, e.Repo, e.Keep)
		}
		h.ordered(now, e.Request, e.Repo, err)
	case core.ReadRefs:
		disk := h.OnDisk(e.Repo)
		h.Step(now, core.RepositoryDone{Request: e.Request, OK: disk != nil, Disk: disk})
	}
}

// ordered answers an order. One that failed may have been carried out in part, so the refs are read behind it.
func (h *Host) ordered(now instant.Instant, request core.RequestID, id repo.ID, err error) {
	done := core.RepositoryDone{Request: request, OK: err == nil}
	if err != nil {
		done.Disk = h.OnDisk(id)
	}
	h.Step(now, done)
}

// OnDisk says what there is of a repository, nil if that could not be read.
func (h *Host) OnDisk(id repo.ID) *core.OnDisk {
	refs, err := h.Git.Refs(id)
	if err != nil && !errors.Is(err, gitstore.ErrNoRepository) {
		return nil
	}
	return &core.OnDisk{There: err == nil, Refs: refs}
}

// Deadline implements Timer.
func (h *Host) Deadline() (instant.Instant, bool) {
	if h.dead || h.Machine == nil {
		return 0, false
	}
	return h.Machine.Deadline()
}

// Fire implements Timer.
func (h *Host) Fire(now instant.Instant) { h.Step(now, core.TimerFired{}) }

// Idle reports whether nothing is under way on the host: no flush, no order and no push.
func (h *Host) Idle() bool { return len(h.waiting) == 0 && h.Machine.Idle() }
