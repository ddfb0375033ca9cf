package sim_test

import (
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/kernel"
)

// remotes are hosts that have everything, or fail, as a draw says.
type remotes struct {
	engine  *sim.Engine
	store   *sim.Model
	key     kernel.Key
	open    map[core.FetchID]*remote
	n       uint64
	most    int
	brought int
}

// remote is the task that ends one fetch.
type remote struct {
	of   *remotes
	f    core.StartFetch
	done func(instant.Instant, core.FetchDone)
	key  kernel.Key
}

func newRemotes(e *sim.Engine, store *sim.Model, key kernel.Key) *remotes {
	return &remotes{engine: e, store: store, key: key, open: map[core.FetchID]*remote{}}
}

func (r *remotes) Fetch(now instant.Instant, f core.StartFetch, done func(instant.Instant, core.FetchDone)) {
	r.n++
	t := &remote{r, f, done, r.key.With(r.n)}
	r.open[f.Fetch] = t
	r.most = max(r.most, len(r.open))
	r.engine.At(now.Add(time.Second+time.Duration(t.key.Below(int64(time.Minute)))), t.key.Uint64(), t)
}

func (r *remotes) CancelFetch(now instant.Instant, id core.FetchID) {
	if t := r.open[id]; t != nil {
		delete(r.open, id)
		r.engine.At(now, t.key.WithText("cancel").Uint64(), canceled(t.done))
	}
}

func (r *remotes) DropFetches(instant.Instant) { clear(r.open) }

type canceled func(instant.Instant, core.FetchDone)

func (c canceled) Run(now instant.Instant) { c(now, core.FetchDone{Failure: core.FetchCanceled}) }

func (t *remote) Run(now instant.Instant) {
	if t.of.open[t.f.Fetch] != t {
		return // canceled, or dropped
	}
	delete(t.of.open, t.f.Fetch)
	var in core.FetchDone
	switch t.key.WithText("outcome").Below(3) {
	case 0:
		in.Failure = core.FetchTimeout
	case 1:
		in.Failure = core.FetchNotFound
	default:
		if t.of.store.Take(t.f.Repo, t.f.OIDs) != nil {
			in.Failure = core.FetchLocalError
			break
		}
		in.Got = true
		t.of.brought++
	}
	t.done(now, in)
}

// Worlds whose servers hunt at each other's places hold what must hold, and crash with fetches under way.
func TestHuntingWorldsHold(t *testing.T) {
	for _, name := range []string{"first", "crash"} {
		s, _, err := scenarios.Embedded(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Servers = 2
		for seed := range uint64(4) {
			var hosts []*remotes
			o := run(t, s, seed, sim.Options{
				Hunt: core.HuntConfig{On: true, UserDelay: time.Second},
				Remotes: func(server int, e *sim.Engine, store *sim.Model) sim.Remotes {
					r := newRemotes(e, store, kernel.NewKey(seed, "remotes").With(uint64(server)).With(uint64(len(hosts))))
					hosts = append(hosts, r)
					return r
				},
			})
			held(t, o)
			if o.Fact("fetch_started") == 0 || o.Fact("fetch_ended") == 0 {
				t.Errorf("seed %d: got %d fetches started and %d ended, want some", seed, o.Fact("fetch_started"), o.Fact("fetch_ended"))
			}
			for _, r := range hosts {
				if len(r.open) != 0 {
					t.Errorf("seed %d: got %d fetches without an end", seed, len(r.open))
				}
				if r.most > 5 {
					t.Errorf("seed %d: got %d fetches in flight at one host, want 5 at most", seed, r.most)
				}
			}
		}
	}
}

// fetching is a machine that starts a fetch with every message, and cancels the one before.
type fetching struct {
	puppet
	started core.FetchID
	ended   []core.FetchDone
}

func (f *fetching) Step(_ instant.Instant, in core.Input, out *core.Effects) {
	switch in := in.(type) {
	case core.Message:
		if f.started > 0 {
			out.List = append(out.List, core.CancelFetch{Fetch: f.started})
		}
		f.started++
		out.List = append(out.List, core.StartFetch{Fetch: f.started, Repo: repo.ID{Owner: "o", Identifier: "i"}, OIDs: []repo.OID{"1"}})
	case core.FetchDone:
		f.ended = append(f.ended, in)
	}
}

// Every fetch ends once, and after a crash nobody is told.
func TestFetchesEndOnce(t *testing.T) {
	e := sim.NewEngine(1, 0)
	h := sim.NewHost("host", e, 1, sim.Delays{})
	store := sim.NewModel()
	f, r := &fetching{}, newRemotes(e, store, kernel.NewKey(1, "remotes"))
	h.Machine, h.Git, h.Remotes = f, store, r
	h.Step(0, core.Message{})
	h.Step(0, core.Message{})
	e.Settle()
	if len(f.ended) != 2 || f.ended[0].Fetch != 1 || f.ended[0].Failure != core.FetchCanceled || f.ended[1].Fetch != 2 || f.ended[1].Got {
		t.Errorf("got %+v, want the first canceled and the second failed", f.ended)
	}
	h.Step(e.Now(), core.Message{})
	h.Crash()
	e.Settle()
	if len(f.ended) != 2 || len(r.open) != 0 {
		t.Errorf("after the crash: got %+v and %d open", f.ended, len(r.open))
	}
	h = sim.NewHost("other", e, 1, sim.Delays{})
	f = &fetching{}
	h.Machine, h.Git = f, store
	h.Step(e.Now(), core.Message{})
	e.Settle()
	if len(f.ended) != 1 || f.ended[0].Failure != core.FetchUnreachable {
		t.Errorf("without remotes: got %+v", f.ended)
	}
}
