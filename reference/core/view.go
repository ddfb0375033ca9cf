package core

import (
	"maps"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// Repository tells the web pages and the git endpoints what is at an ID. A held repository answers git, and its page
// says nothing of its events (G01-PURG-06, G01-WEB-03).
func (s *Server) Repository(id repo.ID) web.Repository {
	if id.IsContribution() { // whatever is there, so that asking tells nothing and leaves nothing (G06-FETCH-01)
		return web.Repository{Exists: s.cfg.Contributions.On}
	}
	r, a := s.repositories[id], s.announced[id]
	if r == nil || !r.there() || !s.hosted(id) {
		return web.Repository{}
	}
	if !a.stored {
		return web.Repository{Exists: true}
	}
	return web.Repository{Exists: true, Served: true, Name: a.Name, Description: a.Description}
}

// vouches reports whether the maintainer set of the repository at id holds the author of a once a is accepted.
func (s *Server) vouches(id repo.ID, a repo.Announcement) bool {
	if s.cfg.Model != repo.Reciprocal { // what it says itself counts for nothing
		return slices.Contains(s.maintainers(id), a.ID.Owner)
	}
	set := repo.MaintainerSet(s.cfg.Model, id.Owner, id.Identifier, func(key repo.PubKey) (repo.Announcement, bool) {
		if key == a.ID.Owner {
			return a, true
		}
		known, ok := s.announced[repo.ID{Owner: key, Identifier: id.Identifier}]
		return known.Announcement, ok
	})
	return slices.Contains(set, a.ID.Owner)
}

// A view shows the server to the rules of package policy.
type view struct{ s *Server }

func (v view) Announcement(id repo.ID) (repo.Announcement, bool) {
	a, ok := v.s.announced[id]
	return a.Announcement, ok
}

func (v view) Hosted(id repo.ID) bool { return v.s.hosted(id) }

func (v view) Owners(identifier string) []repo.PubKey {
	return v.here(identifier, v.s.owners[identifier])
}

// here leaves out the owners whose announcement of an identifier does not list this service.
func (v view) here(identifier string, owners []repo.PubKey) []repo.PubKey {
	elsewhere := func(owner repo.PubKey) bool {
		return v.s.announced[repo.ID{Owner: owner, Identifier: identifier}].vouched
	}
	if !slices.ContainsFunc(owners, elsewhere) {
		return owners
	}
	return slices.DeleteFunc(slices.Clone(owners), elsewhere)
}

func (v view) MaintainerSet(id repo.ID) []repo.PubKey { return v.s.maintainers(id) }

func (v view) Holding(key repo.PubKey, identifier string) []repo.PubKey {
	return v.here(identifier, v.s.holding(key, identifier))
}

func (v view) Vouches(id repo.ID, a repo.Announcement) bool { return v.s.vouches(id, a) }

func (v view) Stored(id string) *nostr.Event { return v.s.store.Get(id) }

func (v view) StoredAt(kind int, author, identifier string) *nostr.Event {
	return v.s.store.Latest(kind, author, identifier)
}

// MentionsMax bounds how many events that mention an id are looked at for one that counts.
const MentionsMax = 64

func (v view) Mentioned(id string) bool {
	limit := MentionsMax
	var filters []*relay.Matcher
	for _, letter := range []byte{'E', 'e', 'q'} {
		filters = append(filters, relay.Filter{
			Tags: []relay.TagFilter{{Letter: letter, Values: []string{id}}}, Limit: &limit,
		}.Compile())
	}
	events, _ := v.s.store.Search(filters).Events(eventstore.AnyCost)
	return slices.ContainsFunc(events, func(ev *nostr.Event) bool { return policy.Roots(ev.Kind) })
}

func sortedOwners(m map[string][]repo.PubKey) []string { return slices.Sorted(maps.Keys(m)) }
