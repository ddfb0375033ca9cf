package servetarget

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

var _ target.Staller = (*Target)(nil)

// Stall implements target.Staller.
func (t *Target) Stall(d time.Duration) { t.stalled.Store(int64(d)) }

// stalling is a backend whose next push takes its time, after it was admitted.
type stalling struct {
	gitstore.Backend
	target *Target
}

// Receive implements gitstore.Backend.
func (s stalling) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	if d := time.Duration(s.target.stalled.Swap(0)); d > 0 {
		if err := s.target.Advance(context.Background(), d); err != nil {
			return gitstore.Report{}, fmt.Errorf("stalled push: %w", err)
		}
	}
	return s.Backend.Receive(c, id, p, pack)
}
