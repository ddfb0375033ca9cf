package node

import (
	"sync"

	"github.com/graspkit/graspkit/reference/core"
)

// A Fetcher gets git objects from other hosts into the repositories of the node. Its methods return at once.
type Fetcher interface {
	// Start begins a fetch. Done is called exactly once when it has ended, from any goroutine, also from within Start, and
	// never blocks. What the fetch brings is in the repository by then, and after that nothing comes any more.
	Start(f core.StartFetch, done func(core.FetchDone))
	// Cancel asks for the end of a fetch; one that has ended or never began is no error.
	Cancel(id core.FetchID)
}

// fetched collects the ends of fetches until the core's goroutine takes them.
type fetched struct {
	mu    sync.Mutex // guards items
	items []item
}

func (f *fetched) add(in core.FetchDone) {
	f.mu.Lock()
	f.items = append(f.items, item{input: in})
	f.mu.Unlock()
}

// take returns what has come.
func (f *fetched) take() []item {
	f.mu.Lock()
	defer f.mu.Unlock()
	items := f.items
	f.items = nil
	return items
}

// pending reports whether some have come that nobody has taken.
func (f *fetched) pending() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.items) > 0
}

func (n *Node) startFetch(e core.StartFetch) {
	done := func(in core.FetchDone) {
		n.fetched.add(in)
		n.wakeUp()
	}
	if n.fetcher == nil {
		done(core.FetchDone{Fetch: e.Fetch, Failure: core.FetchUnreachable})
		return
	}
	n.fetcher.Start(e, done)
}

func (n *Node) cancelFetch(e core.CancelFetch) {
	if n.fetcher != nil {
		n.fetcher.Cancel(e.Fetch)
	}
}
