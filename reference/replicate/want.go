package replicate

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// A class is what an item is about. The order is the one in which relays are asked.
type class uint8

const (
	announcements class = iota + 1 // announcements and user lists, of anybody
	states                         // states of an identifier
	repositories                   // what speaks of a repository, by its coordinate
	roots                          // what speaks of a root event, by its id
	authors                        // what an author has deleted
	profiles                       // who a participant is, and what lists of relays he has
	single                         // one event, by its id: it was refused before what it needs was here
	versions                       // the announcements of a repository that has none any more, by its coordinate
)

// once reports whether an item is asked for until there is an answer, and not listened to.
func (it item) once() bool { return it.class >= single }

// An item is one thing that is wanted of a relay.
type item struct {
	class class
	value string
}

var everything = item{class: announcements}

// A wanted is a repository of which something is wanted.
type wanted struct {
	id     repo.ID
	key    string // its coordinate
	ev     *nostr.Event
	served bool     // else held: its states alone are wanted, for the announcement waits for data (D-8)
	relays []string // of its announcement and of its owner's list, normalized, sorted
	items  []item   // that follow from the announcement
	plus   bearing  // with sync plus
}

// A speech is a stored event that speaks of repositories.
type speech struct {
	author string
	root   bool
	of     []string // coordinates, sorted
}

// speechesMax is how many repositories one event is counted for.
const speechesMax = 20

// items lists what a speech adds to what is wanted.
func (s speech) items(id string) []item {
	if s.root {
		return []item{{roots, id}, {authors, s.author}}
	}
	return []item{{authors, s.author}}
}

// Announced says that an announcement is served, or held, or that a newer one has taken its place.
func (m *Machine) Announced(now instant.Instant, id repo.ID, ev *nostr.Event, served bool) {
	w := &wanted{id: id, key: id.Coordinate(), ev: ev, served: served, relays: m.relaysOf(id, ev)}
	w.items = []item{{states, id.Identifier}}
	if m.cfg.Plus.On {
		w.plus = bearingOf(id, ev)
	}
	if served {
		w.items = append(w.items, item{repositories, w.key}, item{authors, string(id.Owner)})
		if a, why := repo.ParseAnnouncement(ev); why == "" {
			for _, key := range a.Maintainers {
				w.items = append(w.items, item{authors, string(key)})
			}
		}
	}
	old := m.repos[id]
	m.replace(now, id, w)
	if old != nil && asAuthorizing(old.ev, ev) {
		return
	}
	it := item{states, id.Identifier}
	for _, l := range m.byURL { // it may authorize what was here and had to go, and that may be where it does not say itself
		if s := l.wanted[it]; s != nil && s.phase == confirmed {
			m.freshen(now, l, it)
			m.touchAt(now, l)
		}
	}
}

// asAuthorizing reports whether an announcement authorizes what another one does: both name the same maintainers and places.
func asAuthorizing(a, b *nostr.Event) bool {
	for _, name := range []string{"maintainers", "clone", "relays"} {
		var lists [2][]string
		for i, ev := range []*nostr.Event{a, b} {
			for tag := range ev.Tags.FindAll(name) {
				lists[i] = append(lists[i], tag[1:]...)
			}
		}
		if !slices.Equal(lists[0], lists[1]) {
			return false
		}
	}
	return true
}

// replace puts what is wanted of a repository in the place of what was. What stays wanted is not asked for again.
func (m *Machine) replace(now instant.Instant, id repo.ID, w *wanted) {
	old := m.repos[id]
	m.leads(now, w, 1)
	m.leads(now, old, -1)
	if w != nil {
		found := len(w.relays)
		all := slices.Clone(w.relays)
		w.relays = slices.DeleteFunc(w.relays, func(url string) bool { return m.link(now, url, all) == nil })
		m.roomLacked(now, id, len(w.relays) < found)
		m.repos[id] = w
		if old == nil {
			m.owned[string(id.Owner)] = append(m.owned[string(id.Owner)], id)
		}
		m.each(now, w, (*Machine).add)
	} else if old != nil {
		delete(m.repos, id)
		delete(m.short, id)
		owner := string(id.Owner)
		m.owned[owner] = slices.DeleteFunc(m.owned[owner], func(other repo.ID) bool { return other == id })
		if len(m.owned[owner]) == 0 {
			delete(m.owned, owner)
		}
	}
	if old != nil {
		m.each(now, old, (*Machine).drop)
	}
}

// each does something with each item of a repository at each of its relays.
func (m *Machine) each(now instant.Instant, w *wanted, do func(*Machine, instant.Instant, *link, item)) {
	var spoken []string
	if w.served {
		spoken = m.about[w.key]
	}
	for _, url := range w.relays {
		l := m.links[url]
		for _, it := range w.items {
			do(m, now, l, it)
		}
		for _, id := range spoken {
			for _, it := range m.spoken[id].items(id) {
				do(m, now, l, it)
			}
		}
	}
}

// Stored says that an event is served: what it speaks of may be spoken of elsewhere.
func (m *Machine) Stored(now instant.Instant, ev *nostr.Event) {
	switch {
	case ev.Kind == policy.KindUserGraspList:
		m.listed(now, ev.PubKey, ev)
		return
	case m.isList(ev):
		m.writes(now, ev.PubKey, ev)
		return
	case !policy.Roots(ev.Kind) || m.spoken[ev.ID].author != "":
		return
	}
	s := speech{author: ev.PubKey, root: isRoot(ev.Kind), of: m.speaksOf(ev)}
	if len(s.of) == 0 {
		return
	}
	m.spoken[ev.ID] = s
	m.talks(now, s, 1)
	for _, key := range s.of {
		m.about[key] = inserted(m.about[key], ev.ID)
		m.speak(now, key, s.items(ev.ID), (*Machine).add)
	}
}

// Unstored says that an event is not served any more.
func (m *Machine) Unstored(now instant.Instant, id string) {
	if author, is := m.listOf[id]; is {
		m.listed(now, author, nil)
		return
	}
	if author, is := m.plus.listOf[id]; is {
		m.writes(now, author, nil)
		return
	}
	s, known := m.spoken[id]
	if !known {
		return
	}
	delete(m.spoken, id)
	m.talks(now, s, -1)
	for _, key := range s.of {
		if at, found := slices.BinarySearch(m.about[key], id); found {
			m.about[key] = slices.Delete(m.about[key], at, at+1)
		}
		if len(m.about[key]) == 0 {
			delete(m.about, key)
		}
		m.speak(now, key, s.items(id), (*Machine).drop)
	}
}

// speak does something with items of a served repository at each of its relays.
func (m *Machine) speak(now instant.Instant, key string, items []item, do func(*Machine, instant.Instant, *link, item)) {
	id, ok := repo.ParseCoordinate(key)
	if !ok {
		return
	}
	w := m.repos[id]
	if w == nil || !w.served {
		return
	}
	for _, url := range w.relays {
		for _, it := range items {
			do(m, now, m.links[url], it)
		}
	}
}

// speaksOf lists the repositories that an event speaks of, itself or through what it answers.
func (m *Machine) speaksOf(ev *nostr.Event) []string {
	var of []string
	for _, tag := range ev.Tags {
		if len(tag) < 2 || len(tag[0]) != 1 {
			continue
		}
		switch tag[0][0] {
		case 'a', 'A', 'q', 'e', 'E':
		default:
			continue
		}
		keys := m.spoken[tag[1]].of
		if _, ok := repo.ParseCoordinate(tag[1]); ok {
			keys = []string{tag[1]}
		}
		for _, key := range keys {
			if len(of) < speechesMax {
				of = inserted(of, key)
			}
		}
	}
	return of
}

// inserted puts a text into a sorted list, once.
func inserted(list []string, text string) []string {
	at, found := slices.BinarySearch(list, text)
	if found {
		return list
	}
	return slices.Insert(list, at, text)
}

// isRoot reports whether the answers to events of a kind are asked for by their id (D-1).
func isRoot(kind int) bool {
	return kind == kindPatch || kind == policy.KindPullRequest || kind == kindIssue
}

// Kinds of NIP-34 that the rest of the server has no rule for.
const (
	kindPatch = 1617
	kindIssue = 1621
)
