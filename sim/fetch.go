package sim

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// Remotes are the git hosts out there, as a host's fetches reach them. A method must not step the host.
type Remotes interface {
	// Fetch begins a fetch. Done is called once when it has ended, canceled or not, by a task or a timer and never from
	// within Fetch; what has come is in the store of the host by then. The Fetch of its argument is filled in.
	Fetch(now instant.Instant, f core.StartFetch, done func(now instant.Instant, in core.FetchDone))
	// CancelFetch asks for the end of a fetch; one that has ended is no error.
	CancelFetch(now instant.Instant, id core.FetchID)
	// DropFetches says that the host has crashed: what is under way reaches neither server nor store any more, and
	// nobody is told.
	DropFetches(now instant.Instant)
}

// startFetch begins a fetch. Without remotes nobody can be reached.
func (h *Host) startFetch(now instant.Instant, e core.StartFetch) {
	done := func(now instant.Instant, in core.FetchDone) {
		in.Fetch = e.Fetch
		h.Step(now, in)
	}
	if h.Remotes == nil {
		h.engine.At(now, h.key.WithText("fetch").With(uint64(e.Fetch)).Uint64(), unreachable(done))
		return
	}
	h.Remotes.Fetch(now, e, done)
}

func (h *Host) cancelFetch(now instant.Instant, e core.CancelFetch) {
	if h.Remotes != nil {
		h.Remotes.CancelFetch(now, e.Fetch)
	}
}

// unreachable is the task that ends a fetch from nowhere.
type unreachable func(now instant.Instant, in core.FetchDone)

// Run implements Task.
func (u unreachable) Run(now instant.Instant) { u(now, core.FetchDone{Failure: core.FetchUnreachable}) }

// Take puts objects of a fetch into a repository.
func (m *Model) Take(id repo.ID, oids []repo.OID) error {
	r := m.repositories[id]
	if r == nil {
		return gitstore.ErrNoRepository
	}
	for _, oid := range oids {
		r.objects[oid] = true
	}
	return nil
}
