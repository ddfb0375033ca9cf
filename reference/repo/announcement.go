package repo

import (
	"github.com/nbd-wtf/go-nostr"
)

// Kinds of the two events that this package reads (NIP-34).
const (
	KindAnnouncement = 30617
	KindState        = 30618
)

// An Announcement is what a repository announcement says (NIP-34, kind 30617).
type Announcement struct {
	Event       *nostr.Event
	ID          ID
	Clone       []string // values of all clone tags in order, empty ones left out (G01-ANN-08)
	Relays      []string // values of all relays tags in order, empty ones left out
	Maintainers []PubKey // valid keys only, each once, in order, at most MaintainersMax (G01-MNT-09)
	Name        string
	Description string
}

// ParseAnnouncement reads a kind 30617 event. The second value is the reason why it names no repository that could be
// hosted, in words for the publisher, or "" (G01-ANN-09, G01-ANN-10). Whether it lists a service is not asked here:
// missing clone or relays tags are no reason.
func ParseAnnouncement(ev *nostr.Event) (Announcement, string) {
	if ev.Kind != KindAnnouncement {
		return Announcement{}, "Invalid announcement: the kind is not 30617"
	}
	id, reason := parseID(ev)
	if reason != "" {
		return Announcement{}, reason
	}
	a := Announcement{Event: ev, ID: id}
	named, described := false, false
	seen := map[PubKey]bool{}
	for _, tag := range ev.Tags {
		if len(tag) < 2 {
			continue
		}
		switch tag[0] {
		case "name":
			if !named {
				a.Name, named = tag[1], true
			}
		case "description":
			if !described {
				a.Description, described = tag[1], true
			}
		case "clone":
			a.Clone = appendFilled(a.Clone, tag[1:])
		case "relays":
			a.Relays = appendFilled(a.Relays, tag[1:])
		case "maintainers":
			for _, value := range tag[1:] {
				key, err := ParsePubKey(value)
				if err != nil || seen[key] || len(a.Maintainers) == MaintainersMax {
					continue
				}
				seen[key] = true
				a.Maintainers = append(a.Maintainers, key)
			}
		}
	}
	return a, ""
}

// parseID reads the author and the identifier that announcements and states share.
func parseID(ev *nostr.Event) (ID, string) {
	author, err := ParsePubKey(ev.PubKey)
	if err != nil {
		return ID{}, "Invalid author: it is not 64 lower-case hex digits"
	}
	identifier, ok := Identifier(ev)
	if !ok {
		return ID{}, "Missing required 'd' tag (identifier)"
	}
	if why := CheckIdentifier(identifier); why != "" {
		return ID{}, "Invalid identifier: " + why
	}
	return ID{Owner: author, Identifier: identifier}, ""
}

func appendFilled(list, values []string) []string {
	for _, value := range values {
		if value != "" {
			list = append(list, value)
		}
	}
	return list
}
