package sim

import (
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/trace"
)

// A server is one simulated GRASP server with its host, its store and its judge. Every life of it has its own
// connections: in life l (from 0) that of actor a is number l times the number of actors, plus a, plus 1.
type server struct {
	world   *World
	index   int
	name    string
	host    *Host
	model   *Model
	monitor *invariant.Monitor
	pushes  map[core.PushID]*push
	service repo.Service
	last    core.PushID
	sends   uint64
	steps   uint64 // of earlier lives
	life    int
	open    bool // takes clients
	key     kernel.Key
}

// push is one push from the moment it reached the server to its end.
type push struct {
	by       *actor
	repo     repo.ID
	commands []gitproto.Command
}

func (w *World) addServer(index int, service repo.Service) {
	s := &server{
		world: w, index: index, name: service.Host[:len(service.Host)-len(".example")], model: NewModel(),
		pushes: map[core.PushID]*push{}, key: w.links.With(uint64(index)), service: service,
	}
	if !w.opts.Unseen {
		s.monitor = invariant.New(s.name, service, w.life(), w.scenario.Invariants)
		s.monitor.Limit(invariant.Limits{Held: w.scenario.Constants.HeldMax, HeldBytes: w.scenario.Constants.HeldBytesMax})
		if h := w.scenario.Hunt; h.Bound > 0 {
			s.monitor.Hunts(invariant.Hunt{
				UserDelay: h.UserDelay, SyncDelay: h.SyncDelay, Concurrent: h.Concurrent, Rate: h.Rate, Bound: h.Bound,
				Flush: 2 * w.delays().Journal, // that which runs, and the next
			})
		}
	}
	w.servers = append(w.servers, s)
}

// delays are how slow the servers' disks are.
func (w *World) delays() Delays {
	if w.opts.Delays != (Delays{}) {
		return w.opts.Delays
	}
	return Delays{Journal: journalDelay, Order: orderDelay}
}

// boot begins a life of the server on what survived the last one.
func (s *server) boot(now instant.Instant, journal *core.Survivors) {
	w := s.world
	s.host = NewHost(s.name, w.engine, w.seed+uint64(s.life), w.delays())
	s.host.Git, s.host.Clients, s.host.Journal = s.model, s, journal
	k := w.scenario.Constants
	s.host.Machine = core.New(core.Config{
		Service: s.service, PurgatoryLife: k.PurgatoryLife, Hunt: w.hunt(),
		HeldMax: k.HeldMax, HeldBytesMax: k.HeldBytesMax, HeldPerKeyMax: k.HeldPerKeyMax, HeldBytesPerKeyMax: k.HeldBytesPerKeyMax,
		StoredMax: k.StoredMax, StoredBytesMax: k.StoredBytesMax, PlaceholdersMax: k.PlaceholdersMax,
		TombstonesMax: k.TombstonesMax, ExpiredMax: k.ExpiredMax, SearchAtOnce: k.SearchAtOnce,
	})
	if w.opts.Git != nil {
		s.host.Git = w.opts.Git(s.index, s.host.Git)
	}
	if len(w.outside) > 0 {
		s.host.Remotes = newAsking(s)
	}
	if w.opts.Remotes != nil {
		s.host.Remotes = w.opts.Remotes(s.index, w.engine, s.model)
	}
	if w.opts.Wrap != nil {
		s.host.Machine = w.opts.Wrap(s.index, s.host.Machine)
	}
	if s.host.Remotes != nil {
		s.host.Remotes = overheard{s.host.Remotes, s}
	}
	if s.monitor != nil {
		s.host.Observe = []Observer{s, s.monitor, (*judge)(s)}
	}
	if err := s.host.Start(now, s.model.Repositories()); err != nil {
		panic("sim: invariant: start a server: " + err.Error())
	}
	(*admission)(s).Run(now)
}

// repositories lists what the store has.
func (s *server) repositories() []core.RepositoryRefs {
	var all []core.RepositoryRefs
	for _, id := range s.model.Repositories() {
		if refs, err := s.model.Refs(id); err == nil {
			all = append(all, core.RepositoryRefs{ID: id, Refs: refs})
		}
	}
	return all
}

// admission is the task that lets clients in, as soon as a started server is idle.
type admission server

// admissionEvery is how often a starting server is looked at.
const admissionEvery = time.Second

// Run implements Task.
func (a *admission) Run(now instant.Instant) {
	s := (*server)(a)
	if !s.host.Idle() {
		s.world.engine.At(now.Add(admissionEvery), s.key.Uint64(), a)
		return
	}
	s.open = true
	for _, actor := range s.world.actors {
		s.host.Step(now, core.ConnOpened{Conn: s.conn(actor)})
		if actor.project != nil {
			actor.ask(now, s)
		}
	}
}

// conn is the connection of an actor in the present life.
func (s *server) conn(a *actor) core.ConnID {
	return core.ConnID(s.life*len(s.world.actors) + a.index + 1)
}

// crash is the task that ends a life of a server, and begins the next one some time later.
type crash struct {
	server *server
	down   time.Duration
}

// Run implements Task.
func (c *crash) Run(now instant.Instant) {
	s := c.server
	s.world.record(trace.Record{At: now, Host: s.name, Fact: "server_crashed", Count: s.life})
	s.world.see(now, s.name, "lost", s.host.waiting)
	s.host.Crash()
	s.steps += s.host.Steps()
	s.open = false
	s.life++
	clear(s.pushes) // what receives a pack dies with the server
	s.world.engine.At(now.Add(c.down), s.key.Uint64(), (*restart)(s))
}

// restart is the task that starts a server again.
type restart server

// Run implements Task.
func (r *restart) Run(now instant.Instant) {
	s := (*server)(r)
	s.world.record(trace.Record{At: now, Host: s.name, Fact: "server_started", Count: s.life})
	journal := s.host.Journal
	if s.world.opts.Forget {
		journal = core.NewSurvivors()
	}
	s.boot(now, journal)
}

// judge ends the run at the first violation: what happens after it proves nothing.
type judge server

// Stepped implements Observer.
func (j *judge) Stepped(instant.Instant, core.Input, []core.Effect) {
	if len(j.monitor.Violations) > 0 {
		j.world.engine.Halt()
	}
}

// Stepped implements Observer: the hash of the run covers the whole step, and the notes of the core become records.
func (s *server) Stepped(now instant.Instant, in core.Input, effects []core.Effect) {
	s.world.trace.Step(now, s.name, in, effects)
	for _, e := range effects {
		n, ok := e.(core.Note)
		if !ok {
			continue
		}
		s.world.record(trace.Record{
			At: now, Host: s.name, Fact: string(n.Fact), Event: n.Event, Kind: n.Kind, Owner: string(n.Repo.Owner),
			Identifier: n.Repo.Identifier, Push: uint64(n.Push), Requirement: n.Requirement, Detail: n.Reason, Count: n.Count,
		})
	}
}

// Sent implements Clients: the message goes over the link.
func (s *server) Sent(now instant.Instant, conn core.ConnID, msg relay.ServerMessage) {
	s.sends++
	key := s.key.WithText("down").With(uint64(conn)).With(uint64(now)).With(s.sends)
	a := s.world.actors[int(conn-1)%len(s.world.actors)]
	if answer, ok := msg.(relay.OK); ok && answer.Accepted && s.monitor != nil {
		s.monitor.Acknowledged(answer.ID)
	}
	s.world.deliver(now, key, a.name, func(at instant.Instant, n uint64) {
		s.world.engine.At(at, key.With(n).Uint64(), &answer{a, received{s.name, conn, msg}})
	})
}

// Closed implements Clients.
func (s *server) Closed(instant.Instant, core.ConnID) {}

// PushExpected implements Clients: the pack takes its time.
func (s *server) PushExpected(now instant.Instant, id core.PushID) {
	key := s.key.WithText("upload").With(uint64(id))
	s.world.engine.At(s.host.after(now, uploadDelay, key), key.Uint64(), &upload{s, id, key.WithText("lost").Chance(lostPacks)})
}

// PushAdmitted implements Clients: what is here is unpacked.
func (s *server) PushAdmitted(now instant.Instant, id core.PushID) {
	key := s.key.WithText("unpack").With(uint64(id))
	s.world.engine.At(s.host.after(now, s.world.delays().Order, key), key.Uint64(), &unpack{s, id, key.WithText("broken").Chance(brokenPacks)})
}

// PushRefused implements Clients.
func (s *server) PushRefused(now instant.Instant, id core.PushID, ruling policy.Ruling) {
	p := s.pushes[id]
	delete(s.pushes, id)
	s.world.record(trace.Record{
		At: now, Host: p.by.name, Fact: "push_answered", Push: uint64(id), Requirement: ruling.Requirement, Detail: "refused",
	})
}

// offer brings a push to the core, if that takes any.
func (s *server) offer(now instant.Instant, p *push) {
	if !s.open {
		s.world.record(trace.Record{At: now, Host: p.by.name, Fact: "request_lost", Detail: "server is down"})
		return
	}
	s.last++
	s.pushes[s.last] = p
	s.host.Step(now, core.PushAsked{Push: s.last, Repo: p.repo, Commands: p.commands})
}

// upload is the task that brings the pack of a push, or not.
type upload struct {
	server *server
	id     core.PushID
	lost   bool
}

// Run implements Task.
func (u *upload) Run(now instant.Instant) {
	s, p := u.server, u.server.pushes[u.id]
	switch {
	case p == nil: // the server crashed meanwhile
	case u.lost:
		delete(s.pushes, u.id)
		s.world.record(trace.Record{At: now, Host: p.by.name, Fact: "push_answered", Push: uint64(u.id), Detail: "the connection is lost"})
		s.host.Step(now, core.PushForgone{Push: u.id})
	default:
		s.host.Step(now, core.PushOffered{Push: u.id, Repo: p.repo, Commands: p.commands})
	}
}

// unpack is the task that carries out an admitted push.
type unpack struct {
	server *server
	id     core.PushID
	broken bool
}

// Run implements Task.
func (u *unpack) Run(now instant.Instant) {
	s, p := u.server, u.server.pushes[u.id]
	if p == nil {
		return // the server crashed meanwhile
	}
	delete(s.pushes, u.id)
	done := core.PushDone{Push: u.id, Report: s.model.Receive(p.repo, p.commands, u.broken)}
	if s.world.opts.Report != nil {
		done = s.world.opts.Report(s.index, done)
	}
	if !done.Report.Whole() {
		done.Disk = s.host.OnDisk(p.repo)
	}
	s.world.record(trace.Record{
		At: now, Host: p.by.name, Fact: "push_answered", Push: uint64(u.id), Detail: done.Report.Unpack, Count: len(p.commands),
	})
	s.host.Step(now, done)
}
