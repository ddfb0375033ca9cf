package sim

import (
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/identity"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/network"
	"github.com/graspkit/graspkit/sim/trace"
	"github.com/graspkit/graspkit/sim/workload"
)

// Start is the instant at which every run begins: 2026-01-01T00:00:00Z.
const Start = instant.Instant(1_767_225_600 * int64(time.Second))

// How slow the machines of the world are, at most.
const (
	journalDelay = 5 * time.Millisecond
	orderDelay   = 40 * time.Millisecond
	uploadDelay  = 5 * time.Second // of a pack
	brokenPacks  = 20_000          // of a million; that are here and cannot be unpacked
	lostPacks    = 20_000          // of a million; that never come
)

// Phases of a run after the scenario's duration: what was decided ends, then the owners close, for longer than a push
// needs on the slowest link, and then everything that waits for git data in vain expires.
const (
	lastWords = 3 * time.Minute
	closing   = 8 * time.Minute
)

// Options are what a run may differ in besides scenario and seed. The zero value is a plain run.
type Options struct {
	Sink    func(trace.Record)                                  // gets every record of the trace
	Named   func(id, name string)                               // is told the symbolic names of keys and events
	Keys    func(seed uint64, name string) identity.Identity    // has the keys of people; nil makes them anew in each run
	Chooser kernel.Chooser                                      // makes the decisions of the actors; nil draws them by the seed
	Wrap    func(server int, machine core.Machine) core.Machine // puts something between a core and its host
	Config  func(server int, cfg *core.Config)                  // changes the settings of a core
	Report  func(server int, in core.PushDone) core.PushDone    // changes what a store says of a push
	Git     func(server int, g Git) Git                         // puts something between a host and its store
	Remotes func(server int, e *Engine, store *Model) Remotes   // the git hosts that a server can reach; nil is the scenario's
	Hunt    core.HuntConfig                                     // how servers hunt; zero is as the scenario says
	Delays  Delays                                              // how slow the servers' disks are; zero is the usual
	Forget  bool                                                // loses the journals in every crash
	Alone   bool                                                // leaves out the model, to see what each invariant finds
	Unseen  bool                                                // leaves out trace and invariants, to measure them
}

// A World is one run: servers, git hosts, people, and the network between them.
type World struct {
	scenario scenarios.Scenario
	seed     uint64
	opts     Options
	engine   *Engine
	trace    *trace.Trace
	chooser  kernel.Chooser
	servers  []*server
	actors   []*actor
	projects []*workload.Project
	outside  []*outside
	relays   []*outrelay
	passing  map[string]nostr.Timestamp // versions that run out, where there are relays
	net      *network.Network
	digest   *trace.Digester
	pushed   tally
	end      instant.Instant // of the actors' work
	counts   counts
	deeds    deeds
}

// NewWorld builds the world of a scenario. It panics on a scenario that package scenarios would refuse.
func NewWorld(s scenarios.Scenario, seed uint64, opts Options) *World {
	w := &World{
		scenario: s, seed: seed, opts: opts, engine: NewEngine(seed, Start), trace: trace.New(opts.Sink),
		chooser: opts.Chooser, end: Start.Add(s.Duration), counts: counts{},
		net: network.New(seed, s.Links), digest: trace.NewDigester(), pushed: tally{}, deeds: newDeeds(s.Only),
		passing: map[string]nostr.Timestamp{},
	}
	if w.chooser == nil {
		w.chooser = kernel.NewSeeded(seed)
	}
	w.addOutside(s.Hosts)
	services := w.services()
	for n := 1; n <= s.Repositories; n++ {
		w.projects = append(w.projects, workload.New(w.keys, n, services, s.People, opts.Named))
	}
	for i, service := range services {
		w.addServer(i, service)
	}
	w.addRelays()
	rates := map[workload.Role]time.Duration{
		workload.Owner: s.Owner.Every, workload.Maintainer: s.Maintainer.Every, workload.Stranger: s.Stranger.Every,
	}
	for _, p := range w.projects {
		for _, role := range []workload.Role{workload.Owner, workload.Maintainer, workload.Stranger} {
			if rates[role] > 0 || role == workload.Owner {
				w.addActor(p, role, rates[role])
			}
		}
	}
	w.addArrivals()
	for _, o := range w.outside {
		for _, server := range w.servers {
			w.net.Between(server.Name, o.name, o.link)
		}
	}
	return w
}

// hunt is how servers hunt.
func (w *World) hunt() core.HuntConfig {
	h := w.scenario.Hunt
	if w.opts.Hunt.On || h.Bound == 0 {
		return w.opts.Hunt
	}
	return core.HuntConfig{On: true, UserDelay: h.UserDelay, SyncDelay: h.SyncDelay, Concurrent: h.Concurrent, Rate: h.Rate}
}

// keys are those of somebody.
func (w *World) keys(name string) identity.Identity {
	seed := w.seed
	if shared := w.scenario.People.Keys; shared > 0 {
		seed %= uint64(shared)
	}
	if w.opts.Keys != nil {
		return w.opts.Keys(seed, name)
	}
	return identity.New(seed, name)
}

// life is how long an event may wait for git data.
func (w *World) life() time.Duration {
	if w.scenario.Constants.PurgatoryLife > 0 {
		return w.scenario.Constants.PurgatoryLife
	}
	return core.PurgatoryLife
}

// record puts a fact of the world, as opposed to one of a core, into the trace.
func (w *World) record(r trace.Record) {
	if w.opts.Unseen {
		return
	}
	w.trace.Add(r)
	w.counts[r.Fact]++
}

// see has the hash of the run cover a value that somebody has seen or suffered.
func (w *World) see(now instant.Instant, host, what string, value any) {
	if !w.opts.Unseen {
		w.trace.Value(now, host, what, value)
	}
}

// run goes through the phases.
func (w *World) run() {
	w.plan()
	w.dismisses()
	for _, s := range w.servers {
		s.boot(Start)
	}
	for _, a := range w.actors {
		a.sleep(Start)
	}
	w.engine.RunUntil(w.end.Add(lastWords))
	w.asItIs()
	w.net.Heal()
	for _, r := range w.relays {
		r.host.Heal()
	}
	for _, s := range w.servers {
		s.healed(w.engine.Now())
	}
	w.recover()
	w.undisturbed()
	for _, a := range w.actors {
		if a.role == workload.Owner {
			a.perform(w.engine.Now(), "close", w.last(a, a.project.Close(w.engine.Now(), w.chooser)))
		}
	}
	w.engine.RunUntil(w.engine.Now().Add(closing + w.scenario.Sync.Bound))
	w.rest()
	w.quiet()
	w.complete()
	w.engine.RunUntil(w.engine.Now().Add(w.life()))
	w.engine.Settle()
	w.quiet()
	w.complete()
}

// undisturbed judges servers that sync before anybody does anything more: a last announcement has all asked for anew that speaks of its
// repository, and would find what was lost.
func (w *World) undisturbed() {
	if w.scenario.Sync.Bound > 0 {
		w.engine.RunUntil(w.engine.Now().Add(closing + w.scenario.Sync.Bound))
		w.complete()
	}
}

// restOrders is how many orders one after the other are waited for at the end: as many jobs as a repository may have waiting
// (core.JobsMax), each with a look at siblings, and each of a slow disk takes its time.
const restOrders = 16 * core.JobsMax

// rest goes on until no server has anything under way, for a while at most: a clock may run out at the last moment.
func (w *World) rest() {
	busy := func(s *server) bool { return s.open && !s.Idle() }
	end := w.engine.Now().Add(lastWords + restOrders*w.scenario.Disk.Order)
	for !w.engine.halted && w.engine.Now() < end && slices.ContainsFunc(w.servers, busy) {
		w.engine.RunUntil(w.engine.Now().Add(time.Second))
	}
}

// recover heals the hosts. What one of them has must have been found when the bound of the scenario is over.
func (w *World) recover() {
	bound := w.scenario.Hunt.Bound
	if bound == 0 {
		return
	}
	healed := w.engine.Now()
	for _, o := range w.outside {
		if o.model != nil {
			o.model.Heal()
		}
	}
	for _, s := range w.servers {
		if s.monitor != nil {
			s.monitor.Healed(healed, func(url string, oid repo.OID) bool { return w.has(healed, url, oid) })
		}
	}
	w.engine.RunUntil(healed.Add(bound))
	for _, s := range w.servers {
		if s.monitor != nil && !w.engine.halted {
			s.monitor.Found(w.engine.Now())
		}
	}
	if len(w.violations()) > 0 {
		w.engine.Halt()
	}
}

// quiet checks what must hold while nothing is under way.
func (w *World) quiet() {
	for _, s := range w.servers {
		if s.monitor != nil && !w.engine.halted {
			s.monitor.Quiet(w.engine.Now())
			s.monitor.Git(w.engine.Now(), s.repositories())
			s.naive.Quiet(w.engine.Now())
		}
	}
	if len(w.violations()) > 0 {
		w.engine.Halt()
	}
}

// asItIs has the models judge what there is before anything heals it.
func (w *World) asItIs() {
	for _, s := range w.servers {
		if s.naive != nil && s.open && !w.engine.halted {
			s.naive.Quiet(w.engine.Now())
		}
	}
	if len(w.violations()) > 0 {
		w.engine.Halt()
	}
}

// violations are those of all servers, in the order of servers.
func (w *World) violations() []invariant.Violation {
	var list []invariant.Violation
	for _, s := range w.servers {
		if s.monitor != nil {
			list = append(append(list, s.monitor.Violations...), s.naive.Differences...)
		}
	}
	return list
}
