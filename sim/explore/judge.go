package explore

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/invariant"
)

// A Judge watches one server. It is a value like the server: everything that it knows is copied with it.
type Judge interface {
	// Stepped is told each step, before anything of it is carried out.
	Stepped(now instant.Instant, in core.Input, effects []core.Effect)
	// Acknowledged is told that an OK true has reached a client.
	Acknowledged(event string)
	// Crashed is told that the server has ended otherwise than in order.
	Crashed()
	// Rest is told that nothing is under way, and what git has.
	Rest(now instant.Instant, there []core.RepositoryRefs)
	// Verdict lists what has been broken so far.
	Verdict() []invariant.Violation
}

// judges are those of a new world. A further one is a further line here.
func judges() []Judge {
	return []Judge{
		&monitored{Monitor: invariant.New(serverName, service, core.PurgatoryLife, nil)},
	}
}

const serverName = "server"

// monitored is the monitor of the simulated world as a judge.
type monitored struct{ *invariant.Monitor }

// Rest implements Judge.
func (m *monitored) Rest(now instant.Instant, there []core.RepositoryRefs) {
	m.Quiet(now)
	m.Git(now, there)
}

// Verdict implements Judge.
func (m *monitored) Verdict() []invariant.Violation { return m.Violations }
