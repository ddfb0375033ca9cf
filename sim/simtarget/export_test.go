package simtarget

import (
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// An Ended is how and when a fetch ended.
type Ended struct {
	At              instant.Instant
	Result          string
	Missing, Denied []repo.OID
}

// Fetch begins a fetch and appends to ended when it is over.
func (t *Target) Fetch(id uint64, into repo.ID, url string, oids []repo.OID, ended *[]Ended) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.startFetch(t.engine.Now(), id, into, url, oids, func(now instant.Instant, end fetchEnd) {
		*ended = append(*ended, Ended{now, string(end.result), end.missing, end.denied})
	})
	t.engine.Settle()
}

// CancelFetch ends a fetch early.
func (t *Target) CancelFetch(id uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cancelFetch(t.engine.Now(), id)
	t.engine.Settle()
}
