package simtarget

import (
	"io"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

var _ target.Staller = (*Target)(nil)

// Stall implements target.Staller.
func (t *Target) Stall(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stalled = d
}

// stalling is a backend whose next push takes its time, after it was admitted.
type stalling struct {
	gitstore.Backend
	target *Target
}

// Receive implements gitstore.Backend.
func (s stalling) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	t := s.target
	if d := t.stalled; d > 0 {
		t.stalled = 0
		t.engine.RunUntil(t.engine.Now().Add(d))
		t.engine.Settle()
	}
	return s.Backend.Receive(c, id, p, pack)
}
