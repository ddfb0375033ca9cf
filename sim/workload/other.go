package workload

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// others are kinds that are not of git: regular, replaceable, addressable and ephemeral.
var others = []int{1, 7, 1111, 1985, 0, 3, 10002, 10317, 10318, 30023, 30617 + 1000, 19999, 20000, 29999, 30000, 39999, 40000, 22242, 1622, 1632}

// other publishes an event that is not of git, about the project or not, which may expire or be protected.
func (s *script) other() {
	p := s.p
	var tags nostr.Tags
	switch s.choose("about", 5) {
	case 0:
	case 1:
		tags = nostr.Tags{{"a", p.coordinate(repo.KindAnnouncement, Owner)}}
	case 2:
		tags = nostr.Tags{{"A", p.coordinate(repo.KindAnnouncement, Role(s.choose("whose", len(p.people))))}}
	default:
		if n := len(p.history); n > 0 {
			tags = nostr.Tags{{[]string{"e", "E", "q"}[s.choose("tag", 3)], p.history[s.choose("event", n)].ID}}
		}
	}
	if s.choose("addressed", 2) == 0 {
		tags = append(tags, nostr.Tag{"d", p.Identifier})
	}
	switch s.choose("life", 8) {
	case 0:
		seconds := []int64{-1, 0, 1, 60, 1800}[s.choose("expires", 5)]
		tags = append(tags, nostr.Tag{"expiration", fmt.Sprint(s.now.Unix() + seconds)})
	case 1:
		tags = append(tags, nostr.Tag{"-"})
	}
	s.publish(s.soon(), p.event(s.role, s.date(), others[s.choose("kind", len(others))], "other", tags))
}

// limit publishes an event that has as much of something as there may be, or one more.
func (s *script) limit() {
	p := s.p
	over := s.choose("over", 2)
	switch s.choose("limit", 6) {
	case 0: // of an identifier
		id := strings.Repeat("i", repo.IdentifierMax+over)
		tags := nostr.Tags{{"d", id}, {"clone"}, {"relays"}}
		for _, service := range p.services {
			tags[1], tags[2] = append(tags[1], CloneURL(service, p.people[s.role], id)), append(tags[2], RelayURL(service))
		}
		s.publish(0, p.event(s.role, s.date(), repo.KindAnnouncement, "long", tags))
	case 1: // of the name of a ref
		name := "refs/heads/" + strings.Repeat("r", repo.RefNameMax-len("refs/heads/")+over)
		refs := []repo.Ref{{Name: name, OID: p.oid()}}
		s.publish(0, p.state(s.role, s.date(), refs, name))
		s.push(s.soon(), Push{To: p.ID(Owner), Only: refs[0]})
	case 2: // of repositories of a pull request
		var named []Role
		for range repo.PullRequestReposMax {
			named = append(named, Owner)
		}
		var more []nostr.Tag
		for i := range repo.PullRequestReposMax - 1 + over {
			more = append(more, nostr.Tag{"a", fmt.Sprintf("%s%d", p.coordinate(repo.KindAnnouncement, Stranger), i)})
		}
		commit := p.oid()
		ev := p.pullRequest(s.role, named, s.date(), repo.KindPullRequest, commit, more...)
		s.publish(0, ev)
		s.push(s.soon(), Push{To: p.ID(Owner), Only: repo.Ref{Name: repo.PullRequestPrefix + ev.ID, OID: commit}})
	case 3: // of a listing: one half of it alone
		ev := p.announce(s.role, s.date(), p.services, p.listed(s.role))
		without := []nostr.Tag{
			{"clone", "http://elsewhere.example/r.git"}, {"relays", "ws://elsewhere.example"}, {"clone"}, {"relays"},
		}[s.choose("half", 4)]
		tags := slices.DeleteFunc(slices.Clone(ev.Tags), func(t nostr.Tag) bool { return t[0] == without[0] })
		if len(without) > 1 {
			tags = append(tags, without)
		}
		s.publish(0, p.event(s.role, s.date(), ev.Kind, "half", tags))
	case 4: // of a pull request: one of nothing
		tags := nostr.Tags{{"a", p.coordinate(repo.KindAnnouncement, Owner)}}
		if over == 1 {
			tags = append(tags, nostr.Tag{"c", "main"})
		}
		s.publish(0, p.event(s.role, s.date(), repo.KindPullRequest, "pull request", tags))
	default: // of maintainers
		tag := nostr.Tag{"maintainers"}
		n := repo.MaintainersMax - 1 + over
		switch s.choose("among", 3) {
		case 0: // one fewer, for who lists them belongs to the set
			n--
		case 1: // and lists himself
			tag = append(tag, p.people[s.role].PubKey)
			n--
		}
		for i := range n {
			tag = append(tag, fmt.Sprintf("%064x", i+1))
		}
		ev := p.announce(s.role, s.date(), p.services, nil)
		s.publish(0, p.event(s.role, s.date(), ev.Kind, "many", append(ev.Tags, append(tag, p.people[Maintainer].PubKey))))
	}
}
