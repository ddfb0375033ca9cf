package core

import (
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// A Machine is what a shell drives: a Server, or one with something between it and the shell.
type Machine interface {
	Step(now instant.Instant, in Input, out *Effects)
	Deadline() (instant.Instant, bool)
	Idle() bool
	Settled(id repo.ID) bool
	Repository(id repo.ID) web.Repository
	Admits(now instant.Instant, t web.Token) policy.Ruling
	Relays(now instant.Instant) (RelaysReport, bool)
}

var _ Machine = (*Server)(nil)
