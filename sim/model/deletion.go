package model

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// tombs are what authors have asked to be deleted (NIP-09, NIP-62).
type tombs struct {
	ids       map[[2]string]bool // signer and id
	addresses map[address]nostr.Timestamp
	vanished  map[string]nostr.Timestamp
}

func newTombs() tombs {
	return tombs{ids: map[[2]string]bool{}, addresses: map[address]nostr.Timestamp{}, vanished: map[string]nostr.Timestamp{}}
}

// cover reports whether the author of an event has asked for its deletion.
func (t *tombs) cover(ev *nostr.Event) bool {
	if until, gone := t.vanished[ev.PubKey]; gone && ev.CreatedAt <= until {
		return true
	}
	if ev.Kind == 5 || ev.Kind == 62 { // deleting a deletion has no effect (N09-04)
		return false
	}
	if t.ids[[2]string{ev.PubKey, ev.ID}] {
		return true
	}
	a, replaceable := (&entry{ev: *ev}).address()
	until, asked := t.addresses[a]
	return replaceable && asked && ev.CreatedAt <= until
}

func (t *tombs) len() int { return len(t.ids) + len(t.addresses) + len(t.vanished) }

// add remembers a request, and returns how many things it names.
func (t *tombs) add(ev *nostr.Event) (named int) {
	for _, tag := range ev.Tags {
		if len(tag) < 2 {
			continue
		}
		switch tag[0] {
		case "e":
			if isHex(tag[1], 64) {
				t.ids[[2]string{ev.PubKey, tag[1]}] = true
				named++
			}
		case "a":
			kind, author, d, ok := coordinate(tag[1])
			n, err := strconv.Atoi(kind)
			if !ok || err != nil || author != ev.PubKey || !replaceable(n) {
				continue
			}
			named++
			a := address{n, author, d}
			if n < 30000 || n >= 40000 {
				a.d = ""
			}
			if until, asked := t.addresses[a]; !asked || ev.CreatedAt > until {
				t.addresses[a] = ev.CreatedAt
			}
		}
	}
	return named
}

// fits reports whether all that a request names can be remembered.
func (m *Model) fits(e *entry) bool {
	alone := newTombs()
	return !beyond(m.tombs.len()+alone.add(&e.ev), m.cfg.Limits.Tombstones)
}

// remembers reports whether a request can be taken: beyond the limit of what is remembered only what is here is deleted, and a
// request for nothing that is here is refused (N09-05).
func (m *Model) remembers(e *entry) bool {
	if e.ev.Kind == 62 {
		_, known := m.tombs.vanished[e.ev.PubKey]
		return known || !beyond(m.tombs.len()+1, m.cfg.Limits.Tombstones) || m.anything(e.ev.PubKey)
	}
	if m.fits(e) {
		return true
	}
	here := m.here(e)
	return len(here.ids)+len(here.addresses) > 0
}

// anything reports whether something of an author is here.
func (m *Model) anything(author string) bool {
	is := func(e *entry) bool { return e.ev.PubKey == author && e.kept() }
	if slices.ContainsFunc(m.served, is) {
		return true
	}
	return slices.ContainsFunc(m.names, func(name string) bool {
		r := m.rooms[name]
		return slices.ContainsFunc(slices.Concat(r.announcements, r.states, r.pulls), is)
	})
}

// here is what a request names and its signer has here.
func (m *Model) here(e *entry) tombs {
	all, some := newTombs(), newTombs()
	all.add(&e.ev)
	for _, tag := range e.ev.Tags {
		if len(tag) < 2 {
			continue
		}
		id := [2]string{e.ev.PubKey, tag[1]}
		if x := m.entries[tag[1]]; tag[0] == "e" && all.ids[id] && x != nil && x.ev.PubKey == e.ev.PubKey && x.kept() {
			some.ids[id] = true
		}
		kind, _, d, _ := coordinate(tag[1])
		n, err := strconv.Atoi(kind)
		a := address{n, e.ev.PubKey, d}
		if n < 30000 || n >= 40000 {
			a.d = ""
		}
		if at, asked := all.addresses[a]; tag[0] == "a" && err == nil && asked && m.hasAt(a) {
			some.addresses[a] = at
		}
	}
	return some
}

// kept reports whether an event is in the store or in purgatory: a state that waits for its answer is there already.
func (e *entry) kept() bool {
	return e.phase == stored || e.phase == held || e.phase == arriving && !e.announcement
}

// hasAt reports whether a version at an address is here.
func (m *Model) hasAt(a address) bool {
	if m.latest[a] != nil {
		return true
	}
	r := m.rooms[a.d]
	at := func(e *entry) bool { return e.ev.PubKey == a.author && e.ev.Kind == a.kind && e.kept() }
	return r != nil && (a.kind == 30617 && slices.ContainsFunc(r.announcements, at) || a.kind == 30618 && slices.ContainsFunc(r.states, at))
}

// take takes over what others remember.
func (t *tombs) take(other tombs) {
	maps.Copy(t.ids, other.ids)
	for _, a := range slices.SortedFunc(maps.Keys(other.addresses), func(a, b address) int {
		return cmp.Or(a.kind-b.kind, strings.Compare(a.author, b.author), strings.Compare(a.d, b.d))
	}) {
		t.addresses[a] = max(t.addresses[a], other.addresses[a])
	}
}

// vanishes reports whether a request to vanish speaks to this relay.
func (m *Model) vanishes(ev *nostr.Event) bool {
	return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
		return len(t) > 1 && t[0] == "relay" && (t[1] == "ALL_RELAYS" || m.isRelay(t[1]))
	})
}

// requested applies a request that has been stored: everything of its author that it names goes in this step.
func (m *Model) requested(e *entry) {
	asked := newTombs() // by this request alone
	switch {
	case e.ev.Kind == 5:
		if asked.add(&e.ev); m.fits(e) {
			m.tombs.add(&e.ev)
			e.asks = asked
			break
		}
		asked = m.here(e)
		m.tombs.take(asked)
		e.asks = asked
	case e.ev.Kind == 62 && m.vanishes(&e.ev):
		m.tombs.vanished[e.ev.PubKey] = e.ev.CreatedAt
		asked.vanished[e.ev.PubKey] = e.ev.CreatedAt
		m.step.vanishes = append(m.step.vanishes, e)
	default:
		return
	}
	for _, x := range m.served {
		if x != e && x.ev.PubKey == e.ev.PubKey && asked.cover(&x.ev) {
			m.step.unstore = append(m.step.unstore, x)
		}
	}
	for _, name := range m.names {
		r := m.rooms[name]
		for _, x := range slices.Concat(r.announcements, r.states, r.pulls) {
			if x.phase == held && x.ev.PubKey == e.ev.PubKey && asked.cover(&x.ev) {
				m.step.dropDue = append(m.step.dropDue, x)
			}
		}
	}
}

// sunk reports whether an announcement or a state is older than a version of it that was served and deleted: what replaces
// never goes back (INV-05).
func (m *Model) sunk(e *entry) bool {
	if e.ev.Kind != 30617 && e.ev.Kind != 30618 {
		return false
	}
	a, _ := e.address()
	floor := m.floors[a]
	return floor != nil && !newer(&e.ev, &floor.ev)
}
