package workload

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// mention publishes what names several things, of which one may let it in and it may let in another: an event of before beside a repository,
// a patch behind another one, the repository of somebody who only maintains one, and the article of somebody, which may come behind it.
func (s *script) mention() {
	p := s.p
	who := func(what string) Role { return Role(s.choose(what, len(p.people))) }
	tag := func(what string) string { return []string{"a", "A", "q"}[s.choose(what, 3)] }
	article := func(r Role) nostr.Tag {
		return nostr.Tag{tag("article by"), "30023:" + p.people[r].PubKey + ":" + p.Identifier}
	}
	switch s.choose("mention", 5) {
	case 0: // a patch behind a patch, and so on
		roots := slices.DeleteFunc(slices.Clone(p.history), func(ev *nostr.Event) bool { return ev.Kind != kindPatch && ev.Kind != kindIssue })
		if n := len(roots); n > 0 {
			by := []string{"e", "E", "q"}[s.choose("behind by", 3)]
			s.publish(0, p.event(s.role, s.date(), kindPatch, "patch", nostr.Tags{{by, roots[n-1-s.choose("behind", min(n, 4))].ID}}))
		}
	case 1:
		if n := len(p.history); n > 0 {
			by := []string{"e", "E", "q"}[s.choose("by", 3)]
			about := nostr.Tag{tag("about"), p.coordinate(repo.KindAnnouncement, who("whose"))}
			s.publish(0, p.event(s.role, s.date(), 1111, "mention", nostr.Tags{{by, p.history[s.choose("event", n)].ID}, about}))
		}
	case 2:
		s.publish(0, p.event(s.role, s.date(), 1111, "mention", nostr.Tags{{tag("named by"), p.coordinate(repo.KindAnnouncement, who("whose"))}}))
	case 3:
		about := nostr.Tag{tag("about"), p.coordinate(repo.KindAnnouncement, who("whose"))}
		s.publish(0, p.event(s.role, s.date(), 1111, "mention", nostr.Tags{article(who("author")), about}))
	default:
		about := nostr.Tag{tag("about"), p.coordinate(repo.KindAnnouncement, who("whose"))}
		s.publish(0, p.event(s.role, s.date(), 30023, "article", nostr.Tags{{"d", p.Identifier}, about}))
	}
}
