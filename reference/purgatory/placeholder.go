package purgatory

import (
	"cmp"
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Placeholder is the clock of one ref below refs/nostr/ whose event nobody has published yet (G01-PR-07). Its commit
// is what the ref holds.
type Placeholder struct {
	Event    string // id that the ref names
	Repo     repo.ID
	Arrived  instant.Instant
	Deadline instant.Instant
}

// Placeholders holds them, each (Event, Repo) at most once. Its zero value is not usable; see NewPlaceholders.
type Placeholders struct {
	byRepo map[repo.ID]map[string]*Placeholder
	order  []*Placeholder // by deadline, then repository, then event id
	places places
}

// NewPlaceholders returns an empty set.
func NewPlaceholders() *Placeholders {
	return &Placeholders{byRepo: map[repo.ID]map[string]*Placeholder{}, places: newPlaces()}
}

// Put adds one. It panics if there is one of the same name.
func (p *Placeholders) Put(h *Placeholder) {
	if p.Get(h.Event, h.Repo) != nil {
		panic("purgatory: invariant: two placeholders for " + h.Event)
	}
	if p.byRepo[h.Repo] == nil {
		p.byRepo[h.Repo] = map[string]*Placeholder{}
	}
	p.byRepo[h.Repo][h.Event] = h
	at, _ := slices.BinarySearchFunc(p.order, h, comparePlaceholders)
	p.order = slices.Insert(p.order, at, h)
	p.places.add(h)
}

// Drop takes one out. It panics if it is not there.
func (p *Placeholders) Drop(h *Placeholder) {
	at, found := slices.BinarySearchFunc(p.order, h, comparePlaceholders)
	if !found || p.order[at] != h {
		panic("purgatory: invariant: no placeholder for " + h.Event)
	}
	p.order = slices.Delete(p.order, at, at+1)
	delete(p.byRepo[h.Repo], h.Event)
	if len(p.byRepo[h.Repo]) == 0 {
		delete(p.byRepo, h.Repo)
	}
	p.places.remove(h)
}

// Get returns the placeholder of an event in a repository, or nil.
func (p *Placeholders) Get(event string, id repo.ID) *Placeholder { return p.byRepo[id][event] }

// Deadline is the earliest instant at which one expires.
func (p *Placeholders) Deadline() (instant.Instant, bool) {
	if len(p.order) == 0 {
		return 0, false
	}
	return p.order[0].Deadline, true
}

// Due returns the one that expires first if its deadline has come at now, else nil.
func (p *Placeholders) Due(now instant.Instant) *Placeholder {
	if len(p.order) == 0 || p.order[0].Deadline > now {
		return nil
	}
	return p.order[0]
}

// In returns those of a repository, by deadline.
func (p *Placeholders) In(id repo.ID) []*Placeholder {
	list := make([]*Placeholder, 0, len(p.byRepo[id]))
	for _, h := range p.order {
		if len(list) == cap(list) {
			break
		}
		if h.Repo == id {
			list = append(list, h)
		}
	}
	return list
}

// Len is the number of placeholders.
func (p *Placeholders) Len() int { return len(p.order) }

// LenIn is the number of placeholders of one repository.
func (p *Placeholders) LenIn(id repo.ID) int { return len(p.byRepo[id]) }

func comparePlaceholders(a, b *Placeholder) int {
	return cmp.Or(cmp.Compare(a.Deadline, b.Deadline), a.Repo.Compare(b.Repo), cmp.Compare(a.Event, b.Event))
}
