package workload

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/repo"
)

// deeds are what the operations do.
var deeds = [Ops]func(s *script){
	OpAnnounce: func(s *script) { s.announce(0) },
	OpWork:     (*script).work, OpRival: (*script).rival, OpUnpushed: (*script).unpushed, OpBack: (*script).back,
	OpPush:  func(s *script) { s.push(0, Push{To: s.place(), Want: s.p.refs}) },
	OpPlant: (*script).planted, OpAgain: (*script).again, OpRemove: (*script).remove, OpPull: (*script).pullRequest,
	OpAsk:     func(s *script) { s.add(Operation{Ask: true}) },
	OpClaim:   (*script).claim,
	OpPushOwn: func(s *script) { s.push(0, Push{To: s.p.ID(s.role), Want: s.p.refs}) },
	OpIssue:   func(s *script) { s.publish(0, s.p.issue(s.role, s.date())) },
	OpMeddle:  (*script).meddle, OpDrop: (*script).drop, OpParts: (*script).parts, OpRace: (*script).race,
	OpUpdate: (*script).update, OpOther: (*script).other, OpLimit: (*script).limit, OpQuery: (*script).query,
	OpReconcile: (*script).reconcile, OpOdd: (*script).odd, OpPassing: (*script).passing,
	OpSpeak: (*script).speak, OpCopy: (*script).copied, OpEdge: (*script).edge, OpMany: (*script).many,
	OpContribute: (*script).contribute, OpMention: (*script).mention, OpExact: (*script).exact,
	OpMeanwhile: (*script).meanwhile, OpSeldom: (*script).seldom,
	OpReconnect: func(s *script) { s.add(Operation{Reconnect: true}) },
	OpLook: func(s *script) {
		id := s.p.ID(Role(s.choose("whose", len(s.p.people))))
		s.add(Operation{After: s.soon(), Look: &id})
	},
}

// place is where somebody pushes: of the team to the owner, or to the own repository.
func (s *script) place() repo.ID {
	if s.role != Stranger && s.choose("where", 3) == 0 {
		return s.p.ID(s.role)
	}
	return s.p.ID(Owner)
}

// work is the usual order, and its reverse.
func (s *script) work() {
	p, to := s.p, s.place()
	if s.choose("announce", 4) == 0 {
		s.announce(0)
	}
	s.evolve()
	s.declare(s.soon())
	s.push(s.soon(), Push{To: to, Want: p.refs, Twice: s.choose("twice", 8) == 0})
	s.push(90*time.Second, Push{To: to, Want: p.refs})
}

// rival declares twice in one second.
func (s *script) rival() {
	to := s.place()
	for range 2 {
		s.evolve()
		s.declare(s.soon())
	}
	s.push(70*time.Second, Push{To: to, Want: s.p.refs})
}

// unpushed declares what nobody pushes.
func (s *script) unpushed() {
	before := slices.Clone(s.p.refs)
	s.evolve()
	s.declare(0)
	s.p.refs = before
}

// back declares what the server has had.
func (s *script) back() {
	p, to := s.p, s.place()
	if len(p.past) > 0 {
		p.refs = slices.Clone(p.past[s.choose("past", len(p.past))])
		p.head = "refs/heads/main"
	}
	s.declare(s.soon())
	if s.choose("push back", 2) == 0 {
		s.push(s.soon(), Push{To: to, Want: p.refs})
	}
}

// planted pushes a ref that nobody has declared.
func (s *script) planted() {
	push := Push{To: s.place(), Want: s.p.refs, Plant: s.plant()}
	if s.choose("certificate", 8) == 0 {
		push.Plant, push.Cert = "", true
	}
	if s.role != Stranger {
		push.Stale = s.choose("stale", 3) == 0
	}
	s.push(0, push)
}

// claim publishes a state of the same identifier, and pushes to the owner what would fit it.
func (s *script) claim() {
	refs := []repo.Ref{{Name: "refs/heads/main", OID: s.p.oid()}}
	s.publish(0, s.p.state(s.role, s.date(), refs, s.p.head))
	s.push(s.soon(), Push{To: s.p.ID(Owner), Want: refs})
}

// drop has a member declare, and whoever lists them list nobody while that waits. The push comes behind both.
func (s *script) drop() {
	p := s.p
	whole := script{p: p, role: Owner, now: s.now, c: s.c}
	if s.role != Owner {
		for _, r := range p.team() {
			if slices.Contains(p.listed(r), s.role) {
				whole.role = r
			}
		}
	}
	s.evolve()
	s.declare(0)
	s.publish(s.soon(), p.announce(whole.role, s.date(), p.services, nil))
	if s.choose("push", 2) == 0 {
		s.push(s.soon(), Push{To: p.ID(Owner), Want: p.refs})
	}
	if s.choose("listed again", 2) == 0 {
		s.publish(90*time.Second, p.announce(whole.role, s.date(), p.services, p.listed(whole.role)))
		s.push(100*time.Second, Push{To: p.ID(Owner), Want: p.refs})
	}
}

// parts pushes a part of what is declared, and perhaps the rest.
func (s *script) parts() {
	p, to := s.p, s.place()
	s.evolve()
	if len(p.refs) < refsMax {
		p.change("refs/heads/other", p.oid())
	}
	s.declare(s.soon())
	if s.choose("part", 3) == 0 {
		s.push(s.soon(), Push{To: to, Want: p.refs, Lacks: true})
	} else {
		s.push(s.soon(), Push{To: to, Only: p.refs[s.choose("ref", len(p.refs))]})
	}
	if s.choose("rest", 2) == 0 {
		s.push(90*time.Second, Push{To: to, Want: p.refs})
	}
}

// race pushes different refs at one instant, and all of them to another place.
func (s *script) race() {
	p, to := s.p, s.place()
	s.evolve()
	s.declare(0)
	at := s.soon()
	for range 2 {
		s.push(at, Push{To: to, Only: p.refs[s.choose("ref", len(p.refs))]})
	}
	s.push(at, Push{To: to, Want: p.refs, Twice: true})
	s.push(at, Push{To: p.ID(s.role), Want: p.refs})
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

// branches are those beside main. Where a state does not say, HEAD follows a rule of which master is a part (G01-HEAD-01).
var branches = []string{"refs/heads/topic0", "refs/heads/topic1", "refs/heads/topic2", "refs/heads/master"}

// evolve changes what the team wants.
func (s *script) evolve() {
	p := s.p
	p.remember()
	p.change("refs/heads/main", p.oid())
	name := branches[s.choose("branch", len(branches))]
	switch s.choose("evolve", 8) {
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
	case 4:
		p.head = "" // nothing is said of it
	case 5:
		if len(p.refs) > 1 {
			p.change("refs/heads/main", repo.ZeroOID)
		}
	default:
		p.head = "refs/heads/main"
	}
}
