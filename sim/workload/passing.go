package workload

import (
	"fmt"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// passing publishes what waits for git data and is over by its own word (NIP-40) before that comes, just then, or behind it.
func (s *script) passing() {
	p := s.p
	life := []time.Duration{0, time.Second, 20 * time.Second, time.Minute, 10 * time.Minute, 40 * time.Minute, 2 * time.Hour}[s.choose("own life", 7)]
	end := nostr.Tag{"expiration", fmt.Sprint(s.now.Add(life).Unix())}
	again := func(ev *nostr.Event) *nostr.Event {
		tags := ev.Tags
		if s.choose("no number before", 6) == 0 { // the first one counts, and says nothing
			tags = append(tags, nostr.Tag{"expiration", "soon"})
		}
		return p.event(s.role, s.date(), ev.Kind, "passing", append(tags, end))
	}
	to := s.place()
	switch s.choose("passing", 4) {
	case 0:
		s.publish(0, again(p.announce(s.role, s.date(), p.services, p.listed(s.role))))
		s.declare(s.soon())
		s.push(s.soon(), Push{To: p.ID(s.role), Want: p.refs})
	case 1:
		s.publish(0, again(p.announce(s.role, s.date(), p.services, p.listed(s.role))))
	case 2:
		s.evolve()
		s.publish(0, again(p.state(s.role, s.date(), p.refs, p.head)))
		s.push(s.soon(), Push{To: to, Want: p.refs})
	default:
		commit := p.oid()
		ev := again(p.pullRequest(s.role, []Role{Owner}, s.date(), repo.KindPullRequest+s.choose("update", 2), commit))
		ref := repo.Ref{Name: repo.PullRequestPrefix + ev.ID, OID: commit}
		p.pulled(ref)
		s.publish(0, ev)
		s.push(s.soon(), Push{To: p.ID(Owner), Only: ref})
	}
	s.push(90*time.Second, Push{To: to, Want: p.refs})
}
