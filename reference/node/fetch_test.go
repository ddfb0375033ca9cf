package node_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/node"
)

// A fetcher keeps fetches open until a test ends them.
type fetcher struct {
	mu       sync.Mutex
	open     map[core.FetchID]func(core.FetchDone)
	canceled []core.FetchID
	atOnce   bool
}

func (f *fetcher) Start(e core.StartFetch, done func(core.FetchDone)) {
	if f.atOnce {
		done(core.FetchDone{Fetch: e.Fetch, Failure: core.FetchCanceled})
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open[e.Fetch] = done
}

func (f *fetcher) Cancel(id core.FetchID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.canceled = append(f.canceled, id)
}

// fetching is a machine that starts two fetches at its start, and cancels the second when the first has ended.
func fetching(ended chan<- core.FetchDone) *machine {
	m := &machine{}
	m.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		switch in := in.(type) {
		case core.Started:
			for id := core.FetchID(1); id <= 2; id++ {
				out.List = append(out.List, core.StartFetch{Fetch: id, Repo: demo(), URL: "https://h.test/x.git"})
			}
		case core.FetchDone:
			if in.Fetch == 1 {
				out.List = append(out.List, core.CancelFetch{Fetch: 2})
			}
			ended <- in
		}
	}
	return m
}

func TestFetchesEndOnce(t *testing.T) {
	ended := make(chan core.FetchDone, 2)
	f := &fetcher{open: map[core.FetchID]func(core.FetchDone){}}
	n := begin(t, node.Config{Machine: fetching(ended), Fetcher: f})
	synced(t, n)
	want := core.FetchDone{Fetch: 1, Got: true}
	f.open[1](want)
	if diff := cmp.Diff(want, <-ended); diff != "" {
		t.Error(diff)
	}
	synced(t, n)
	f.mu.Lock()
	defer f.mu.Unlock()
	if diff := cmp.Diff([]core.FetchID{2}, f.canceled); diff != "" {
		t.Error(diff)
	}
	go f.open[2](core.FetchDone{Fetch: 2, Failure: core.FetchCanceled})
	if got := <-ended; got.Fetch != 2 {
		t.Errorf("got %+v", got)
	}
}

// Who waits for the node waits for what follows from every fetch that has ended, whichever of the two the core hears of
// first.
func TestSyncHearsOfFetchesThatEnded(t *testing.T) {
	const rounds = 200
	gate := make(chan struct{})
	heard := 0 // belongs to the goroutine of the core until the node has settled
	f := &fetcher{open: map[core.FetchID]func(core.FetchDone){}}
	next := func(out *core.Effects) {
		out.List = append(out.List, core.StartFetch{Fetch: core.FetchID(heard), Repo: demo(), URL: "https://h.test/x.git"})
	}
	m := &machine{step: func(_ instant.Instant, in core.Input, out *core.Effects) {
		switch in.(type) {
		case core.Started:
			next(out)
		case core.Message:
			<-gate
		case core.FetchDone:
			for range 100 {
				runtime.Gosched() // whoever does not wait for this goes on
			}
			heard++
			next(out)
		}
	}}
	n := begin(t, node.Config{Machine: m, Fetcher: f})
	c := connect(t, n)
	defer c.Close()
	for round := range rounds {
		f.mu.Lock()
		end := f.open[core.FetchID(round)]
		f.mu.Unlock()
		receive(t, c, `["CLOSE","x"]`) // the core is busy, so that both wait for it
		end(core.FetchDone{Fetch: core.FetchID(round), Got: true})
		settled := make(chan struct{})
		go func() {
			defer close(settled)
			synced(t, n)
		}()
		runtime.Gosched()
		gate <- struct{}{}
		<-settled
		if heard != round+1 {
			t.Fatalf("round %d: the core has heard of %d ends", round, heard)
		}
	}
}

// Without a fetcher, and with one that is full, the core hears so and goes on.
func TestFetchesThatCannotStart(t *testing.T) {
	for want, f := range map[core.FetchFailure]node.Fetcher{
		core.FetchUnreachable: nil, core.FetchCanceled: &fetcher{atOnce: true},
	} {
		ended := make(chan core.FetchDone, 2)
		begin(t, node.Config{Machine: fetching(ended), Fetcher: f})
		for range 2 {
			if got := <-ended; got.Got || got.Failure != want {
				t.Errorf("got %+v, want failure %d", got, want)
			}
		}
	}
}
