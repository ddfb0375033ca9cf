package sim

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// Remotes are the git hosts out there, as a host's fetches reach them. A method must not step the host.
type Remotes interface {
	// Fetch begins a fetch and decides how it ends.
	Fetch(now instant.Instant, f core.StartFetch) Ending
}

// An Ending is how a fetch ends, and when, if it is not canceled before.
type Ending struct {
	At    instant.Instant
	Done  core.FetchDone            // the host fills in Fetch
	Bring func(store Git) error     // puts what Done says has come into the store, at At; nil if nothing comes
	Over  func(now instant.Instant) // told once of the end, that by a cancellation or a crash included; may be nil
}

// fetch is the task that ends a fetch.
type fetch struct {
	host   *Host
	id     core.FetchID
	ending Ending
	over   bool // ended or canceled
}

// Run implements Task.
func (f *fetch) Run(now instant.Instant) {
	if f.over {
		return
	}
	f.end(now)
	done := f.ending.Done
	if f.ending.Bring != nil && f.ending.Bring(f.host.Git) != nil {
		done = core.FetchDone{Failure: core.FetchLocalError}
	}
	done.Fetch = f.id
	f.host.Step(now, done)
}

func (f *fetch) end(now instant.Instant) {
	f.over = true
	delete(f.host.fetches, f.id)
	if f.ending.Over != nil {
		f.ending.Over(now)
	}
}

// startFetch begins a fetch. Without remotes nobody can be reached.
func (h *Host) startFetch(now instant.Instant, e core.StartFetch) {
	ending := Ending{At: now, Done: core.FetchDone{Failure: core.FetchUnreachable}}
	if h.Remotes != nil {
		ending = h.Remotes.Fetch(now, e)
	}
	f := &fetch{host: h, id: e.Fetch, ending: ending}
	h.fetches[e.Fetch] = f
	h.engine.At(max(now, ending.At), h.key.WithText("fetch").With(uint64(e.Fetch)).Uint64(), f)
}

// cancelFetch ends a fetch at once; what it would have brought does not come.
func (h *Host) cancelFetch(now instant.Instant, e core.CancelFetch) {
	if f := h.fetches[e.Fetch]; f != nil {
		f.end(now)
		canceled := &fetch{host: h, id: e.Fetch, ending: Ending{Done: core.FetchDone{Failure: core.FetchCanceled}}}
		h.engine.At(now, h.key.WithText("cancel").With(uint64(e.Fetch)).Uint64(), canceled)
	}
}

// dropFetches ends what a crash cuts off.
func (h *Host) dropFetches() {
	for _, id := range slices.Sorted(maps.Keys(h.fetches)) {
		h.fetches[id].end(h.engine.Now())
	}
}

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
