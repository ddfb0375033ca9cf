package simtarget

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// An Ended is how and when a fetch ended.
type Ended struct {
	At instant.Instant
	core.FetchDone
}

// Fetch begins a fetch and appends to ended when it is over.
func (t *Target) Fetch(id uint64, into repo.ID, url string, oids []repo.OID, ended *[]Ended) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := core.StartFetch{Fetch: core.FetchID(id), Repo: into, URL: url, OIDs: oids}
	t.carrier.Fetch(t.engine.Now(), f, func(now instant.Instant, in core.FetchDone) { *ended = append(*ended, Ended{now, in}) })
	t.engine.Settle()
}

// CancelFetch ends a fetch early.
func (t *Target) CancelFetch(id uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.carrier.CancelFetch(t.engine.Now(), core.FetchID(id))
	t.engine.Settle()
}
