// Package simtarget is a simulated server as a Target: the same core, relay frames, HTTP routes and git conversations as
// the live one, with real signatures and real packs, over virtual time and without sockets. It judges nothing. It is not
// pure, for a Target speaks net/http and may be used from several goroutines; one lock serves them one after the other.
package simtarget

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/relayhost"
)

// serviceURL is where the simulated server believes to be.
const serviceURL = "http://grasp.example:8080"

// huntBound is by when whatever needs git data has been asked for: longer than any queue that a check makes.
const huntBound = time.Hour

// Options say what server is simulated. The zero value is the reference as it is. Hooks that are nil change nothing;
// each is called anew when the server restarts.
type Options struct {
	Seed    uint64
	Config  func(*core.Config)
	Web     func(*web.Config)
	Answer  func(web.Request, web.Route) web.Route
	Wrap    func(core.Machine) core.Machine
	Body    func(gitproto.Service, io.Reader) io.Reader
	Backend func(gitstore.Backend) gitstore.Backend
	Front   func(http.Handler) http.Handler
	// Signed reports whether this process has made the signature of an event, and need not find out that it is good; nil is
	// never. Most of the time of a simulated server goes into signatures.
	Signed func(*nostr.Event) bool
}

// A Target is one simulated server.
type Target struct {
	mu       sync.Mutex
	opts     Options
	engine   *sim.Engine
	node     *sim.Node
	store    *gitstore.Memory
	backend  gitstore.Backend
	web      web.Config
	config   core.Config
	monitor  *invariant.Monitor
	fuse     bool // the next push ends the server, once its refs have moved
	conns    map[core.ConnID]*conn
	last     core.ConnID
	verified map[string]bool
	push     pushes
	stalled  time.Duration // of the next push
	gone     error         // why there is no server any more

	hosts   map[string]*gitHost // by authority
	named   int                 // hosts so far
	carrier *sim.Carrier        // of the present life

	relays      map[string]*fakeRelay // by authority
	relaysNamed int                   // relays so far
	relayConns  relayhost.ConnID      // connections to them so far
	peers       *peers                // of the present life
}

// pushes is the state of the push that is under way; there is at most one.
type pushes struct {
	id       core.PushID
	offer    core.PushOffered
	answered bool // what was handed over last
	ruling   policy.Ruling
	expected bool // its pack may come
}

var (
	_ target.Target        = (*Target)(nil)
	_ target.ClockAdvancer = (*Target)(nil)
	_ target.Membered      = (*Target)(nil)
	_ target.Restarter     = (*Target)(nil)
	_ target.Killer        = (*Target)(nil)
	_ target.World         = (*Target)(nil)
	_ sim.Clients          = (*Target)(nil)
)

// New returns a running server with nothing in it. The clock stands at 2026-01-01T00:00:00Z.
func New(opts Options) *Target {
	service, err := repo.ParseService(serviceURL)
	if err != nil {
		panic("simtarget: invariant: own service: " + err.Error())
	}
	t := &Target{
		opts: opts, engine: sim.NewEngine(opts.Seed, sim.Start), store: gitstore.NewMemory(gitstore.Limits{}),
		config: core.Config{
			Service: service, Hunt: core.HuntConfig{On: true, AllowPrivate: true},
			Sync: core.SyncConfig{On: true, Config: replicate.Config{AllowPrivate: true, Seed: opts.Seed}},
		},
		verified: map[string]bool{}, conns: map[core.ConnID]*conn{},
		hosts: map[string]*gitHost{}, relays: map[string]*fakeRelay{},
		web: web.Config{
			Service: service, Name: "graspkit simulation", Description: "A GRASP server in virtual time.",
			Grasps: []string{"GRASP-01"}, NIPs: web.NIPs(),
		},
	}
	if opts.Config != nil {
		opts.Config(&t.config)
	}
	if t.config.Sync.On {
		t.web.Grasps = append(t.web.Grasps, "GRASP-02")
	}
	if t.config.Sync.On && t.config.Sync.Plus.On {
		t.web.Grasps = append(t.web.Grasps, web.GraspSyncPlus)
	}
	if t.config.Sync.Identity {
		t.web.Self = t.ServiceKey()
	}
	if t.web.Private = t.config.Private.On; t.web.Private {
		t.web.Grasps = append(t.web.Grasps, web.GraspPrivate)
	}
	t.web.Contributions = t.config.Contributions.On
	t.web.Archive, t.web.ReadOnly = t.config.Archive.Scope.Entries(), t.config.Archive.ReadOnly
	if opts.Web != nil {
		opts.Web(&t.web)
	}
	t.backend = t.store
	if opts.Backend != nil {
		t.backend = opts.Backend(t.backend)
	}
	t.backend = stalling{t.backend, t}
	life := t.config.PurgatoryLife
	if life == 0 {
		life = core.PurgatoryLife
	}
	t.monitor = invariant.New("sim", service, life, watched())
	if h := t.config.Hunt; h.On {
		t.monitor.Hunts(invariant.Hunt{
			UserDelay: h.UserDelay, SyncDelay: h.SyncDelay, Concurrent: h.Concurrent, Rate: h.Rate, Bound: huntBound,
		})
	}
	if t.config.Model == repo.Reciprocal {
		t.monitor.Reciprocal()
	}
	if t.config.Contributions.On {
		t.monitor.Contributes()
	}
	if t.config.Sync.On && t.config.Sync.Plus.On {
		t.monitor.SyncsPlus()
	}
	t.monitor.Archives(t.config.Archive.Scope.Entries(), t.config.Archive.ReadOnly)
	t.node = sim.NewNode("sim", t.engine)
	t.node.Git, t.node.Clients, t.node.Seed, t.node.Observe = t.backend, t, opts.Seed, []sim.Observer{t.monitor}
	t.node.There, t.node.Machine, t.node.Remotes, t.node.Heard = t.backend.Repositories, t.machine, t.remotes, t.heard
	t.node.Peers, t.node.Sign = t.peersOf, t.signs
	t.boot()
	return t
}

// boot starts a server on what the journal and the store hold, and lets it come to rest.
func (t *Target) boot() {
	t.node.Boot(t.engine.Now())
	t.engine.Settle()
}

// machine is a new server.
func (t *Target) machine() core.Machine {
	var m core.Machine = core.New(t.config)
	if t.opts.Wrap != nil {
		m = t.opts.Wrap(m)
	}
	return m
}

// remotes are what the next life of the server reaches.
func (t *Target) remotes() sim.Remotes {
	t.carrier = sim.NewCarrier(t.engine, t.opts.Seed, "sim", t.node.Life())
	t.carrier.Locate, t.carrier.Asked, t.carrier.Left = t.locate, t.monitor.Asked, t.monitor.Left
	return t.carrier
}

// Name implements target.Target.
func (t *Target) Name() string { return "sim" }

// World implements target.World.
func (t *Target) World() string { return "sim" }

// ServiceURL implements target.Target.
func (t *Target) ServiceURL() string { return serviceURL }

// Now implements target.Target.
func (t *Target) Now() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Unix(0, int64(t.engine.Now())).UTC()
}

// Sleep implements target.Target. It takes no time.
func (t *Target) Sleep(ctx context.Context, d time.Duration) error { return t.Advance(ctx, d) }

// Advance implements target.ClockAdvancer: deadlines come at their instants, in order.
func (t *Target) Advance(ctx context.Context, d time.Duration) (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.mourn(&err)
	if err := canceled(ctx); err != nil {
		return err
	}
	t.engine.RunUntil(t.engine.Now().Add(max(d, 0)))
	t.engine.Settle()
	return nil
}

// canceled reports whether the caller has given up. A deadline of ctx is one of real time and means nothing here.
func canceled(ctx context.Context) error {
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return fmt.Errorf("simulated server: %w", err)
	}
	return nil
}

// Violations are the invariants that the server has broken so far.
func (t *Target) Violations() []invariant.Violation {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.monitor.Violations
}

// verifiedMax bounds how many good signatures are remembered; then all are forgotten.
const verifiedMax = 100_000

// verify checks a signature once; a second look costs a thousandth.
func (t *Target) verify(m relay.Event) bool {
	if !m.IDOK {
		return false
	}
	key := m.Event.ID + m.Event.Sig
	if t.verified[key] {
		return true
	}
	if t.opts.Signed != nil && t.opts.Signed(m.Event) {
		return true
	}
	if !relay.Verify(m.Event) {
		return false
	}
	if len(t.verified) >= verifiedMax {
		clear(t.verified)
	}
	t.verified[key] = true
	return true
}
