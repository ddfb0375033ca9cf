package workload

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// speak publishes what a server that syncs hears of in one way only: what names a repository or a patch by one tag and nothing else,
// and lists of the servers that somebody prefers.
func (s *script) speak() {
	p := s.p
	about := p.coordinate(repo.KindAnnouncement, Owner)
	patches := slices.DeleteFunc(slices.Clone(p.history), func(ev *nostr.Event) bool { return ev.Kind != kindPatch })
	switch s.choose("speak", 5) {
	case 0:
		s.publish(0, p.event(s.role, s.date(), 1, "quote", nostr.Tags{{"q", about}}))
	case 1:
		s.publish(0, p.event(s.role, s.date(), kindPatch, "patch", nostr.Tags{{"a", about}, {"t", "root"}}))
	case 2, 3:
		if len(patches) == 0 {
			return
		}
		patch := patches[s.choose("patch", len(patches))]
		tag := []string{"e", "E", "q"}[s.choose("patch by", 3)]
		s.publish(0, p.event(s.role, s.date(), 1111, "answer", nostr.Tags{{tag, patch.ID}}))
	default:
		var tags nostr.Tags
		for _, l := range p.listings {
			if s.choose("prefers", 2) == 0 {
				tags = append(tags, nostr.Tag{"g", l.url()})
			}
		}
		s.publish(0, p.event(s.role, s.date(), 10317, "servers", tags))
	}
}

// copied publishes an announcement that names a relay by a clone URL alone: who has a copy may be a GRASP server.
func (s *script) copied() {
	p := s.p
	if len(p.listings) == 0 {
		s.announce(0)
		return
	}
	ev := p.announce(s.role, s.date(), p.services, p.listed(s.role))
	at := "http://" + p.listings[s.choose("copied", len(p.listings))].Host + PathOf(p.people[s.role], p.Identifier)
	tags := slices.Clone(ev.Tags)
	for i, tag := range tags {
		if tag[0] == "clone" {
			tags[i] = append(slices.Clone(tag), at)
		}
	}
	s.publish(0, p.event(s.role, s.date(), ev.Kind, "copied", tags))
}

// kindPatch is a patch of NIP-34, sent as an event.
const kindPatch = 1617

const kindIssue = 1621
