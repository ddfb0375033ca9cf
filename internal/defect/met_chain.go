package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// metChainDefects are mistakes in maintainer sets that show once announcements have come and gone.
func metChainDefects() []Defect {
	return []Defect{
		{Name: "deleted-announcements-name-maintainers", Filter: deletedName},
		{Name: "held-states-keep-authority", Filter: heldKeep},
		{Name: "chains-end-at-other-services", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			if ev.Kind != policy.KindAnnouncement || slices.ContainsFunc(valuesOf(ev, "relays"), ownHost) {
				return false
			}
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "maintainers" })
			return true
		})},
		{Name: "declarations-before-naming-lost", Filter: edited(func(ev *nostr.Event, s *shelf) bool {
			if ev.Kind != policy.KindAnnouncement {
				return false
			}
			for n, t := range ev.Tags {
				if t[0] == "maintainers" {
					ev.Tags[n] = slices.DeleteFunc(slices.Clone(t), func(key string) bool { return s.declared(key, ev.Tags.GetD()) })
				}
			}
			return true
		})},
	}
}

// ownHost tells a URL of the simulated service, and of one on this machine.
func ownHost(url string) bool {
	at, err := repo.ParseService(url)
	return err == nil && (at.Host == "grasp.example:8080" || strings.HasPrefix(at.Host, "127.0.0.1:"))
}

// declared reports whether a key has a state of an identifier that is served.
func (s *shelf) declared(key, identifier string) bool {
	for _, e := range s.all() {
		if !e.held && e.event.Kind == policy.KindState && e.event.PubKey == key && e.event.Tags.GetD() == identifier {
			return true
		}
	}
	return false
}

// deletedName lets pushes run that a maintainer says whom only announcements name that were deleted.
func deletedName() Filter {
	announced, states := map[repo.ID]*nostr.Event{}, map[repo.ID]*nostr.Event{}
	at := func(ev *nostr.Event) repo.ID {
		return repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}
	}
	return letting(func(i core.Input) {
		_, ev := published(i)
		switch {
		case ev == nil:
		case ev.Kind == policy.KindAnnouncement:
			announced[at(ev)] = ev
		case ev.Kind == policy.KindState:
			states[at(ev)] = ev
		}
	}, func(o core.PushOffered, _ policy.Ruling) bool {
		set := repo.MaintainerSet(repo.Legacy, o.Repo.Owner, o.Repo.Identifier, func(key repo.PubKey) (repo.Announcement, bool) {
			ev := announced[repo.ID{Owner: key, Identifier: o.Repo.Identifier}]
			if ev == nil {
				return repo.Announcement{}, false
			}
			a, reason := repo.ParseAnnouncement(ev)
			return a, reason == ""
		})
		return slices.ContainsFunc(set, func(key repo.PubKey) bool {
			ev := states[repo.ID{Owner: key, Identifier: o.Repo.Identifier}]
			return ev != nil && key != o.Repo.Owner && fits(o, ev)
		})
	})
}

// heldKeep lets pushes run that a state says which came while its author was named, whoever is named now.
func heldKeep() Filter {
	named, states := map[repo.ID][]repo.PubKey{}, map[repo.ID][]*nostr.Event{} // by the repository
	return letting(func(i core.Input) {
		_, ev := published(i)
		switch {
		case ev == nil:
		case ev.Kind == policy.KindAnnouncement:
			if a, reason := repo.ParseAnnouncement(ev); reason == "" {
				named[a.ID] = a.Maintainers
			}
		case ev.Kind == policy.KindState:
			for id, keys := range named {
				if id.Identifier == ev.Tags.GetD() && slices.Contains(keys, repo.PubKey(ev.PubKey)) {
					states[id] = append(states[id], ev)
				}
			}
		}
	}, func(o core.PushOffered, _ policy.Ruling) bool {
		return slices.ContainsFunc(states[o.Repo], func(ev *nostr.Event) bool {
			return !slices.Contains(named[o.Repo], repo.PubKey(ev.PubKey)) && fits(o, ev)
		})
	})
}
