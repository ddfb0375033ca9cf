package workload

import (
	"fmt"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// plain publishes or asks for what is neither odd nor at any limit, and what servers stumble over all the same: long texts, tags
// that nobody knows, patches, names that differ in capitals alone, versions that come in the wrong order, and long questions.
func (s *script) plain() {
	p := s.p
	about := nostr.Tag{"a", p.coordinate(repo.KindAnnouncement, Owner)}
	article := func(d string) *nostr.Event {
		return p.event(s.role, s.now, 30023, "article", nostr.Tags{{"d", d}, about})
	}
	switch s.choose("plain", 7) {
	case 0:
		ev := p.issue(s.role, s.date())
		ev.Content += strings.Repeat("x", 11_000)
		p.Sign(s.role, ev)
		s.publish(0, ev)
	case 1:
		ev := p.announce(s.role, s.date(), p.services, p.listed(s.role))
		tags := nostr.Tags{{"unheard-of", "1", "", "3"}, {"z"}}
		s.publish(0, p.event(s.role, s.date(), ev.Kind, "tagged", append(ev.Tags, tags...)))
		s.publish(s.soon(), p.event(s.role, s.date(), 1621, "tagged", append(tags, about)))
	case 2:
		s.publish(0, p.event(s.role, s.date(), 1617, "patch", nostr.Tags{about, {"t", "root"}}))
	case 3:
		s.publish(0, article("Guide"))
		s.publish(s.soon(), article("guide"))
		s.publish(s.soon(), article("GUIDE"))
	case 4: // the newer one first
		kind := []int{10317, 30023, 10317}[s.choose("kind", 3)]
		for _, ago := range []time.Duration{0, time.Second, 2 * time.Second} {
			ev := p.event(s.role, s.now.Add(-ago), kind, "version", nostr.Tags{{"d", "order"}, about})
			s.add(Operation{After: ago, Publish: ev})
		}
	default:
		f := relay.Filter{}
		for _, who := range p.people {
			f.Authors = append(f.Authors, who.PubKey)
		}
		f.Kinds = []int{repo.KindAnnouncement, repo.KindState, repo.KindPullRequest, repo.KindPullRequestUpdate, 5, 1621, 1617, 1, 1111}
		switch s.choose("long", 3) {
		case 0:
			f.Authors = nil
		case 1:
			f.Kinds = nil
		}
		s.say(relay.Req{Sub: fmt.Sprintf("long%d", s.choose("sub", 3)), Filters: []relay.Filter{f}})
	}
}

// mixed pushes branches and the ref of a pull request at once, the commit of an update to the ref of what it updates, or away
// what is not there.
func (s *script) mixed() {
	p := s.p
	commit := p.oid()
	pull := p.pullRequest(s.role, []Role{Owner}, s.date(), repo.KindPullRequest, commit)
	ref := repo.Ref{Name: repo.PullRequestPrefix + pull.ID, OID: commit}
	switch s.choose("mixed", 3) {
	case 0:
		s.publish(0, pull)
		s.evolve()
		s.declare(s.soon())
		s.push(s.soon(), Push{To: p.ID(Owner), Want: p.refs, Besides: ref})
	case 1:
		s.publish(0, pull)
		s.push(s.soon(), Push{To: p.ID(Owner), Only: ref})
		update := p.oid()
		s.publish(s.soon(), p.pullRequest(s.role, []Role{Owner}, s.date(), repo.KindPullRequestUpdate, update, nostr.Tag{"E", pull.ID}))
		s.push(90*time.Second, Push{To: p.ID(Owner), Only: repo.Ref{Name: ref.Name, OID: update}})
	default:
		s.evolve()
		s.declare(0)
		gone := p.refs[s.choose("gone", len(p.refs))]
		s.push(s.soon(), Push{To: p.ID(Owner), Only: repo.Ref{Name: gone.Name, OID: repo.ZeroOID}})
	}
	p.pulled(ref)
}
