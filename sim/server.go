package sim

import (
	"cmp"
	"fmt"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/model"
	"github.com/graspkit/graspkit/sim/trace"
)

// A server is the node of one GRASP server in a world, with its store and its judge. Every life of it has its own
// connections: after l lives and reconnections that of actor a is number l times the number of actors, plus a, plus 1.
type server struct {
	*Node
	world    *World
	index    int
	model    *Model
	monitor  *invariant.Monitor
	naive    *model.Model // says beside the monitor what may be seen
	pushes   map[core.PushID]*push
	service  repo.Service // as people read its origin
	operated repo.Service // as the server reads it
	last     core.PushID
	turns    map[int]int // how often an actor, by its index, has connected anew
	open     bool        // takes clients
	key      kernel.Key
	ills     ills
	lines    *Lines                // to other servers, of the present life or the last one
	called   map[core.ConnID]*Line // that others have made
	calls    core.ConnID           // how many they have made, in all lives
}

func (w *World) addServer(index int, service repo.Service) {
	name := fmt.Sprintf("server%d", index+1)
	s := &server{
		Node: NewNode(name, w.engine), world: w, index: index, model: NewModel(), pushes: map[core.PushID]*push{}, turns: map[int]int{},
		called: map[core.ConnID]*Line{}, key: kernel.NewKey(w.seed, "sim/server").WithText(name), service: service,
		operated: readOrigin(w.scenario.OriginOf(index + 1)),
	}
	s.Git, s.Clients, s.Seed, s.Delays = ailing{s}, s, w.seed, w.delays()
	s.There = func() ([]repo.ID, error) { return s.model.Repositories(), nil }
	s.Machine = s.machine
	if w.hunt().On || len(w.outside) > 0 || w.scenario.Servers > 1 || w.opts.Remotes != nil {
		s.Remotes = s.remotes
	}
	s.Peers = s.peers
	if s.private() {
		s.Sign = s.signs
	}
	if w.opts.Git != nil {
		s.Git = w.opts.Git(index, s.Git)
	}
	if !w.opts.Unseen {
		s.naive = w.naive(s)
		s.monitor = invariant.New(name, service, w.life(), w.scenario.Invariants)
		if w.scenario.Rules.Reciprocal {
			s.monitor.Reciprocal()
		}
		s.monitor.Archives(w.archived(index), scenarios.At(w.scenario.Rules.ReadOnly, index+1))
		if scenarios.At(w.scenario.Rules.Contributors, index+1) {
			s.monitor.Contributes()
		}
		k := w.scenario.Constants
		s.monitor.Limit(invariant.Limits{Held: k.HeldMax, HeldBytes: k.HeldBytesMax, Tombstones: k.TombstonesMax})
		if h := w.scenario.Hunt; h.Bound > 0 {
			s.monitor.Hunts(invariant.Hunt{
				UserDelay: h.UserDelay, SyncDelay: h.SyncDelay, Concurrent: h.Concurrent, Rate: h.Rate, Bound: h.Bound,
				Flush: 2 * w.delays().Journal, // that which runs, and the next
			})
		}
		s.Observe = []Observer{s, s.monitor, s.naive, (*judge)(s)}
		if w.opts.Alone {
			s.Observe = []Observer{s, s.monitor, (*judge)(s)}
		}
	}
	w.servers = append(w.servers, s)
}

// delays are how slow the servers' disks are.
func (w *World) delays() Delays {
	if w.opts.Delays != (Delays{}) {
		return w.opts.Delays
	}
	disk := w.scenario.Disk
	return Delays{Journal: cmp.Or(disk.Journal, journalDelay), Order: cmp.Or(disk.Order, orderDelay)}
}

// machine is a new server.
func (s *server) machine() core.Machine {
	w, k := s.world, s.world.scenario.Constants
	cfg := core.Config{
		Service: s.operated, PurgatoryLife: k.PurgatoryLife, Hunt: w.hunt(), Sync: s.synced(),
		HeldMax: k.HeldMax, HeldBytesMax: k.HeldBytesMax, HeldPerKeyMax: k.HeldPerKeyMax, HeldBytesPerKeyMax: k.HeldBytesPerKeyMax,
		StoredMax: k.StoredMax, StoredBytesMax: k.StoredBytesMax, PlaceholdersMax: k.PlaceholdersMax,
		TombstonesMax: k.TombstonesMax, ExpiredMax: k.ExpiredMax, SearchAtOnce: k.SearchAtOnce,
	}
	cfg.Contributions.WaitingMax = k.PlaceholdersMax
	w.ruled(s.index, &cfg)
	if w.opts.Config != nil {
		w.opts.Config(s.index, &cfg)
	}
	s.enrolls()
	var m core.Machine = core.New(cfg)
	if w.opts.Wrap != nil {
		m = w.opts.Wrap(s.index, m)
	}
	return m
}

// remotes are what the next life of the server reaches.
func (s *server) remotes() Remotes {
	w := s.world
	if w.opts.Remotes != nil {
		return overheard{w.opts.Remotes(s.index, w.engine, s.model), s}
	}
	c := NewCarrier(w.engine, w.seed, s.Name, s.Life())
	c.Locate = s.locate
	if s.monitor != nil {
		c.Asked, c.Left = s.monitor.Asked, s.monitor.Left
	}
	return overheard{c, s}
}

// boot begins a life of the server on what survived the last one.
func (s *server) boot(now instant.Instant) {
	if s.world.opts.Forget {
		s.Journal = core.NewSurvivors()
	}
	if s.Life() > 0 {
		s.world.record(trace.Record{At: now, Host: s.Name, Fact: "server_started", Count: s.Life()})
	}
	s.Boot(now)
	s.ills.booted(s, now)
	(&admission{s, s.Life()}).Run(now)
}

// end ends the life of the server: what receives a pack dies with it, and nobody is let in any more.
func (s *server) end(now instant.Instant) {
	s.world.see(now, s.Name, "lost", s.host.waiting)
	s.Crash()
	s.hangsUp(now)
	s.open = false
	clear(s.pushes)
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

// admission is the task that lets clients in, as soon as a server is idle that has begun a life.
type admission struct {
	server *server
	life   int
}

// admissionEvery is how often a starting server is looked at.
const admissionEvery = time.Second

// Run implements Task.
func (a *admission) Run(now instant.Instant) {
	s := a.server
	switch {
	case !s.goesOn(a.life) || s.ills.ending: // the next life has its own
		return
	case !s.Idle():
		s.world.engine.At(now.Add(admissionEvery), s.key.Uint64(), a)
		return
	}
	s.open = true
	for _, actor := range s.world.actors {
		if s.world.leftOut(actor) {
			continue
		}
		s.Step(now, s.opened(actor))
		if actor.project != nil && s.world.happens(actor.name+"/ask") {
			actor.ask(now, s)
		}
	}
}

// conn is the present connection of an actor.
func (s *server) conn(a *actor) core.ConnID {
	return core.ConnID((s.Life()-1+s.turns[a.index])*len(s.world.actors) + a.index + 1)
}

// judge ends the run at the first violation: what happens after it proves nothing.
type judge server

// Stepped implements Observer.
func (j *judge) Stepped(instant.Instant, core.Input, []core.Effect) {
	if len(j.monitor.Violations)+len(j.naive.Differences) > 0 {
		j.world.engine.Halt()
	}
}

// Stepped implements Observer: the hash of the run covers the whole step, and the notes of the core become records.
func (s *server) Stepped(now instant.Instant, in core.Input, effects []core.Effect) {
	s.world.trace.Step(now, s.Name, in, effects)
	for _, e := range effects {
		n, ok := e.(core.Note)
		if !ok {
			continue
		}
		s.world.record(trace.Record{
			At: now, Host: s.Name, Fact: string(n.Fact), Event: n.Event, Kind: n.Kind, Owner: string(n.Repo.Owner),
			Identifier: n.Repo.Identifier, Push: uint64(n.Push), Requirement: n.Requirement, Detail: detail(n), Count: n.Count,
		})
	}
}

// detail is what a note says in words: of which relay, and what.
func detail(n core.Note) string {
	if n.URL == "" || n.Reason == "" {
		return n.URL + n.Reason
	}
	return n.URL + ": " + n.Reason
}
