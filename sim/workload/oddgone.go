package workload

import (
	"fmt"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// oddDeletion asks for the deletion of several things in one request, of which some are none, are somebody else's or have come
// to nobody yet. The request itself may expire: what it has asked for stays deleted. Then what it named comes again.
func (s *script) oddDeletion() {
	if s.choose("of one second", 3) == 0 {
		s.oneSecond()
		return
	}
	p := s.p
	mine, other := p.people[s.role].PubKey, p.people[Role((int(s.role)+1)%len(p.people))].PubKey
	long := strings.Repeat("l", repo.IdentifierMax+1)
	places := []string{
		p.coordinate(repo.KindAnnouncement, s.role), p.coordinate(repo.KindState, s.role), "30618:" + other + ":" + p.Identifier,
		"30023:" + mine + ":" + long, "30023:" + mine + ":" + p.Identifier, "0:" + mine + ":", "0:" + mine + ":" + p.Identifier, "10002:" + mine + ":",
		"1621:" + mine + ":", "30617:" + mine, "x:" + mine + ":" + p.Identifier, "30617::" + p.Identifier, "30023:" + mine + ":a:b", "30617:" + mine + ":",
	}
	var tags []nostr.Tag
	var again []*nostr.Event
	for range 1 + s.choose("named", 4) {
		if n := len(p.history); n > 0 && s.choose("by id", 2) == 0 {
			ev := p.history[s.choose("event", n)]
			again = append(again, ev)
			tags = append(tags, nostr.Tag{"e", []string{ev.ID, ev.ID, ev.ID, strings.ToUpper(ev.ID), ev.ID[1:], ev.ID + "0"}[s.choose("id", 6)]})
			continue
		}
		tags = append(tags, nostr.Tag{[]string{"a", "a", "a", "A"}[s.choose("letter", 4)], places[s.choose("place", len(places))]})
	}
	for _, d := range []string{long, p.Identifier, "a:b"} {
		if s.choose("addressed", 3) == 0 {
			again = append(again, p.event(s.role, s.date(), 30023, "article", nostr.Tags{
				{"d", d}, {"a", p.coordinate(repo.KindAnnouncement, Owner)},
			}))
		}
	}
	if s.choose("next", 3) == 0 { // before there is one
		next := p.state(s.role, s.date(), p.refs, p.head)
		again, tags = append(again, next), append(tags, nostr.Tag{"e", next.ID})
	}
	for _, ev := range again {
		if s.choose("before", 2) == 0 {
			s.publish(0, ev)
		}
	}
	if s.choose("expires", 2) == 0 {
		tags = append(tags, nostr.Tag{"expiration", fmt.Sprint(s.now.Unix() + []int64{1, 61, 70, 600}[s.choose("after", 4)])})
	}
	s.publish(s.soon(), p.deletion(s.role, s.date(), append(tags, []nostr.Tag{{"e"}, {"a"}, {}, {"k", "1"}}[s.choose("besides", 4)])...))
	for _, ev := range again {
		s.publish(s.soon()*2, ev)
	}
}

// oneSecond publishes a version that waits for its data, or has it, and a request for the deletion of all that there is at its address, or
// of everything, that is dated the same second, or the one before or behind it. Then the version comes again.
func (s *script) oneSecond() {
	p := s.p
	at := s.now
	ev, kind := p.announce(s.role, at, p.services, p.listed(s.role)), repo.KindAnnouncement
	if s.choose("version", 2) == 0 {
		s.evolve()
		ev, kind = p.state(s.role, at, p.refs, p.head), repo.KindState
	}
	s.publish(0, ev)
	if s.choose("has its data", 3) == 0 {
		s.push(s.soon(), Push{To: p.ID(s.role), Want: p.refs})
	}
	at = at.Add([]time.Duration{0, 0, 0, -time.Second, time.Second}[s.choose("dated", 5)])
	if s.choose("everything", 3) == 0 {
		s.publish(s.soon()*2, p.vanish(s.role, at))
	} else {
		s.publish(s.soon()*2, p.deletion(s.role, at, nostr.Tag{"a", p.coordinate(kind, s.role)}))
	}
	s.publish(s.soon()*4, ev)
}

// oddPulls pushes several refs below refs/nostr/ at once, of events that are known, that come behind them and that never come.
func (s *script) oddPulls() {
	p := s.p
	var refs []repo.Ref
	for i := range 1 + s.choose("pulls", 12) {
		commit := p.oid()
		name := fmt.Sprintf("%064x", p.oids<<8+i)
		if s.choose("known", 3) == 0 {
			ev := p.pullRequest(s.role, []Role{Owner}, s.date(), repo.KindPullRequest, commit)
			name = ev.ID
			if s.choose("published", 2) == 0 {
				s.publish(s.soon(), ev)
			}
		}
		refs = append(refs, repo.Ref{Name: repo.PullRequestPrefix + name, OID: commit})
	}
	for _, ref := range refs {
		p.pulled(ref)
	}
	s.push(s.soon(), Push{To: p.ID([]Role{Owner, Owner, Maintainer}[s.choose("to", 3)]), Also: refs})
	if s.choose("back", 3) == 0 { // some of them go again
		for i := range refs {
			if s.choose("goes", 2) == 0 {
				refs[i].OID = repo.ZeroOID
			}
		}
		s.push(s.soon()*2, Push{To: p.ID(Owner), Also: refs})
	}
}
