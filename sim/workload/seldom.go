package workload

import (
	"fmt"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// An aside is a repository of the same people under a name of its own, in which nothing else goes on.
type aside struct {
	s    *script
	name string
}

// besides names one that nobody has announced yet.
func (s *script) besides(what string) aside {
	return aside{s, fmt.Sprintf("%s%d%s", what, s.p.oids, s.p.Identifier)}
}

// id is that of the owner's.
func (a aside) id() repo.ID {
	return repo.ID{Owner: repo.PubKey(a.s.p.people[Owner].PubKey), Identifier: a.name}
}

func (a aside) coordinate(kind int, r Role) nostr.Tag {
	return nostr.Tag{"a", fmt.Sprintf("%d:%s:%s", kind, a.s.p.people[r].PubKey, a.name)}
}

// announce has somebody announce it, with maintainers, at all services or elsewhere.
func (a aside) announce(after time.Duration, r Role, here bool, maintainers ...Role) *nostr.Event {
	p, services := a.s.p, a.s.p.services
	if !here {
		services = []repo.Service{{Host: "elsewhere.example"}}
	}
	clone, relays, listed := nostr.Tag{"clone"}, nostr.Tag{"relays"}, nostr.Tag{"maintainers"}
	for _, service := range services {
		clone, relays = append(clone, CloneURL(service, p.people[r], a.name)), append(relays, RelayURL(service))
	}
	for _, m := range maintainers {
		listed = append(listed, p.people[m].PubKey)
	}
	ev := p.event(r, a.s.now.Add(after), repo.KindAnnouncement, "announcement aside", nostr.Tags{{"d", a.name}, clone, relays, listed})
	a.s.publish(after, ev)
	return ev
}

// declare has the owner say what its refs are, and HEAD unless that is "", and push that ten seconds later.
func (a aside) declare(after time.Duration, head string, names ...string) {
	p, tags := a.s.p, nostr.Tags{{"d", a.name}}
	var refs []repo.Ref
	for _, name := range names {
		refs = append(refs, repo.Ref{Name: name, OID: p.oid()})
		tags = append(tags, nostr.Tag{name, string(refs[len(refs)-1].OID)})
	}
	if head != "" {
		tags = append(tags, nostr.Tag{"HEAD", "ref: " + head})
	}
	a.s.publish(after, p.event(Owner, a.s.now.Add(after), repo.KindState, "state aside", tags))
	a.s.push(after+10*time.Second, Push{To: a.id(), Want: refs})
}

// Branches of which one may be that of HEAD.
const (
	branchMain   = "refs/heads/main"
	branchMaster = "refs/heads/master"
	branchTopic  = "refs/heads/topic0"
)

// seldom does what follows from two things that seldom come together, mostly in a repository of its own.
func (s *script) seldom() {
	p := s.p
	switch s.choose("seldom", 9) {
	case 0: // HEAD goes where nobody says
		a := s.besides("h")
		a.announce(0, Owner, true)
		a.declare(5*time.Second, branchTopic, branchMain, branchMaster, branchTopic)
		a.declare(40*time.Second, "", branchMain, branchMaster)
	case 1: // of two commits the first counts
		commit := p.oid()
		ev := p.pullRequest(s.role, []Role{Owner}, s.now, repo.KindPullRequest, commit, nostr.Tag{"c", string(p.oid())})
		s.publish(0, ev)
		s.push(s.soon(), Push{To: p.ID(Owner), Only: repo.Ref{Name: repo.PullRequestPrefix + ev.ID, OID: commit}})
	case 2: // the ref of an event that waits elsewhere is taken back
		a := s.besides("t")
		a.announce(0, Owner, true)
		commit := p.oid()
		ev := p.pullRequest(s.role, []Role{Owner}, s.now, repo.KindPullRequest, commit)
		ref := repo.Ref{Name: repo.PullRequestPrefix + ev.ID, OID: commit}
		s.push(30*time.Second, Push{To: a.id(), Only: ref})
		s.publish(60*time.Second, ev)
		s.push(90*time.Second, Push{To: a.id(), Only: repo.Ref{Name: ref.Name, OID: repo.ZeroOID}})
	case 3: // who is vouched for vouches for nobody
		a := s.besides("v")
		a.announce(0, Owner, true, Maintainer)
		a.declare(5*time.Second, branchMain, branchMain)
		a.announce(30*time.Second, Maintainer, false, Stranger)
		s.publish(50*time.Second, p.deletion(Owner, s.now.Add(50*time.Second), a.coordinate(repo.KindAnnouncement, Owner), a.coordinate(repo.KindState, Owner)))
		a.announce(60*time.Second, Owner, true, Maintainer, Stranger)
		a.announce(80*time.Second, Stranger, false)
	case 4, 5: // deleted before it is answered
		a := s.besides("d")
		ev := a.announce(0, s.role, true)
		by := nostr.Tag{"e", ev.ID}
		if s.choose("by address", 2) == 0 {
			by = a.coordinate(repo.KindAnnouncement, s.role)
		}
		s.publish(time.Second, p.deletion(s.role, s.now.Add(time.Second), by))
		if s.choose("again", 2) == 0 {
			a.announce(30*time.Second, s.role, true)
		}
	case 6: // a pull request that has a ref in two repositories goes
		ev := s.aside()
		s.publish(80*time.Second, p.deletion(s.role, s.now.Add(80*time.Second), nostr.Tag{"e", ev.ID}))
	case 7: // a pull request stays for whom it names by a maintainer who is none any more
		a := s.besides("f")
		a.announce(0, Owner, true, Maintainer)
		a.declare(5*time.Second, branchMain, branchMain)
		commit := p.oid()
		ev := p.event(s.role, s.now, repo.KindPullRequest, "pull request aside", nostr.Tags{{"c", string(commit)}, a.coordinate(repo.KindAnnouncement, Maintainer)})
		s.publish(30*time.Second, ev)
		s.push(40*time.Second, Push{To: a.id(), Only: repo.Ref{Name: repo.PullRequestPrefix + ev.ID, OID: commit}})
		a.announce(60*time.Second, Owner, true)
	default: // a version that is deleted, and the next one
		a := s.besides("n")
		a.announce(0, Owner, true, Maintainer)
		a.declare(5*time.Second, branchMain, branchMain)
		ev := a.announce(30*time.Second, Maintainer, false)
		s.publish(40*time.Second, p.deletion(Maintainer, s.now.Add(40*time.Second), nostr.Tag{"e", ev.ID}))
		a.announce(60*time.Second, Maintainer, false)
	}
}
