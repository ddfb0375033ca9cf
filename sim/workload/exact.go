package workload

import (
	"fmt"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// idsMost is how many ids of events a project remembers: more than an answer without a limit holds.
const idsMost = 700

// crowdOf is how many refs at a place somebody pushes at once whose events never come.
const crowdOf = 45

// exact does what is just at an edge: asks for what is of the very second of an event, or for more events by their ids than any other question
// brings, publishes what is over at one of two times, and uses a second repository of the same people, or their place to the full.
func (s *script) exact() {
	p := s.p
	switch s.choose("exact", 6) {
	case 0, 1:
		if n := len(p.history); n > 0 {
			ev := p.history[s.choose("event", n)]
			at := int64(ev.CreatedAt)
			f := relay.Filter{Authors: []string{ev.PubKey}, Since: &at}
			if s.choose("until", 2) == 0 {
				f.Since, f.Until = nil, &at
			}
			s.say(relay.Req{Sub: "exact", Filters: []relay.Filter{f}})
		}
	case 2:
		s.say(relay.Req{Sub: "by id", Filters: []relay.Filter{{IDs: slices.Clone(p.ids)}}})
	case 3:
		over := func(what string) nostr.Tag {
			return nostr.Tag{"expiration", fmt.Sprint(s.now.Add([]time.Duration{90 * time.Second, 20 * time.Minute, 100 * time.Hour}[s.choose(what, 3)]).Unix())}
		}
		about := nostr.Tag{"a", p.coordinate(repo.KindAnnouncement, Owner)}
		s.publish(0, p.event(s.role, s.now, 1, "twice over", nostr.Tags{about, over("over first"), over("over then")}))
	case 4:
		s.aside()
	default:
		var refs []repo.Ref
		for i := range crowdOf {
			refs = append(refs, repo.Ref{Name: repo.PullRequestPrefix + fmt.Sprintf("%064x", p.oids<<8+i), OID: p.oid()})
		}
		s.push(0, Push{To: p.placeOf(s.role, p.Identifier), Also: refs})
	}
}

// aside announces a second repository with its data, and a pull request of both whose commit goes there alone.
func (s *script) aside() *nostr.Event {
	p := s.p
	who, name := p.people[s.role], []string{"a", "z"}[s.choose("name", 2)]+p.Identifier
	clone, relays := nostr.Tag{"clone"}, nostr.Tag{"relays"}
	for _, service := range p.services {
		clone, relays = append(clone, CloneURL(service, who, name)), append(relays, RelayURL(service))
	}
	main := repo.Ref{Name: "refs/heads/main", OID: p.oid()}
	to := repo.ID{Owner: repo.PubKey(who.PubKey), Identifier: name}
	s.publish(0, p.event(s.role, s.now, repo.KindAnnouncement, "aside", nostr.Tags{{"d", name}, clone, relays}))
	s.publish(time.Second, p.event(s.role, s.now, repo.KindState, "state aside", nostr.Tags{{"d", name}, {main.Name, string(main.OID)}, {"HEAD", "ref: " + main.Name}}))
	s.push(2*time.Second, Push{To: to, Only: main})
	commit := p.oid()
	ev := p.pullRequest(s.role, []Role{Owner}, s.now, repo.KindPullRequest, commit, nostr.Tag{"a", fmt.Sprintf("%d:%s:%s", repo.KindAnnouncement, who.PubKey, name)})
	s.publish(20*time.Second, ev)
	s.push(30*time.Second, Push{To: to, Only: repo.Ref{Name: repo.PullRequestPrefix + ev.ID, OID: commit}})
	return ev
}
