package workload

import (
	"fmt"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// meanwhile does what comes while something else of it is under way: a question that is asked anew, an event that comes and goes while
// one is searched for, and a repository that is announced again while it is removed. And it writes what is empty where more may stand.
func (s *script) meanwhile() {
	p := s.p
	slow := relay.Req{Sub: "slow", Filters: []relay.Filter{{}}}
	say := func(after time.Duration, m relay.ClientMessage) { s.add(Operation{After: after, Say: m}) }
	switch s.choose("meanwhile", 7) {
	case 0: // in a form that costs nothing, so that it is answered before the former one
		none := 0
		say(0, slow)
		say(time.Second, relay.Req{Sub: slow.Sub, Filters: []relay.Filter{{Kinds: []int{kindIssue}, Limit: &none}}})
		s.publish(2*time.Second, p.issue(s.role, s.now))
	case 1:
		say(0, slow)
		ev := p.issue(s.role, s.now)
		s.publish(time.Second, ev)
		s.publish(2*time.Second, p.deletion(s.role, s.now, nostr.Tag{"e", ev.ID}))
	case 2, 3:
		s.movedBack()
	case 4:
		s.emptyName()
	case 5:
		s.twoPlaces()
	default:
		s.emptyQuery()
	}
}

// movedBack announces a repository with a maintainer, who announces one as well, takes it elsewhere before anything is in it, and comes back.
func (s *script) movedBack() {
	p := s.p
	name := fmt.Sprintf("m%d%s", p.oids, p.Identifier)
	announce := func(after time.Duration, r Role, services []repo.Service, more ...nostr.Tag) {
		clone, relays := nostr.Tag{"clone"}, nostr.Tag{"relays"}
		for _, service := range services {
			clone, relays = append(clone, CloneURL(service, p.people[r], name)), append(relays, RelayURL(service))
		}
		s.publish(after, p.event(r, s.now.Add(after), repo.KindAnnouncement, "moved", append(nostr.Tags{{"d", name}, clone, relays}, more...)))
	}
	main := repo.Ref{Name: "refs/heads/main", OID: p.oid()}
	announce(0, Owner, p.services, nostr.Tag{"maintainers", p.people[Maintainer].PubKey})
	s.publish(20*time.Second, p.event(Owner, s.now, repo.KindState, "moved state", nostr.Tags{{"d", name}, {main.Name, string(main.OID)}, {"HEAD", "ref: " + main.Name}}))
	s.push(30*time.Second, Push{To: repo.ID{Owner: repo.PubKey(p.people[Owner].PubKey), Identifier: name}, Only: main})
	announce(50*time.Second, Maintainer, p.services)
	announce(100*time.Second, Maintainer, []repo.Service{{Host: "elsewhere.example"}})
	announce(102*time.Second, Maintainer, p.services)
}

// twoPlaces pushes the ref of one event to two places, takes it back from the one that the event names, and publishes the event.
func (s *script) twoPlaces() {
	p := s.p
	commit := p.oid()
	to := p.coordinate(repo.KindAnnouncement, Owner)
	tags := nostr.Tags{{"c", string(commit)}, {"a", to}, append(nostr.Tag{"clone"}, p.placeURLs(s.role, p.Identifier)...)}
	ev := p.event(s.role, s.now, repo.KindPullRequest, "contribution", tags)
	ref := repo.Ref{Name: repo.PullRequestPrefix + ev.ID, OID: commit}
	s.push(0, Push{To: p.placeOf(s.role, p.Identifier), Only: ref})
	s.push(20*time.Second, Push{To: p.placeOf(s.role, "elsewhere"), Only: ref})
	s.push(60*time.Second, Push{To: p.placeOf(s.role, p.Identifier), Only: repo.Ref{Name: ref.Name, OID: repo.ZeroOID}})
	s.publish(100*time.Second, ev)
}

// emptyName publishes what has a d tag without a value before one with a value: the first counts.
func (s *script) emptyName() {
	p := s.p
	var ev *nostr.Event
	switch s.choose("empty", 3) {
	case 0:
		ev = p.announce(s.role, s.now, p.services, p.listed(s.role))
	case 1:
		ev = p.state(s.role, s.now, p.refs, p.head)
	default:
		about := nostr.Tag{"a", p.coordinate(repo.KindAnnouncement, Owner)}
		ev = p.event(s.role, s.now, 30023, "article", nostr.Tags{{"d", p.Identifier}, about})
	}
	tags := slices.Insert(slices.Clone(ev.Tags), 0, nostr.Tag{"d"})
	s.publish(s.soon(), p.event(s.role, s.now, ev.Kind, "empty name", tags))
}

// emptyQuery announces under URLs that end in an empty query or fragment.
func (s *script) emptyQuery() {
	p := s.p
	ev := p.announce(s.role, s.now, p.services, p.listed(s.role))
	which, end := []string{"clone", "relays"}[s.choose("which", 2)], []string{"?", "#"}[s.choose("end", 2)]
	var tags nostr.Tags
	for _, tag := range ev.Tags {
		if tag[0] == which {
			tag = slices.Clone(tag)
			for i := range tag[1:] {
				tag[i+1] += end
			}
		}
		tags = append(tags, tag)
	}
	s.publish(s.soon(), p.event(s.role, s.now, ev.Kind, "empty query", tags))
}
