package sim

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/trace"
)

// push is one push from the moment it reached the server to its end.
type push struct {
	by       *actor
	repo     repo.ID
	commands []gitproto.Command
	key      kernel.Key // of what is drawn about it
	cert     bool       // it is signed
	lacks    bool       // its pack does not have all objects
	unpacked bool       // its pack is here, and the server was told to take it
}

// Sent implements Clients: the message goes over the network.
func (s *server) Sent(now instant.Instant, conn core.ConnID, msg relay.ServerMessage) {
	if conn >= firstCalled {
		if l := s.called[conn]; l != nil {
			l.Say(now, msg)
			return
		}
		s.world.record(trace.Record{At: now, Host: s.Name, Fact: "message_lost", Detail: "the connection has ended"})
		return
	}
	if !s.connected(conn) {
		s.world.record(trace.Record{At: now, Host: s.Name, Fact: "message_lost", Detail: "the connection has ended"})
		return
	}
	a := s.world.actors[int(conn-1)%len(s.world.actors)]
	if answer, ok := msg.(relay.OK); ok && answer.Accepted && s.monitor != nil {
		s.monitor.Acknowledged(answer.ID)
		s.naive.Acknowledged(answer.ID)
	}
	way := s.world.net.Way(s.Name, a.name)
	content, size := serverContent(way, msg)
	s.world.send(now, way, content, size, &answer{a, received{s.Name, conn, msg}})
}

// Closed implements Clients. People do not notice.
func (s *server) Closed(now instant.Instant, conn core.ConnID) {
	if l := s.called[conn]; l != nil {
		delete(s.called, conn)
		l.Close(now)
	}
}

// PushExpected implements Clients: the pack takes its time, and what the network adds to it.
func (s *server) PushExpected(now instant.Instant, id core.PushID) {
	p := s.pushes[id]
	fate := s.world.net.Way(p.by.name, s.Name).Send(now, p.key.WithText("pack"), objectSize*len(p.commands))
	u := &upload{s, id, fate.N == 0 || p.key.WithText("lost").Chance(lostPacks)}
	s.world.engine.At(s.host.after(max(now, fate.At[0]), uploadDelay, fate.Key), fate.Key.Uint64(), u)
}

// PushAdmitted implements Clients: what is here is unpacked.
func (s *server) PushAdmitted(now instant.Instant, id core.PushID) {
	p := s.pushes[id]
	p.unpacked = true
	key := p.key.WithText("unpack")
	s.world.engine.At(s.host.after(now, s.Delays.Order, key), key.Uint64(), &unpack{s, id, key.WithText("broken").Chance(brokenPacks)})
}

// PushRefused implements Clients.
func (s *server) PushRefused(now instant.Instant, id core.PushID, ruling policy.Ruling) {
	p := s.pushes[id]
	delete(s.pushes, id)
	s.answerPush(now, p, trace.Record{Push: uint64(id), Requirement: ruling.Requirement, Detail: "refused"})
}

// answerPush sends somebody what came of a push. The record is that of its arrival.
func (s *server) answerPush(now instant.Instant, p *push, r trace.Record) {
	w := s.world
	r.Host, r.Fact = p.by.name, "push_answered"
	w.send(now, w.net.Way(s.Name, p.by.name), p.key.WithText("report"), commandSize*len(p.commands), once(&told{w, r}))
}

// told is the task in which somebody learns something, which becomes a record.
type told struct {
	world  *World
	record trace.Record
}

// Run implements Task.
func (t *told) Run(now instant.Instant) {
	t.record.At = now
	t.world.record(t.record)
}

// offering is the task in which the commands of a push reach a server.
type offering struct {
	server *server
	push   *push
}

// Run implements Task: the push is brought to the core, if that takes any.
func (o *offering) Run(now instant.Instant) {
	s, p := o.server, o.push
	if !s.open {
		s.world.record(trace.Record{At: now, Host: p.by.name, Fact: "request_lost", Detail: "server is down"})
		return
	}
	if !p.by.admitted(now, s, p.repo) {
		return
	}
	s.last++
	s.pushes[s.last] = p
	asked := core.PushAsked{Push: s.last, Repo: p.repo, Commands: p.commands}
	if p.cert { // what is within a certificate is not read
		asked.Commands, asked.Shape.Certificate = nil, true
	}
	s.Step(now, asked)
}

// upload is the task that brings the pack of a push, or not.
type upload struct {
	server *server
	id     core.PushID
	lost   bool
}

// Run implements Task.
func (u *upload) Run(now instant.Instant) {
	s, p := u.server, u.server.pushes[u.id]
	switch {
	case p == nil: // the server crashed meanwhile
	case u.lost:
		delete(s.pushes, u.id)
		s.world.record(trace.Record{At: now, Host: p.by.name, Fact: "push_answered", Push: uint64(u.id), Detail: "the connection is lost"})
		s.Step(now, core.PushForgone{Push: u.id})
	default:
		offered := core.PushOffered{Push: u.id, Repo: p.repo, Commands: p.commands}
		if p.cert {
			offered.Commands, offered.Shape.Certificate = nil, true
		}
		s.Step(now, offered)
	}
}

// unpack is the task that carries out an admitted push.
type unpack struct {
	server *server
	id     core.PushID
	broken bool
}

// Run implements Task.
func (u *unpack) Run(now instant.Instant) {
	s, p := u.server, u.server.pushes[u.id]
	if p == nil {
		return // the server crashed meanwhile
	}
	delete(s.pushes, u.id)
	done := core.PushDone{Push: u.id, Report: s.model.Receive(p.repo, p.commands, u.broken || p.lacks)}
	if s.world.opts.Report != nil {
		done = s.world.opts.Report(s.index, done)
	}
	if s.PushEnded(now, p.repo, done) {
		s.answerPush(now, p, trace.Record{Push: uint64(u.id), Detail: done.Report.Unpack, Count: len(p.commands)})
	}
}
