package explore

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/identity"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
)

// A Script is what is said in a family, with the names of all that occurs in it. Events say when they were made, in seconds
// since the start; a client may send them at any time.
type Script struct {
	people map[string]identity.Identity
	names  map[string]string // of keys, events and objects
	before []Deed            // done first, one after the other
	actors []actor
	relays []string // that announcements list as well
}

// service is what announcements list the server as, and elsewhere another one.
var (
	service   = repo.Service{Host: "grasp.example"}
	elsewhere = repo.Service{Host: "elsewhere.example"}
)

func newScript() *Script {
	return &Script{people: map[string]identity.Identity{}, names: map[string]string{}}
}

// Before has things done, one after the other and to their end, before anything else.
func (s *Script) Before(deeds ...Deed) { s.before = append(s.before, deeds...) }

// Actor has somebody do things, each when the one before it has been answered.
func (s *Script) Actor(name string, deeds ...Deed) { s.actors = append(s.actors, actor{name, deeds}) }

func (s *Script) person(name string) identity.Identity {
	who, known := s.people[name]
	if !known {
		who = identity.New(1, name)
		s.people[name] = who
		s.names[who.PubKey] = name
	}
	return who
}

// Repository is the one that somebody may announce; all have one identifier.
func (s *Script) Repository(owner string) repo.ID {
	return repo.ID{Owner: repo.PubKey(s.person(owner).PubKey), Identifier: identifier}
}

const identifier = "demo"

// event makes an event of somebody.
func (s *Script) event(by, name string, kind, at int, tags ...nostr.Tag) *nostr.Event {
	ev := &nostr.Event{Kind: kind, CreatedAt: nostr.Timestamp(sim.Start.Unix() + int64(at)), Tags: tags}
	who := s.person(by)
	who.Stamp(ev)
	s.names[ev.ID] = fmt.Sprintf("%s@%d of %s", name, at, by)
	return ev
}

// Announcement lists the service and the maintainers.
func (s *Script) Announcement(owner string, at int, maintainers ...string) *nostr.Event {
	return s.announcement("announcement", service, owner, at, maintainers)
}

// Withdrawal is an announcement that lists another service.
func (s *Script) Withdrawal(owner string, at int, maintainers ...string) *nostr.Event {
	return s.announcement("withdrawal", elsewhere, owner, at, maintainers)
}

func (s *Script) announcement(name string, on repo.Service, owner string, at int, maintainers []string) *nostr.Event {
	id := s.Repository(owner)
	tags := []nostr.Tag{{"d", id.Identifier}, {"clone", on.CloneURL(id, "http")}, append(nostr.Tag{"relays", on.RelayURL("ws")}, s.relays...)}
	if len(maintainers) > 0 {
		listed := nostr.Tag{"maintainers"}
		for _, m := range maintainers {
			listed = append(listed, s.person(m).PubKey)
		}
		tags = append(tags, listed)
	}
	return s.event(owner, name, repo.KindAnnouncement, at, tags...)
}

// State declares refs, and main as HEAD.
func (s *Script) State(by string, at int, refs ...repo.Ref) *nostr.Event {
	tags := []nostr.Tag{{"d", identifier}, {"HEAD", "ref: refs/heads/main"}}
	for _, ref := range refs {
		tags = append(tags, nostr.Tag{ref.Name, string(ref.OID)})
	}
	return s.event(by, "state", repo.KindState, at, tags...)
}

// PullRequest asks an owner to take a commit.
func (s *Script) PullRequest(by string, at int, owner, commit string) *nostr.Event {
	return s.event(by, "pull request", repo.KindPullRequest, at, nostr.Tag{"a", s.coordinate(owner)}, nostr.Tag{"c", string(s.object(commit))})
}

// Issue is about the repository of an owner.
func (s *Script) Issue(by string, at int, owner string) *nostr.Event {
	return s.event(by, "issue", 1621, at, nostr.Tag{"a", s.coordinate(owner)})
}

// Answer is about an issue alone.
func (s *Script) Answer(by string, at int, issue *nostr.Event) *nostr.Event {
	return s.event(by, "answer", 1111, at, nostr.Tag{"E", issue.ID}, nostr.Tag{"e", issue.ID})
}

// Deletion asks for the deletion of events.
func (s *Script) Deletion(by string, at int, events ...*nostr.Event) *nostr.Event {
	var tags []nostr.Tag
	var names []string
	for _, ev := range events {
		tags = append(tags, nostr.Tag{"e", ev.ID})
		names = append(names, s.name(ev.ID))
	}
	return s.event(by, "deletion of "+strings.Join(names, " and "), 5, at, tags...)
}

func (s *Script) coordinate(owner string) string {
	return fmt.Sprintf("%d:%s:%s", repo.KindAnnouncement, s.person(owner).PubKey, identifier)
}

// Branch is a branch at an object.
func (s *Script) Branch(name, at string) repo.Ref {
	return repo.Ref{Name: "refs/heads/" + name, OID: s.object(at)}
}

// Gone is a branch that is to be deleted.
func (s *Script) Gone(name string) repo.Ref {
	return repo.Ref{Name: "refs/heads/" + name, OID: repo.ZeroOID}
}

// PullRef is the ref of a pull request at an object.
func (s *Script) PullRef(ev *nostr.Event, at string) repo.Ref {
	return repo.Ref{Name: repo.PullRequestPrefix + ev.ID, OID: s.object(at)}
}

func (s *Script) object(name string) repo.OID {
	sum := sha256.Sum256([]byte(name))
	oid := repo.OID(hex.EncodeToString(sum[:20]))
	s.names[string(oid)] = name
	return oid
}

// name is what something is called in what people read.
func (s *Script) name(text string) string {
	if name, known := s.names[text]; known {
		return name
	}
	return text
}
