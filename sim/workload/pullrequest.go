package workload

import (
	"fmt"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// pullRequest builds a pull request by somebody to the repositories of others.
func (p *Project) pullRequest(r Role, to []Role, now instant.Instant, kind int, commit repo.OID, more ...nostr.Tag) *nostr.Event {
	tags := append(nostr.Tags{{"c", string(commit)}}, more...)
	for _, owner := range to {
		tags = append(tags, nostr.Tag{"a", p.coordinate(repo.KindAnnouncement, owner)})
	}
	return p.event(r, now, kind, "pull request", tags)
}

// deletion builds a request to delete an event, or all of one kind by its author up to now.
func (p *Project) deletion(r Role, now instant.Instant, tags ...nostr.Tag) *nostr.Event {
	return p.event(r, now, 5, "deletion", tags)
}

// vanish builds a request of somebody to remove everything up to now, from all relays.
func (p *Project) vanish(r Role, now instant.Instant) *nostr.Event {
	return p.event(r, now, 62, "vanishing", nostr.Tags{{"relay", "ALL_RELAYS"}})
}

func (p *Project) coordinate(kind int, r Role) string {
	return fmt.Sprintf("%d:%s:%s", kind, p.people[r].PubKey, p.Identifier)
}

// pullRequest publishes one and pushes its commit, in either order, or one of both.
func (s *script) pullRequest() {
	p := s.p
	to := []Role{Owner, Maintainer}[s.choose("to", 2)]
	commit := p.oid()
	if len(p.refs) > 0 && s.choose("merged", 4) == 0 {
		commit = p.refs[s.choose("commit", len(p.refs))].OID
	}
	named := []Role{to}
	if s.choose("several", 3) == 0 {
		named = []Role{Owner, Maintainer}
	}
	ev := p.pullRequest(s.role, named, s.date(), repo.KindPullRequest+s.choose("update", 2), commit)
	ref := repo.Ref{Name: repo.PullRequestPrefix + ev.ID, OID: commit}
	p.pulled(ref)
	what := s.choose("parts", 6)
	if what == 0 {
		ref.OID = p.oid() // not what the event says
	}
	if what != 1 {
		s.publish(s.soon(), ev)
	}
	if what != 2 {
		s.push(s.soon(), Push{To: p.ID(to), Only: ref})
	}
}

// pulled remembers the ref of a pull request.
func (p *Project) pulled(ref repo.Ref) {
	if len(p.pulls) == pullsMax {
		p.pulls = slices.Delete(p.pulls, 0, 1)
	}
	p.pulls = append(p.pulls, ref)
}

// update publishes a pull request and an update of it, and pushes both commits, in any order.
func (s *script) update() {
	p := s.p
	first, second := p.oid(), p.oid()
	pr := p.pullRequest(s.role, []Role{Owner}, s.date(), repo.KindPullRequest, first)
	up := p.pullRequest(s.role, []Role{Owner}, s.date(), repo.KindPullRequestUpdate, second,
		nostr.Tag{"E", pr.ID}, nostr.Tag{"P", pr.PubKey})
	for i, ev := range []*nostr.Event{pr, up} {
		ref := repo.Ref{Name: repo.PullRequestPrefix + ev.ID, OID: []repo.OID{first, second}[i]}
		p.pulled(ref)
		s.publish(s.soon(), ev)
		s.push(s.soon(), Push{To: p.ID(Owner), Only: ref})
	}
}

// meddle moves or deletes the ref of a pull request of somebody.
func (s *script) meddle() {
	if len(s.p.pulls) == 0 {
		return
	}
	ref := s.p.pulls[s.choose("pull", len(s.p.pulls))]
	switch s.choose("meddle", 3) {
	case 0:
		ref.OID = repo.ZeroOID
	case 1:
		ref.OID = s.p.oid()
	}
	if s.choose("named", 6) == 0 { // after an event that may be no pull request
		ref.Name = repo.PullRequestPrefix + s.p.history[s.choose("event", len(s.p.history))].ID
	}
	s.push(0, Push{To: s.p.ID(Owner), Only: ref})
}

// remove asks for the deletion of an event of somebody, of everything of a kind, or of everything.
func (s *script) remove() {
	p := s.p
	if s.choose("vanish", 8) == 0 {
		s.publish(0, p.vanish(s.role, s.date()))
		return
	}
	switch n := len(p.history); s.choose("remove", 6) {
	case 0:
		s.publish(0, p.deletion(s.role, s.date(), nostr.Tag{"a", p.coordinate(repo.KindAnnouncement, s.role)}))
	case 1:
		s.publish(0, p.deletion(s.role, s.date(), nostr.Tag{"a", p.coordinate(repo.KindState, s.role)}))
	case 2: // which withdraws the service
		s.publish(0, p.announce(s.role, s.date(), []repo.Service{{Host: "elsewhere.example"}}, p.listed(s.role)))
	default:
		if n > 0 {
			s.publish(0, p.deletion(s.role, s.date(), nostr.Tag{"e", p.history[s.choose("event", n)].ID}))
		}
	}
}
