package explore

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/model"
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

// judges are those of a new world: the monitor, and unless it is to be alone the model.
func judges(alone bool) []Judge {
	monitor := &monitored{Monitor: invariant.New(serverName, service, core.PurgatoryLife, nil)}
	if alone {
		return []Judge{monitor}
	}
	return []Judge{
		monitor,
		&naive{Model: model.New(model.Config{Server: serverName, Host: service.Host, Base: service.Base})},
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

// naive is the model of the simulated world as a judge.
type naive struct{ *model.Model }

// Crashed implements Judge. The model finds out by what the next life is given.
func (*naive) Crashed() {}

// Rest implements Judge.
func (n *naive) Rest(now instant.Instant, _ []core.RepositoryRefs) { n.Quiet(now) }

// Verdict implements Judge.
func (n *naive) Verdict() []invariant.Violation { return n.Differences }

// look has the model of a world look at the git of the world: that of a copy at its own.
func (w *world) look() {
	for _, j := range w.judges {
		if n, is := j.(*naive); is {
			n.Missing = w.git.Missing
		}
	}
}
