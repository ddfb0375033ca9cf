package sim

import (
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/trace"
)

// How a client insists on an answer: after so long it sends the event again, so often at most, each time after twice as
// long.
const (
	insistAfter = 5 * time.Second
	insistMax   = 4
)

// insisting is a client that waits for the answer to an event.
type insisting struct {
	server string
	id     string
}

// insist publishes an event, and again until it is answered.
func (a *actor) insist(now instant.Instant, s *server, ev *nostr.Event) {
	a.waiting = append(a.waiting, insisting{s.Name, ev.ID})
	(&repeat{actor: a, server: s, event: ev, wait: insistAfter}).Run(now)
}

// answered ends waiting.
func (a *actor) answered(server, id string) {
	a.waiting = slices.DeleteFunc(a.waiting, func(w insisting) bool { return w == insisting{server, id} })
}

// repeat is the task that publishes an event unless it is answered.
type repeat struct {
	actor  *actor
	server *server
	event  *nostr.Event
	wait   time.Duration
	n      int
}

// Run implements Task.
func (r *repeat) Run(now instant.Instant) {
	a := r.actor
	if !slices.Contains(a.waiting, insisting{r.server.Name, r.event.ID}) {
		return
	}
	if r.n == insistMax {
		a.answered(r.server.Name, r.event.ID) // no answer comes
		return
	}
	a.publish(now, r.server, r.event)
	key := r.server.key.WithText("repeat").WithText(r.event.ID).With(uint64(now)).With(uint64(a.index))
	next := *r
	next.n, next.wait = r.n+1, 2*r.wait
	a.world.engine.At(now.Add(r.wait), key.Uint64(), &next)
}

// reconnect ends the connection to a server, begins another one and asks as at first. What is under way on the old one
// is lost.
func (a *actor) reconnect(now instant.Instant, s *server) {
	if !s.open {
		a.world.record(trace.Record{At: now, Host: a.name, Fact: "request_lost", Detail: "server is down"})
		return
	}
	a.world.record(trace.Record{At: now, Host: a.name, Fact: "reconnected", Detail: s.Name})
	s.Step(now, core.ConnClosed{Conn: s.conn(a)})
	s.turns[a.index]++
	s.Step(now, s.opened(a))
	a.ask(now, s)
}

// connected reports whether a connection is the present one of its actor.
func (s *server) connected(conn core.ConnID) bool {
	return conn == s.conn(s.world.actors[int(conn-1)%len(s.world.actors)])
}

// looking is the task in which a server shows its refs to somebody who clones or fetches.
type looking struct {
	actor  *actor
	server *server
	repo   repo.ID
}

// Run implements Task.
func (l *looking) Run(now instant.Instant) {
	a, s := l.actor, l.server
	if !s.open {
		a.world.record(trace.Record{At: now, Host: a.name, Fact: "request_lost", Detail: "server is down"})
		return
	}
	if !a.admitted(now, s, l.repo) {
		return
	}
	refs, err := s.model.Refs(l.repo)
	page := s.Server().Repository(l.repo)
	s.shows(now, l.repo)
	a.world.see(now, a.name, "refs", advertised{s.Name, l.repo, refs})
	a.world.see(now, a.name, "page", page)
	record := trace.Record{
		At: now, Host: a.name, Fact: "looked", Owner: string(l.repo.Owner), Identifier: l.repo.Identifier, Count: len(refs.Refs),
	}
	if err != nil && !l.repo.IsContribution() || !page.Exists {
		record.Detail, record.Count = "no repository", 0
	}
	a.world.record(record)
}
