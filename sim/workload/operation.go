package workload

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/kernel"
)

// An Operation is one thing that somebody does, at every server: it publishes an event, pushes, or asks.
type Operation struct {
	After   time.Duration // from the decision on
	Publish *nostr.Event
	Push    *Push
	Ask     bool // for announcements and states of the project
}

// A Push is what somebody tries to make of a repository.
type Push struct {
	To    repo.ID
	Want  []repo.Ref // all branches and tags that there shall be
	Plant string     // a ref that is created besides, or ""
	Stale bool       // the client believes in old values that are wrong
	Twice bool       // a second push of the same follows while the first one runs
	Only  repo.Ref   // if it has a name: this ref alone is moved, or deleted if it has the zero object
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
	switch {
	case r == Stranger:
		s.stranger()
	case p.versions[r] == 0:
		s.publish(0, p.announce(r, now))
	default:
		s.member()
	}
	return s.ops
}

// Close is what the owner does when all faults have ceased, so that everything can complete: announce, declare, push.
func (p *Project) Close(now instant.Instant, c kernel.Chooser) []Operation {
	s := &script{p: p, role: Owner, now: now, c: c}
	s.publish(0, p.announce(Owner, now))
	s.evolve()
	p.head = "refs/heads/main"
	s.publish(10*time.Second, p.state(Owner, now, p.refs, p.head))
	s.push(20*time.Second, Push{To: p.ID(Owner), Want: p.refs})
	return s.ops
}

func (s *script) choose(what string, n int) int { return s.c.Choose(s.p.Name(s.role)+"/"+what, n) }

// soon is some whole seconds, at most a minute.
func (s *script) soon() time.Duration { return time.Duration(s.choose("delay", 61)) * time.Second }

func (s *script) publish(after time.Duration, ev *nostr.Event) {
	s.ops = append(s.ops, Operation{After: after, Publish: ev})
}

func (s *script) push(after time.Duration, push Push) {
	push.Want = slices.Clone(push.Want)
	s.ops = append(s.ops, Operation{After: after, Push: &push})
}

// member is what owner and maintainer do.
func (s *script) member() {
	p := s.p
	own := p.ID(s.role)
	to := p.ID(Owner)
	if s.choose("where", 3) == 0 {
		to = own
	}
	switch s.choose("operation", 18) {
	case 0, 1:
		s.publish(0, p.announce(s.role, s.now))
	case 2, 3, 4, 5, 6: // the usual order, and its reverse
		if s.choose("announce", 4) == 0 {
			s.publish(0, p.announce(s.role, s.now))
		}
		s.evolve()
		s.publish(s.soon(), p.state(s.role, s.now, p.refs, p.head))
		s.push(s.soon(), Push{To: to, Want: p.refs, Twice: s.choose("twice", 8) == 0})
		s.push(90*time.Second, Push{To: to, Want: p.refs})
	case 7: // two states of one second
		s.evolve()
		s.publish(s.soon(), p.state(s.role, s.now, p.refs, p.head))
		s.evolve()
		s.publish(s.soon(), p.state(s.role, s.now, p.refs, p.head))
		s.push(70*time.Second, Push{To: to, Want: p.refs})
	case 8: // declared and never pushed
		before := slices.Clone(p.refs)
		s.evolve()
		s.publish(0, p.state(s.role, s.now, p.refs, p.head))
		p.refs = before
	case 9, 10: // back to what the server has had
		if len(p.past) > 0 {
			p.refs = slices.Clone(p.past[s.choose("past", len(p.past))])
			p.head = "refs/heads/main"
		}
		s.publish(s.soon(), p.state(s.role, s.now, p.refs, p.head))
		if s.choose("push back", 2) == 0 {
			s.push(s.soon(), Push{To: to, Want: p.refs})
		}
	case 11:
		s.push(0, Push{To: to, Want: p.refs})
	case 12:
		s.push(0, Push{To: to, Want: p.refs, Plant: s.plant(), Stale: s.choose("stale", 3) == 0})
	case 13, 14:
		s.again()
	case 15:
		s.remove()
	case 16:
		s.pullRequest()
	default:
		s.ops = append(s.ops, Operation{Ask: true})
	}
}

// stranger is what somebody does who has no say.
func (s *script) stranger() {
	p := s.p
	switch s.choose("operation", 13) {
	case 0:
		s.publish(0, p.announce(Stranger, s.now))
	case 1, 2: // a state of the same identifier, and a push to the owner that would fit it
		refs := []repo.Ref{{Name: "refs/heads/main", OID: p.oid()}}
		s.publish(0, p.state(Stranger, s.now, refs, p.head))
		s.push(s.soon(), Push{To: p.ID(Owner), Want: refs})
	case 3: // what the team wants, which anybody may push
		s.push(0, Push{To: p.ID(Owner), Want: p.refs})
	case 4:
		s.push(0, Push{To: p.ID(Stranger), Want: p.refs})
	case 5, 6:
		s.push(0, Push{To: p.ID(Owner), Want: p.refs, Plant: s.plant()})
	case 7:
		s.publish(0, p.issue(Stranger, s.now))
	case 8, 9:
		s.pullRequest()
	case 10:
		s.meddle()
	case 11:
		s.remove()
	default:
		s.again()
	}
}

// again sends an event a second time that somebody has sent before.
func (s *script) again() {
	if n := len(s.p.history); n > 0 {
		s.publish(0, s.p.history[s.choose("again", n)])
	}
}

// plant picks a ref that nobody has declared.
func (s *script) plant() string {
	refs := []string{
		"refs/heads/evil", "refs/tags/evil", "refs/meta/config", "refs/notes/commits", "refs/pull/1/head",
		"refs/nostr/main", "refs/nostr/" + strings.Repeat("A", 64), // named after no event
	}
	return refs[s.choose("plant", len(refs))]
}

// evolve changes what the team wants.
func (s *script) evolve() {
	p := s.p
	p.remember()
	p.change("refs/heads/main", p.oid())
	name := fmt.Sprintf("refs/heads/topic%d", s.choose("topic", 3))
	switch s.choose("evolve", 6) {
	case 0:
		if len(p.refs) < refsMax {
			p.change(name, p.oid())
		}
	case 1:
		p.change(name, repo.ZeroOID)
	case 2:
		if len(p.refs) < refsMax {
			p.change(fmt.Sprintf("refs/tags/v%d", s.choose("tag", 4)), p.oid())
		}
	case 3:
		p.head = name // which may not be there
	default:
		p.head = "refs/heads/main"
	}
}
