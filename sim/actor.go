package sim

import (
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/network"
	"github.com/graspkit/graspkit/sim/trace"
	"github.com/graspkit/graspkit/sim/workload"
)

// An actor is somebody with a role in a project and a connection to every server.
type actor struct {
	world   *World
	project *workload.Project
	role    workload.Role
	name    string
	index   int // among the actors of the world
	every   time.Duration
	wakes   uint64
	sent    uint64
	key     kernel.Key
}

func (w *World) addActor(p *workload.Project, role workload.Role, every time.Duration) {
	a := &actor{
		world: w, project: p, role: role, name: p.Name(role), index: len(w.actors), every: every,
		key: w.links.WithText(p.Name(role)),
	}
	w.actors = append(w.actors, a)
}

// ask subscribes to everything of the project.
func (a *actor) ask(now instant.Instant, s *server) {
	a.message(now, s, relay.Req{Sub: a.project.Identifier, Filters: []relay.Filter{{
		Tags: []relay.TagFilter{{Letter: 'd', Values: []string{a.project.Identifier}}},
	}}})
}

// sleep schedules the next decision, a uniform time away whose mean is the actor's rate.
func (a *actor) sleep(now instant.Instant) {
	if a.every == 0 {
		return
	}
	a.wakes++
	key := a.key.WithText("wake").With(a.wakes)
	if at := now.Add(time.Duration(key.Below(2*int64(a.every)) + 1)); at < a.world.end {
		a.world.engine.At(at, key.Uint64(), (*wake)(a))
	}
}

// wake is the task in which an actor decides what to do.
type wake actor

// Run implements Task.
func (k *wake) Run(now instant.Instant) {
	a := (*actor)(k)
	a.perform(now, a.project.Next(a.role, now, a.world.chooser))
	a.sleep(now)
}

// perform schedules operations.
func (a *actor) perform(now instant.Instant, ops []workload.Operation) {
	for i, op := range ops {
		key := a.key.WithText("operation").With(uint64(now)).With(uint64(i))
		a.world.engine.At(now.Add(op.After), key.Uint64(), &operation{a, op})
	}
}

// operation is the task that does one thing at every server.
type operation struct {
	actor *actor
	workload.Operation
}

// Run implements Task.
func (o *operation) Run(now instant.Instant) {
	a := o.actor
	for _, s := range a.world.servers {
		switch {
		case o.Publish != nil:
			a.publish(now, s, o.Publish)
		case o.Push != nil:
			a.startPush(now, s, o.Push)
		case o.Ask:
			a.ask(now, s)
		}
	}
}

func (a *actor) publish(now instant.Instant, s *server, ev *nostr.Event) {
	a.world.record(trace.Record{At: now, Host: a.name, Fact: "publish", Event: ev.ID, Kind: ev.Kind, Detail: s.name})
	a.message(now, s, relay.Event{Event: ev, IDOK: true})
}

// linkAt is the quality of links at an instant: perfect but slow once the actors' work is over.
func (w *World) linkAt(now instant.Instant) network.Link {
	if now >= w.end.Add(lastWords) {
		return w.link.Healed()
	}
	return w.link
}

// message sends a relay message to a server.
func (a *actor) message(now instant.Instant, s *server, msg relay.ClientMessage) {
	a.sent++
	conn := s.conn(a)
	key := s.key.WithText("up").With(uint64(conn)).With(uint64(now)).With(a.sent)
	a.world.deliver(now, key, a.name, func(at instant.Instant, n uint64) {
		a.world.engine.At(at, key.With(n).Uint64(), &arrival{s, core.Message{Conn: conn, Msg: msg, SigOK: true}})
	})
}

// deliver calls arrive for each time that a message arrives.
func (w *World) deliver(now instant.Instant, key kernel.Key, from string, arrive func(at instant.Instant, n uint64)) {
	at, n := w.linkAt(now).Arrivals(key, now)
	if n == 0 {
		w.record(trace.Record{At: now, Host: from, Fact: "message_lost"})
	}
	for i := range n {
		arrive(at[i], uint64(i))
	}
}

// arrival is the task that gives a message to a server.
type arrival struct {
	server  *server
	message core.Message
}

// Run implements Task.
func (r *arrival) Run(now instant.Instant) {
	if s := r.server; s.open {
		s.host.Step(now, r.message)
		return
	}
	r.server.world.record(trace.Record{At: now, Host: r.server.name, Fact: "message_lost", Detail: "server is down"})
}

// answer is the task that gives a server's message to an actor.
type answer struct {
	actor *actor
	received
}

// Run implements Task.
func (r *answer) Run(now instant.Instant) {
	record := trace.Record{At: now, Host: r.actor.name}
	switch msg := r.Msg.(type) {
	case relay.OK:
		record.Fact, record.Event, record.Detail = "event_refused_to_client", msg.ID, msg.Text
		if msg.Accepted {
			record.Fact = "event_accepted_to_client"
		}
	case relay.EventFor:
		record.Fact, record.Event, record.Kind = "event_received", msg.Event.ID, msg.Event.Kind
	case relay.EOSE:
		record.Fact = "eose_received"
	case relay.Closed:
		record.Fact, record.Detail = "closed_received", msg.Text
	case relay.Notice:
		record.Fact, record.Detail = "notice_received", msg.Text
	}
	r.actor.world.record(record)
	r.actor.world.see(now, r.actor.name, "answer", &r.received)
}

// startPush asks a server for its refs, as a git client does first.
func (a *actor) startPush(now instant.Instant, s *server, p *workload.Push) {
	a.world.record(trace.Record{
		At: now, Host: a.name, Fact: "push", Owner: string(p.To.Owner), Identifier: p.To.Identifier, Detail: s.name, Count: len(p.Want),
	})
	a.travel(now, s, "ask refs", &lookAtRefs{a, s, p})
}

// travel schedules a task behind one way over the link. A request of HTTP arrives once or is lost.
func (a *actor) travel(now instant.Instant, s *server, what string, t Task) {
	a.sent++
	key := s.key.WithText(what).With(uint64(a.index)).With(uint64(now)).With(a.sent)
	at, n := a.world.linkAt(now).Arrivals(key, now)
	if n == 0 {
		a.world.record(trace.Record{At: now, Host: a.name, Fact: "request_lost", Detail: what})
		return
	}
	a.world.engine.At(at[0], key.Uint64(), t)
}

// lookAtRefs is the task in which a server advertises its refs to somebody who pushes.
type lookAtRefs struct {
	actor  *actor
	server *server
	push   *workload.Push
}

// Run implements Task.
func (l *lookAtRefs) Run(now instant.Instant) {
	a, s := l.actor, l.server
	if !s.open {
		a.world.record(trace.Record{At: now, Host: a.name, Fact: "request_lost", Detail: "server is down"})
		return
	}
	refs, err := s.model.Refs(l.push.To)
	page := s.host.Machine.Repository(l.push.To)
	a.world.see(now, a.name, "refs", advertised{s.name, l.push.To, refs})
	a.world.see(now, a.name, "page", page)
	if err != nil || !page.Exists {
		a.world.record(trace.Record{At: now, Host: a.name, Fact: "push_answered", Detail: "no repository"})
		return
	}
	commands := commandsFor(refs.Refs, l.push)
	if len(commands) == 0 {
		a.world.record(trace.Record{At: now, Host: a.name, Fact: "push_answered", Detail: "up to date"})
		return
	}
	for range 1 + btoi(l.push.Twice) {
		a.travel(now, s, "push", &offering{s, &push{by: a, repo: l.push.To, commands: commands}})
	}
}

// commandsFor is what git sends to turn the refs that are there into those that are wanted.
func commandsFor(there []repo.Ref, p *workload.Push) []gitproto.Command {
	var commands []gitproto.Command
	add := func(ref string, to repo.OID) {
		c := gitproto.Command{Ref: ref, Old: repo.ZeroOID, New: to}
		if i, found := find(there, ref); found {
			c.Old = there[i].OID
		}
		if p.Stale && c.Old != to {
			c.Old = to
		} else if c.Old == to {
			return
		}
		commands = append(commands, c)
	}
	if p.Only.Name != "" {
		add(p.Only.Name, p.Only.OID)
		return commands
	}
	for _, ref := range there {
		if strings.HasPrefix(ref.Name, repo.PullRequestPrefix) {
			continue
		}
		if _, wanted := find(p.Want, ref.Name); !wanted {
			add(ref.Name, repo.ZeroOID)
		}
	}
	for _, ref := range p.Want {
		add(ref.Name, ref.OID)
	}
	if p.Plant != "" && !slices.ContainsFunc(there, func(r repo.Ref) bool { return r.Name == p.Plant }) && len(p.Want) > 0 {
		commands = append(commands, gitproto.Command{Ref: p.Plant, Old: repo.ZeroOID, New: p.Want[0].OID})
	}
	return commands
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// offering is the task in which a push reaches a server.
type offering struct {
	server *server
	push   *push
}

// Run implements Task.
func (o *offering) Run(now instant.Instant) { o.server.offer(now, o.push) }
