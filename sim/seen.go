package sim

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/githost"
)

// What others see of a server lies beside its steps: the hash of the run covers it as well.

// received is a message that has come to a client.
type received struct {
	server string
	conn   core.ConnID
	Msg    relay.ServerMessage // exported, for it is hashed as its client gets it
}

// advertised is what a git client sees of a repository.
type advertised struct {
	server string
	id     repo.ID
	refs   gitstore.Refs
}

// planned is how a host answers a request, and what comes of it for the asker.
type planned struct {
	fetch  core.FetchID
	number uint64
	plan   githost.Plan
	ends   instant.Instant
	result githost.Result
}

// overheard are remotes whose conversations with one server are hashed, those that a crash cuts off too.
type overheard struct {
	Remotes
	server *server
}

// Fetch implements Remotes.
func (o overheard) Fetch(now instant.Instant, f core.StartFetch, done func(now instant.Instant, in core.FetchDone)) {
	s := o.server
	s.world.see(now, s.Name, "asks", f)
	o.Remotes.Fetch(now, f, func(now instant.Instant, in core.FetchDone) {
		s.world.see(now, s.Name, "is answered", in)
		done(now, in)
	})
}

// CancelFetch implements Remotes.
func (o overheard) CancelFetch(now instant.Instant, id core.FetchID) {
	o.server.world.see(now, o.server.Name, "cancels", id)
	o.Remotes.CancelFetch(now, id)
}
