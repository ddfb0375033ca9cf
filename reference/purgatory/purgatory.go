// Package purgatory keeps events that were accepted but whose git data has not come, and the clocks of git data whose
// event has not come: who they are, when they arrived and when they expire. It judges nobody's authority, matches no git data and reads no clock.
package purgatory

import (
	"maps"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// An Entry is one held event: an announcement, a state event or a pull request, exactly one of them.
type Entry struct {
	Event        *nostr.Event
	Announcement *repo.Announcement
	State        *repo.State
	PullRequest  *repo.PullRequest // or an update of one
	Soft         bool              // an announcement in the second phase, which has lost its repository (REF-PURG-01)
	Vouched      bool              // an announcement without a repository here (G01-ANN-14)
	Arrived      instant.Instant
	Deadline     instant.Instant
	Ends         instant.Instant // when it is over by its own word (NIP-40), whatever its deadline is; 0 never

	pins int
}

// A Purgatory holds entries. Its zero value is not usable; see New.
type Purgatory struct {
	byID          map[string]*Entry
	announcements map[repo.ID]*Entry
	states        map[string][]*Entry // by identifier, oldest first by repo.Newer
	pullRequests  map[string][]*Entry // by identifier that they name, oldest first by repo.Newer
	active        Load
	activeOf      map[string]Load // by author
	soft          Load
	order         []*Entry // not pinned, by when they are due, then event id
}

// New returns an empty purgatory.
func New() *Purgatory {
	return &Purgatory{
		byID:          map[string]*Entry{},
		announcements: map[repo.ID]*Entry{},
		states:        map[string][]*Entry{},
		pullRequests:  map[string][]*Entry{},
		activeOf:      map[string]Load{},
	}
}

// Hold puts an entry in. It panics if the event is held already or an announcement of the same ID is: the caller drops
// the older one first.
func (p *Purgatory) Hold(e *Entry) {
	id := e.Event.ID
	if p.byID[id] != nil {
		panic("purgatory: invariant: event " + id + " held twice")
	}
	switch {
	case e.Announcement != nil:
		key := e.Announcement.ID
		if p.announcements[key] != nil {
			panic("purgatory: invariant: two announcements of " + key.Identifier)
		}
		p.announcements[key] = e
	case e.State != nil:
		insert(p.states, e.State.Identifier, e)
	case e.PullRequest != nil:
		for _, identifier := range identifiers(e.PullRequest) {
			insert(p.pullRequests, identifier, e)
		}
	default:
		panic("purgatory: invariant: entry is neither announcement, state nor pull request")
	}
	p.byID[id] = e
	p.weigh(e, 1)
	p.queue(e)
}

// Drop takes an entry out. It panics if the entry is not held.
func (p *Purgatory) Drop(e *Entry) {
	id := e.Event.ID
	if p.byID[id] != e {
		panic("purgatory: invariant: event " + id + " is not held")
	}
	p.unqueue(e)
	p.weigh(e, -1)
	delete(p.byID, id)
	switch {
	case e.Announcement != nil:
		delete(p.announcements, e.Announcement.ID)
	case e.State != nil:
		remove(p.states, e.State.Identifier, e)
	default:
		for _, identifier := range identifiers(e.PullRequest) {
			remove(p.pullRequests, identifier, e)
		}
	}
}

func insert(index map[string][]*Entry, identifier string, e *Entry) {
	list := index[identifier]
	at, _ := slices.BinarySearchFunc(list, e, func(a, b *Entry) int { return repo.CompareEvents(b.Event, a.Event) })
	index[identifier] = slices.Insert(list, at, e)
}

func remove(index map[string][]*Entry, identifier string, e *Entry) {
	list := index[identifier]
	at := slices.Index(list, e)
	list = slices.Delete(list, at, at+1)
	if len(list) == 0 {
		delete(index, identifier)
		return
	}
	index[identifier] = list
}

// identifiers returns those that a pull request names, sorted, each once.
func identifiers(pr *repo.PullRequest) []string {
	list := make([]string, 0, len(pr.Repos))
	for _, id := range pr.Repos {
		list = append(list, id.Identifier)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Get returns the entry of an event id, or nil.
func (p *Purgatory) Get(id string) *Entry { return p.byID[id] }

// Announcement returns the held announcement at id, or nil.
func (p *Purgatory) Announcement(id repo.ID) *Entry { return p.announcements[id] }

// States returns the held state events of an identifier, oldest first. The caller must not keep or change the slice.
func (p *Purgatory) States(identifier string) []*Entry { return p.states[identifier] }

// PullRequests returns the held pull requests that name an identifier, oldest first. The caller must not keep or change
// the slice.
func (p *Purgatory) PullRequests(identifier string) []*Entry { return p.pullRequests[identifier] }

// Matching returns the entries whose event meets a condition, by id.
func (p *Purgatory) Matching(such func(*nostr.Event) bool) []*Entry {
	var list []*Entry
	for _, id := range slices.Sorted(maps.Keys(p.byID)) {
		if e := p.byID[id]; such(e.Event) {
			list = append(list, e)
		}
	}
	return list
}

// Len is the number of entries.
func (p *Purgatory) Len() int { return len(p.byID) }

func compare(a, b *Entry) int {
	switch {
	case a.due() < b.due():
		return -1
	case a.due() > b.due():
		return 1
	}
	return strings.Compare(a.Event.ID, b.Event.ID)
}
