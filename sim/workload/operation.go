package workload

import (
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/kernel"
)

// An Operation is one thing that somebody does, at every server or at some: it publishes an event, pushes, looks, says
// something else, asks or connects anew.
type Operation struct {
	After     time.Duration // from the decision on
	Publish   *nostr.Event
	Again     bool // publish it again until it is answered
	Push      *Push
	Look      *repo.ID            // at the refs, as a clone does first
	Say       relay.ClientMessage // anything but an event
	Forged    bool                // what is said has a signature that does not fit
	Ask       bool                // for announcements and states of the project
	Reconnect bool
	Not       uint64 // servers that have no part in it: bit i for that with index i
}

// At reports whether the operation is one at the server with this index.
func (o *Operation) At(server int) bool { return o.Not>>server&1 == 0 }

// A Push is what somebody tries to make of a repository.
type Push struct {
	To      repo.ID
	Want    []repo.Ref // all branches and tags that there shall be
	Plant   string     // a ref that is created besides, or ""
	Stale   bool       // the client believes in old values that are wrong
	Twice   bool       // a second push of the same follows while the first one runs
	Cert    bool       // it is signed, which servers do not take
	Lacks   bool       // the pack does not have all objects
	None    bool       // it moves nothing at all
	Bare    bool       // no git, which would not send what changes nothing
	Besides repo.Ref   // if it has a name: moved with all that is wanted
	Also    []repo.Ref // moved at once, or deleted, and nothing else is
	Only    repo.Ref   // if it has a name: this ref alone is moved, or deleted if it has the zero object
}

// script collects what somebody does.
type script struct {
	p    *Project
	role Role
	now  instant.Instant
	c    kernel.Chooser
	ops  []Operation
}

// Next lets somebody decide what to do at the instant now. What follows from it comes within two minutes.
func (p *Project) Next(r Role, now instant.Instant, c kernel.Chooser) []Operation {
	s := &script{p: p, role: r, now: now, c: c}
	if r == Maintainer && p.profile.Maintainers > 1 {
		s.role = p.team()[1+s.choose("as", p.profile.Maintainers)]
	}
	usual, weights := usualTeam, p.profile.Team
	if r == Stranger {
		usual, weights = usualStranger, p.profile.Stranger
	}
	if r != Stranger && p.versions[s.role] == 0 {
		s.announce(0)
	} else {
		deeds[s.draw(weights.table(usual))](s)
	}
	return s.ops
}

// Close is what the owner does when all faults have ceased, so that everything can complete: announce, declare, push.
func (p *Project) Close(now instant.Instant, c kernel.Chooser) []Operation {
	s := &script{p: p, role: Owner, now: now, c: c}
	s.evolve()
	p.head = "refs/heads/main"
	s.ops = []Operation{
		{Publish: p.announce(Owner, now, p.services, p.listed(Owner))},
		{After: 10 * time.Second, Publish: p.state(Owner, now, p.refs, p.head)},
		{After: 20 * time.Second, Push: &Push{To: p.ID(Owner), Want: slices.Clone(p.refs)}},
	}
	return s.ops
}

func (s *script) choose(what string, n int) int { return s.c.Choose(s.p.Name(s.role)+"/"+what, n) }

// chance is true for a share of a million. What is never asks nobody.
func (s *script) chance(what string, share int64) bool {
	return share > 0 && int64(s.choose(what, 100))*million/100 < share
}

// draw picks an operation.
func (s *script) draw(table []weighted) Op {
	sum := 0
	for _, w := range table {
		sum += w.weight
	}
	at := s.choose("operation", sum)
	for _, w := range table {
		if at < w.weight {
			return w.op
		}
		at -= w.weight
	}
	panic("workload: invariant: an operation beyond all weights")
}

// soon is some whole seconds, at most a minute.
func (s *script) soon() time.Duration { return time.Duration(s.choose("delay", 61)) * time.Second }

// date is when the next event says that it was made.
func (s *script) date() instant.Instant {
	if !s.chance("dated", s.p.profile.Dated) {
		return s.now
	}
	off := []time.Duration{
		-time.Second, time.Second, -time.Minute, time.Minute, 15 * time.Minute, 15*time.Minute + time.Second, -15 * time.Minute,
		-24 * time.Hour, 24 * time.Hour, -1000 * 24 * time.Hour,
	}
	if i := s.choose("date", len(off)+4); i < len(off) {
		return s.now.Add(off[i])
	}
	if s.p.latest == 0 {
		return s.now
	}
	return instant.FromUnix(int64(s.p.latest)) // the second of the last event, whosever it is
}

// some are the servers that have no part in something.
func (s *script) some() uint64 {
	if len(s.p.services) < 2 || !s.chance("partly", s.p.profile.Partly) {
		return 0
	}
	return uint64(s.choose("servers", 1<<len(s.p.services)-1)) //nolint:gosec // at most 20 bits
}

func (s *script) add(op Operation) {
	op.Not = s.some()
	s.ops = append(s.ops, op)
}

func (s *script) publish(after time.Duration, ev *nostr.Event) {
	s.add(Operation{After: after, Publish: ev, Again: s.chance("retried", s.p.profile.Retried)})
}

func (s *script) push(after time.Duration, push Push) {
	push.Want, push.Also = slices.Clone(push.Want), slices.Clone(push.Also)
	s.add(Operation{After: after, Push: &push})
}

// announce publishes the own announcement.
func (s *script) announce(after time.Duration) {
	p := s.p
	services, maintainers := p.services, p.listed(s.role)
	if s.chance("listing", p.profile.Listing) {
		at := s.choose("listed", len(services))
		services = services[at : at+1]
	}
	if p.profile.Chain == Drawn && s.role != Stranger {
		maintainers = nil
		for _, r := range p.team() {
			if s.choose("lists", 2) == 0 {
				maintainers = append(maintainers, r)
			}
		}
	}
	s.publish(after, p.announce(s.role, s.date(), services, maintainers))
}

// declare publishes what the team wants.
func (s *script) declare(after time.Duration) {
	s.publish(after, s.p.state(s.role, s.date(), s.p.refs, s.p.head))
}
