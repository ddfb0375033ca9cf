package sim

import (
	"fmt"
	"slices"
	"strconv"
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
	key     kernel.Key
	waiting []insisting    // for answers
	proofs  map[string]int // how often it has shown who it is, by challenge
	who     map[string]sayingWho
	tokens  int // that it has made
}

func (w *World) addActor(p *workload.Project, role workload.Role, every time.Duration) {
	a := &actor{
		world: w, project: p, role: role, name: p.Name(role), index: len(w.actors), every: every, proofs: map[string]int{}, who: map[string]sayingWho{},
		key: kernel.NewKey(w.seed, "sim/actor").WithText(p.Name(role)),
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
	a.perform(now, strconv.FormatUint(a.wakes, 10), a.project.Next(a.role, now, a.world.chooser))
	a.sleep(now)
}

// perform schedules operations, which are named after what has led to them.
func (a *actor) perform(now instant.Instant, why string, ops []workload.Operation) {
	for i, op := range ops {
		key := a.key.WithText("operation").With(uint64(now)).With(uint64(i))
		a.world.engine.At(now.Add(op.After), key.Uint64(), &operation{a, fmt.Sprintf("%s/%s.%d", a.name, why, i), op})
	}
}

// operation is the task that does one thing, at every server or at some.
type operation struct {
	actor *actor
	name  string
	workload.Operation
}

// Run implements Task.
func (o *operation) Run(now instant.Instant) {
	a := o.actor
	if !a.world.happens(o.name) {
		return
	}
	servers := true
	if o.Publish != nil {
		servers = a.passOn(now, o.Publish)
	}
	for _, s := range a.world.servers {
		switch {
		case !o.At(s.index) || !servers:
		case o.Again:
			a.insist(now, s, o.Publish)
		case o.Publish != nil:
			a.publish(now, s, o.Publish)
		case o.Say != nil:
			a.says(now, s, o.Say, !o.Forged)
		case o.Look != nil:
			content := repoContent(pushContent, *o.Look).WithText("look")
			a.world.send(now, a.world.net.Way(a.name, s.Name), content, requestSize, once(&looking{a, s, *o.Look}))
		case o.Reconnect:
			a.reconnect(now, s)
		case o.Push != nil:
			a.startPush(now, s, o.Push)
		case o.Ask:
			a.ask(now, s)
		}
	}
}

func (a *actor) publish(now instant.Instant, s *server, ev *nostr.Event) {
	a.world.record(trace.Record{At: now, Host: a.name, Fact: "publish", Event: ev.ID, Kind: ev.Kind, Detail: s.Name})
	a.message(now, s, relay.Event{Event: ev, IDOK: true})
}

// message sends a relay message to a server.
func (a *actor) message(now instant.Instant, s *server, msg relay.ClientMessage) {
	a.says(now, s, msg, true)
}

// says is message with a signature that fits or does not.
func (a *actor) says(now instant.Instant, s *server, msg relay.ClientMessage, genuine bool) {
	way := a.world.net.Way(a.name, s.Name)
	content, size := clientContent(a.world.digest, way, msg)
	a.world.send(now, way, content, size, &arrival{s, core.Message{Conn: s.conn(a), Msg: msg, SigOK: genuine}})
}

// send has a message go a way: the task runs at each of its arrivals.
func (w *World) send(now instant.Instant, way *network.Way, content kernel.Key, size int, t Task) {
	fate := way.Send(now, content, size)
	n := fate.N
	lost := trace.Record{At: now, Host: way.From, Fact: "message_lost", Detail: way.To}
	if _, once := t.(alone); once {
		n, lost.Fact = min(n, 1), "request_lost"
	}
	if n == 0 {
		w.record(lost)
	}
	for i := range n {
		w.engine.At(fate.At[i], fate.Key.With(uint64(i)).Uint64(), t)
	}
}

// alone is a task behind a request or an answer of HTTP, which arrives once or is lost.
type alone struct{ Task }

func once(t Task) Task { return alone{t} }

// arrival is the task that gives a message to a server.
type arrival struct {
	server  *server
	message core.Message
}

// Run implements Task.
func (r *arrival) Run(now instant.Instant) {
	lost := trace.Record{At: now, Host: r.server.Name, Fact: "message_lost"}
	switch s := r.server; {
	case !s.open:
		lost.Detail = "server is down"
	case !s.connected(r.message.Conn):
		lost.Detail = "the connection has ended"
	default:
		s.Step(now, r.message)
		return
	}
	r.server.world.record(lost)
}

// answer is the task that gives a server's message to an actor.
type answer struct {
	actor *actor
	received
}

// Run implements Task.
func (r *answer) Run(now instant.Instant) {
	record := trace.Record{At: now, Host: r.actor.name, Peer: r.server}
	switch msg := r.Msg.(type) {
	case relay.OK:
		r.actor.answered(r.server, msg.ID)
		r.actor.shown(now, msg)
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
	case relay.Challenge:
		record.Fact, record.Detail = "challenge_received", msg.Text
	case relay.Notice:
		record.Fact, record.Detail = "notice_received", msg.Text
	}
	r.actor.world.record(record)
	r.actor.world.see(now, r.actor.name, "answer", &r.received)
	if msg, is := r.Msg.(relay.Challenge); is {
		for _, s := range r.actor.world.servers {
			if s.Name == r.server {
				r.actor.prove(now, s, msg.Text)
			}
		}
	}
}

// startPush asks a server for its refs, as a git client does first.
func (a *actor) startPush(now instant.Instant, s *server, p *workload.Push) {
	a.world.record(trace.Record{
		At: now, Host: a.name, Fact: "push", Owner: string(p.To.Owner), Identifier: p.To.Identifier, Detail: s.Name, Count: len(p.Want),
	})
	content := repoContent(pushContent, p.To).WithText("ask refs")
	a.world.send(now, a.world.net.Way(a.name, s.Name), content, requestSize, once(&lookAtRefs{a, s, p}))
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
	if !a.admitted(now, s, l.push.To) {
		return
	}
	refs, err := s.model.Refs(l.push.To)
	page := s.Server().Repository(l.push.To)
	s.shows(now, l.push.To)
	a.world.see(now, a.name, "refs", advertised{s.Name, l.push.To, refs})
	a.world.see(now, a.name, "page", page)
	content := repoContent(pushContent, l.push.To).WithText("refs")
	for _, r := range refs.Refs {
		content = content.WithText(r.Name).WithText(string(r.OID))
	}
	seen := &refsSeen{l, refs.Refs, page.Exists && (err == nil || l.push.To.IsContribution())} // a place is there whatever is there (G06-FETCH-01)
	a.world.send(now, a.world.net.Way(s.Name, a.name), content, commandSize*len(refs.Refs), once(seen))
}

// refsSeen is the task in which somebody has got the refs, and decides what to push.
type refsSeen struct {
	*lookAtRefs
	refs  []repo.Ref
	there bool
}

// Run implements Task.
func (r *refsSeen) Run(now instant.Instant) {
	a, s := r.actor, r.server
	answered := trace.Record{At: now, Host: a.name, Fact: "push_answered"}
	if !r.there {
		answered.Detail = "no repository"
		a.world.record(answered)
		return
	}
	commands := commandsFor(r.refs, r.push)
	if len(commands) == 0 && !r.push.None {
		answered.Detail = "up to date"
		a.world.record(answered)
		return
	}
	content := commandsContent(repoContent(pushContent, r.push.To), commands)
	for range 1 + btoi(r.push.Twice) {
		key := s.key.With(uint64(a.world.pushed.next(content.WithText(s.Name).WithText(a.name))))
		p := &push{by: a, repo: r.push.To, commands: commands, key: key, lacks: r.push.Lacks, cert: r.push.Cert}
		a.world.send(now, a.world.net.Way(a.name, s.Name), content, requestSize+commandSize*len(commands), once(&offering{s, p}))
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
		} else if c.Old == to && !p.Bare {
			return
		}
		commands = append(commands, c)
	}
	if p.None {
		return nil
	}
	if p.Only.Name != "" {
		add(p.Only.Name, p.Only.OID)
		return commands
	}
	if p.Also != nil {
		for _, ref := range p.Also {
			add(ref.Name, ref.OID)
		}
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
	if p.Besides.Name != "" {
		add(p.Besides.Name, p.Besides.OID)
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
