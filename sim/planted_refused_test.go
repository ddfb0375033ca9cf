package sim_test

import (
	"slices"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
)

// A server that forgets what it has refused fetches it again, and is seen to.
func TestWhatIsFetchedAgainIsSeen(t *testing.T) {
	const want = "INV-41 refused-fetched-again"
	s := embedded(t, "two")
	for seed := range uint64(16) {
		o := run(t, s, seed, sim.Options{Config: func(_ int, c *core.Config) {
			c.Sync.HotLife, c.Sync.ColdLife = time.Nanosecond, time.Nanosecond
			c.Sync.DailyMin, c.Sync.DailyMax = 10*time.Minute, 11*time.Minute
		}})
		if slices.ContainsFunc(o.Violations, func(v invariant.Violation) bool { return v.String() == want }) {
			return
		}
	}
	t.Errorf("no violation, want %s", want)
}
