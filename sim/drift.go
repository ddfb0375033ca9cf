package sim

import (
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/fault"
)

// driftEvery is how often a clock that drifts is set.
const driftEvery = time.Minute

// drifting is the task that sets the clock of a server that drifts, until that is over. What it has drifted stays.
type drifting struct {
	server *server
	fault  fault.Fault
	until  instant.Instant
}

// Run implements Task.
func (d *drifting) Run(now instant.Instant) {
	if now >= d.until {
		return
	}
	s := d.server
	s.ills.set(s, now, s.ills.ahead+d.fault.By)
	s.world.engine.At(now.Add(driftEvery), s.key.WithText(d.fault.String()).Uint64(), d)
}
