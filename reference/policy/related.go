package policy

import (
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// Related judges every event that has no rule of its own (announcements, states, pull requests and deletions have one): it must refer to a stored event of the
// accepted graph, or be referred to by one (G01-REL-01 to G01-REL-05). The graph is rooted in announcements, issues,
// patches and pull requests; deletion requests and user lists are taken from anybody and root nothing.
func Related(v View, ev *nostr.Event) Ruling {
	if ev.Kind == KindUserGraspList {
		return Ruling{Decision: Accept, Requirement: "G01-REL-08"}
	}
	for _, tag := range ev.Tags {
		if len(tag) < 2 {
			continue
		}
		switch tag[0] {
		case "a", "A":
			if coordinateStored(v, tag[1]) {
				return Ruling{Decision: Accept, Requirement: "G01-REL-01"}
			}
		case "e", "E":
			if inGraph(v, tag[1]) {
				return Ruling{Decision: Accept, Requirement: "G01-REL-02"}
			}
		case "q":
			if inGraph(v, tag[1]) || coordinateStored(v, tag[1]) {
				return Ruling{Decision: Accept, Requirement: "G01-REL-02"}
			}
		}
	}
	if v.Mentioned(ev.ID) {
		return Ruling{Decision: Accept, Requirement: "G01-REL-03"}
	}
	return wants("G01-REL-05", "invalid", "event must reference an accepted repository or accepted event")
}

// Kinds of the events that the rules name.
const (
	KindDeletion          = 5
	KindVanish            = 62 // request to vanish (NIP-62)
	KindPullRequest       = repo.KindPullRequest
	KindPullRequestUpdate = repo.KindPullRequestUpdate
	KindUserGraspList     = 10317
	KindAuthentication    = 22242 // of a client to a relay (NIP-42)
	KindAnnouncement      = 30617
	KindState             = 30618

	KindHTTPAuthentication = 27235 // of a client with an HTTP request (NIP-98)
	KindProfile            = 0     // who somebody is
	KindRelayList          = 10002 // where somebody writes and reads (NIP-65)
)

// Roots reports whether events of a kind may root others: those that anybody may store may not (INV-27).
func Roots(kind int) bool {
	return kind != KindDeletion && kind != KindVanish && kind != KindUserGraspList
}

func inGraph(v View, id string) bool {
	ev := v.Stored(id)
	return ev != nil && Roots(ev.Kind)
}

// coordinateStored reads "kind:pubkey:identifier", split at the first two colons, and looks it up as one triple.
func coordinateStored(v View, coordinate string) bool {
	kindText, rest, ok := strings.Cut(coordinate, ":")
	author, identifier, ok2 := strings.Cut(rest, ":")
	kind, err := strconv.Atoi(kindText)
	if !ok || !ok2 || err != nil || !Roots(kind) {
		return false
	}
	return v.StoredAt(kind, author, identifier) != nil
}
