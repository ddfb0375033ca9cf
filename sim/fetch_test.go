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
	key     kernel.Key
	n       uint64
	open    int
	most    int
	fetches int
}

func (r *remotes) Fetch(now instant.Instant, f core.StartFetch) sim.Ending {
	r.n++
	key := r.key.With(r.n)
	r.open++
	r.fetches++
	r.most = max(r.most, r.open)
	e := sim.Ending{At: now.Add(time.Duration(key.Below(int64(time.Minute)))), Over: func(instant.Instant) { r.open-- }}
	switch key.WithText("outcome").Below(3) {
	case 0:
		e.Done.Failure = core.FetchTimeout
	case 1:
		e.Done.Failure = core.FetchNotFound
	default:
		e.Done.Got = true
		e.Bring = func(store sim.Git) error { return store.(*sim.Model).Take(f.Repo, f.OIDs) }
	}
	return e
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
				Remotes: func(server int) sim.Remotes {
					r := &remotes{key: kernel.NewKey(seed, "remotes").With(uint64(server))}
					hosts = append(hosts, r)
					return r
				},
			})
			held(t, o)
			if o.Fact("fetch_started") == 0 || o.Fact("fetch_ended") == 0 {
				t.Errorf("seed %d: got %d fetches started and %d ended, want some", seed, o.Fact("fetch_started"), o.Fact("fetch_ended"))
			}
			for _, r := range hosts {
				if r.open != 0 {
					t.Errorf("seed %d: got %d fetches without an end", seed, r.open)
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

type slowRemote struct{ brought, over int }

func (r *slowRemote) Fetch(now instant.Instant, f core.StartFetch) sim.Ending {
	return sim.Ending{
		At: now.Add(time.Minute), Done: core.FetchDone{Got: true}, Over: func(instant.Instant) { r.over++ },
		Bring: func(store sim.Git) error {
			r.brought++
			return store.(*sim.Model).Take(f.Repo, f.OIDs)
		},
	}
}

// Every fetch ends once; a canceled one brings nothing, one whose repository is gone says so, and a crash ends all.
func TestFetchesEndOnce(t *testing.T) {
	e := sim.NewEngine(1, 0)
	h := sim.NewHost("host", e, 1, sim.Delays{})
	f, r := &fetching{}, &slowRemote{}
	h.Machine, h.Git, h.Remotes = f, sim.NewModel(), r
	h.Step(0, core.Message{})
	h.Step(0, core.Message{})
	e.Settle()
	if len(f.ended) != 2 || f.ended[0].Failure != core.FetchCanceled || f.ended[1].Failure != core.FetchLocalError || r.over != 2 || r.brought != 1 {
		t.Errorf("got %+v, %d over and %d brought", f.ended, r.over, r.brought)
	}
	h.Step(e.Now(), core.Message{})
	h.Crash()
	e.Settle()
	if len(f.ended) != 2 || r.over != 3 || r.brought != 1 {
		t.Errorf("after the crash: got %+v, %d over and %d brought", f.ended, r.over, r.brought)
	}
	h = sim.NewHost("other", e, 1, sim.Delays{})
	f = &fetching{}
	h.Machine, h.Git = f, sim.NewModel()
	h.Step(e.Now(), core.Message{})
	e.Settle()
	if len(f.ended) != 1 || f.ended[0].Failure != core.FetchUnreachable {
		t.Errorf("without remotes: got %+v", f.ended)
	}
}
