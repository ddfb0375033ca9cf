package workload

import (
	"fmt"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// A place for contributions is where somebody without a repository puts the commits of pull requests (GRASP-06). To the world it is a
// repository of that key whose identifier stands behind "prs/"; people know its URL.

// placeOf is the place of somebody for repositories of an identifier.
func (p *Project) placeOf(r Role, identifier string) repo.ID {
	return repo.ID{Owner: repo.PubKey(p.people[r].PubKey), Identifier: "prs/" + identifier}
}

// placeURLs are where the place of somebody is at each service (G06-URL-01).
func (p *Project) placeURLs(r Role, identifier string) []string {
	var urls []string
	for _, s := range p.services {
		urls = append(urls, "http://"+s.Host+s.Base+"/prs"+PathOf(p.people[r], identifier))
	}
	return urls
}

// contribute publishes a pull request and pushes its commit to the own place, in either order, or one of both. At times something
// is wrong with it, or with the push.
func (s *script) contribute() {
	p := s.p
	if s.choose("at a place", 5) == 0 {
		s.trespass()
		return
	}
	identifier, commit := p.Identifier, p.oid()
	if s.choose("commit of the team", 6) == 0 && len(p.refs) > 0 {
		commit = p.refs[s.choose("which", len(p.refs))].OID
	}
	to := p.coordinate(repo.KindAnnouncement, []Role{Owner, Maintainer}[s.choose("to", 2)])
	if s.choose("of nobody here", 4) == 0 { // it needs no repository
		identifier = "elsewhere"
		to = fmt.Sprintf("%d:%s:%s", repo.KindAnnouncement, p.people[Owner].PubKey, identifier)
	}
	tags := nostr.Tags{{"c", string(commit)}, {"a", to}, append(nostr.Tag{"clone"}, s.named(identifier)...)}
	if s.choose("beside another one", 4) == 0 { // it is for several, and the place need not be named by the first
		tags = slices.Insert(tags, 1, nostr.Tag{"a", fmt.Sprintf("%d:%s:beside", repo.KindAnnouncement, p.people[Owner].PubKey)})
	}
	ev := p.event(s.role, s.date(), repo.KindPullRequest+s.choose("update", 2), "contribution", tags)
	ref := repo.Ref{Name: repo.PullRequestPrefix + ev.ID, OID: commit}
	what := s.choose("parts", 7)
	if what == 0 {
		ref.OID = p.oid() // not what the event says
	}
	if what != 1 {
		s.publish(s.soon(), ev)
	}
	if what == 2 {
		return
	}
	s.push(s.soon(), Push{To: p.placeOf(s.role, identifier), Only: ref})
	if what == 0 { // and then what it says
		s.push(90*time.Second, Push{To: p.placeOf(s.role, identifier), Only: repo.Ref{Name: ref.Name, OID: commit}})
	}
	p.pulled(ref)
	p.given = append(p.given[max(0, len(p.given)-pullsMax+1):], gift{p.placeOf(s.role, identifier), ref})
}

// named are the clone values of a contribution: mostly those of the own place.
func (s *script) named(identifier string) []string {
	p := s.p
	urls := p.placeURLs(s.role, identifier)
	switch s.choose("clone values", 12) {
	case 0:
		return []string{"http://elsewhere.example/prs" + PathOf(p.people[s.role], identifier)}
	case 1:
		return p.placeURLs(Owner, identifier)
	case 2:
		return p.placeURLs(s.role, identifier+"2")
	case 3:
		return []string{urls[0] + "?a=b"}
	case 4:
		return append([]string{"http://elsewhere.example/x.git"}, urls...)
	case 5:
		return []string{urls[0] + "/"}
	case 6:
		return []string{CloneURL(p.services[0], p.people[s.role], identifier)} // no place at all
	}
	return urls
}

// trespass pushes to a place what does not belong there: a branch, what another place has, to that of somebody else, a commit that waits
// for a state, or away what is there.
func (s *script) trespass() {
	p := s.p
	place := p.placeOf(s.role, p.Identifier)
	push := Push{To: place, Only: repo.Ref{Name: fmt.Sprintf("%s%064x", repo.PullRequestPrefix, p.oids), OID: p.oid()}}
	switch s.choose("trespass", 8) {
	case 0:
		push.Only.Name = s.plant()
	case 1: // two refs, one of which is none of a pull request
		push.Also, push.Only = []repo.Ref{push.Only, {Name: "refs/heads/main", OID: push.Only.OID}}, repo.Ref{}
	case 2:
		push.To = p.placeOf(Owner, p.Identifier)
	case 3:
		push.Cert = true
	case 4:
		if len(p.refs) > 0 {
			push.Only.OID = p.refs[s.choose("which", len(p.refs))].OID
		}
	case 5, 6:
		if len(p.given) == 0 {
			break
		}
		gift := p.given[s.choose("gift", len(p.given))]
		if push.To, push.Only = gift.place, gift.ref; s.choose("away", 2) == 0 {
			push.Only.OID = repo.ZeroOID
			if s.choose("not there", 3) == 0 {
				push.Only.Name, push.Bare = fmt.Sprintf("%s%064x", repo.PullRequestPrefix, p.oids), true
			}
			break
		}
		push.Only.OID = p.oid()
	case 7: // the commit of another pull request, behind a name that nobody knows
		if len(p.pulls) > 0 {
			push.Only.OID = p.pulls[s.choose("which", len(p.pulls))].OID
		}
	}
	s.push(0, push)
	if s.choose("look", 2) == 0 {
		s.add(Operation{After: s.soon(), Look: &place})
	}
}

// A gift is a ref that somebody has pushed to a place.
type gift struct {
	place repo.ID
	ref   repo.Ref
}
