package invariant

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// address is what replaceable events of one kind replace each other at.
type address struct {
	kind       int
	author     string
	identifier string
}

// entry is an accepted event: held, or stored.
type entry struct {
	event        *nostr.Event
	announcement *repo.Announcement
	state        *repo.State
	pull         *repo.PullRequest
	hosted       bool // an announcement that lists the service, or is archived
	soft         bool // an announcement in the second phase of its life in purgatory: it has no repository
	asked        bool // a state that it authorizes has come since its phase began
	offered      bool // by another relay: it may be let be

	hosts    []string // of its clone URLs, once they have been looked at
	stored   bool
	promised instant.Instant // held: the deadline that the journal has
	latest   instant.Instant // held: it must be gone from this instant on, unless pinned
	pins     int             // running pushes that it authorized
}

func (e *entry) address() address {
	if !nostr.IsAddressableKind(e.event.Kind) {
		return address{e.event.Kind, e.event.PubKey, ""}
	}
	return address{e.event.Kind, e.event.PubKey, e.event.Tags.GetD()}
}

// newer is the one comparator: the later created_at, then the lower id.
func newer(a, b *nostr.Event) bool {
	if a.CreatedAt != b.CreatedAt {
		return a.CreatedAt > b.CreatedAt
	}
	return a.ID < b.ID
}

// proposal is a commit that somebody asks the repositories of an identifier to take.
type proposal struct {
	identifier string
	commit     repo.OID
}

// book is what a server has accepted, as far as its journal says.
type book struct {
	service       repo.Service
	reciprocal    bool
	family        family
	found         map[repo.ID]bool             // repositories that announcements stood for before the start under way; nil behind it
	replaced      map[repo.ID]bool             // those whose announcement has gone in this step
	entries       map[string]*entry            // held and stored, by event id
	held          map[string]*entry            // the held ones of entries
	byAuthor      map[string]map[string]*entry // all of entries, by author and event id
	replaceable   map[address]*entry           // stored, by address
	top           map[address]*nostr.Event     // the newest that was ever stored at an address
	announcements map[repo.ID]*entry           // held and stored; of two the newer
	owners        map[string][]repo.PubKey     // by identifier, sorted: who has an announcement
	states        map[string][]*entry          // by identifier, in order of arrival: held and stored
	pulls         map[string][]*entry          // by identifier, in order of arrival: held and stored
	proposals     map[proposal][]*entry        // the entries of pulls, by their commits
	gone          map[string]string            // events that left, and why: "replaced", "expired", "deleted"
	requests      requests
	repositories  map[repo.ID]*repositoryView // as far as inputs and effects say
}

func newBook(service repo.Service) book {
	return book{
		service: service, entries: map[string]*entry{}, held: map[string]*entry{}, byAuthor: map[string]map[string]*entry{}, replaceable: map[address]*entry{},
		top: map[address]*nostr.Event{}, announcements: map[repo.ID]*entry{}, owners: map[string][]repo.PubKey{},
		states: map[string][]*entry{}, pulls: map[string][]*entry{}, proposals: map[proposal][]*entry{}, gone: map[string]string{}, repositories: map[repo.ID]*repositoryView{},
		requests: newRequests(service), replaced: map[repo.ID]bool{},
	}
}

// anew is an empty book of a server that is set to the same.
func (b *book) anew() book {
	n := newBook(b.service)
	n.reciprocal, n.family = b.reciprocal, b.family
	return n
}

// read makes an entry of an event.
func (b *book) read(ev *nostr.Event) *entry {
	e := &entry{event: ev}
	switch ev.Kind {
	case repo.KindAnnouncement:
		if a, reason := repo.ParseAnnouncement(ev); reason == "" {
			e.announcement, e.hosted = &a, b.hosts(&a)
		}
	case repo.KindState:
		if s, reason := repo.ParseState(ev); reason == "" {
			e.state = &s
		}
	case repo.KindPullRequest, repo.KindPullRequestUpdate:
		if pr, reason := repo.ParsePullRequest(ev); reason == "" {
			e.pull = &pr
		}
	}
	return e
}

// add puts an entry in; of two announcements of one repository the newer counts.
func (b *book) add(e *entry) {
	b.entries[e.event.ID] = e
	if b.byAuthor[e.event.PubKey] == nil {
		b.byAuthor[e.event.PubKey] = map[string]*entry{}
	}
	b.byAuthor[e.event.PubKey][e.event.ID] = e
	switch {
	case e.announcement != nil:
		id := e.announcement.ID
		if other := b.announcements[id]; other != nil && newer(other.event, e.event) {
			return
		}
		b.announcements[id] = e
		if at, found := slices.BinarySearch(b.owners[id.Identifier], id.Owner); !found {
			b.owners[id.Identifier] = slices.Insert(b.owners[id.Identifier], at, id.Owner)
		}
	case e.state != nil:
		b.states[e.state.Identifier] = append(b.states[e.state.Identifier], e)
	case e.pull != nil:
		for _, identifier := range e.identifiers() {
			b.pulls[identifier] = append(b.pulls[identifier], e)
			p := proposal{identifier, e.pull.Commit}
			b.proposals[p] = append(b.proposals[p], e)
		}
	}
}

// remove takes an entry out.
func (b *book) remove(e *entry) {
	delete(b.entries, e.event.ID)
	delete(b.held, e.event.ID)
	if own := b.byAuthor[e.event.PubKey]; len(own) > 1 {
		delete(own, e.event.ID)
	} else {
		delete(b.byAuthor, e.event.PubKey)
	}
	switch {
	case e.announcement != nil:
		id := e.announcement.ID
		if b.announcements[id] != e {
			return
		}
		delete(b.announcements, id)
		if at, found := slices.BinarySearch(b.owners[id.Identifier], id.Owner); found {
			b.owners[id.Identifier] = slices.Delete(b.owners[id.Identifier], at, at+1)
		}
	case e.state != nil:
		list := b.states[e.state.Identifier]
		if at := slices.Index(list, e); at >= 0 {
			b.states[e.state.Identifier] = slices.Delete(list, at, at+1)
		}
	case e.pull != nil:
		for _, identifier := range e.identifiers() {
			b.pulls[identifier] = slices.DeleteFunc(b.pulls[identifier], func(o *entry) bool { return o == e })
			p := proposal{identifier, e.pull.Commit}
			if b.proposals[p] = slices.DeleteFunc(b.proposals[p], func(o *entry) bool { return o == e }); len(b.proposals[p]) == 0 {
				delete(b.proposals, p)
			}
		}
	}
}

// maintainers is the owner of a repository and everybody who is listed, by the owner or by somebody listed, in the
// announcement that counts (G01-MNT-01). It is nil without an announcement.
func (b *book) maintainers(id repo.ID) []repo.PubKey {
	if b.announcements[id] == nil {
		return nil
	}
	set := []repo.PubKey{id.Owner}
	for i := 0; i < len(set); i++ {
		a := b.announcements[repo.ID{Owner: set[i], Identifier: id.Identifier}]
		if a == nil {
			continue
		}
		for _, key := range a.announcement.Maintainers {
			if b.reciprocal && !b.lists(key, id.Identifier, set[i]) {
				continue
			}
			if !slices.Contains(set, key) && len(set) < repo.MaintainersMax {
				set = append(set, key)
			}
		}
	}
	return set
}

// lists reports whether a key has an announcement of an identifier that names another one a maintainer.
func (b *book) lists(key repo.PubKey, identifier string, other repo.PubKey) bool {
	a := b.announcements[repo.ID{Owner: key, Identifier: identifier}]
	return a != nil && slices.Contains(a.announcement.Maintainers, other)
}

// authorizing lists the owners who have announced a repository for this service and whose maintainers include the key.
func (b *book) authorizing(key repo.PubKey, identifier string) []repo.PubKey {
	var list []repo.PubKey
	for _, owner := range b.owners[identifier] {
		id := repo.ID{Owner: owner, Identifier: identifier}
		if b.announcements[id].hosted && slices.Contains(b.maintainers(id), key) {
			list = append(list, owner)
		}
	}
	return list
}

// winner is the latest state of the set; with held ones, or of the stored ones only.
func (b *book) winner(set []repo.PubKey, identifier string, withHeld bool) *entry {
	var best *entry
	for _, e := range b.states[identifier] {
		if (withHeld || e.stored) && slices.Contains(set, e.state.Author) && (best == nil || newer(e.event, best.event)) {
			best = e
		}
	}
	return best
}

// movable reports whether a push may move a ref at all.
func movable(ref string) bool {
	_, ok := repo.PullRequestOf(ref)
	return ok || declarable(ref)
}

// declarable reports whether a ref is a branch or a tag.
func declarable(ref string) bool {
	return strings.HasPrefix(ref, "refs/heads/") || strings.HasPrefix(ref, "refs/tags/")
}
