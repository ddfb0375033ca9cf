package model

import (
	"slices"
	"strconv"

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

// add remembers a request.
func (t *tombs) add(ev *nostr.Event) {
	for _, tag := range ev.Tags {
		if len(tag) < 2 {
			continue
		}
		switch tag[0] {
		case "e":
			if isHex(tag[1], 64) {
				t.ids[[2]string{ev.PubKey, tag[1]}] = true
			}
		case "a":
			kind, author, d, ok := coordinate(tag[1])
			n, err := strconv.Atoi(kind)
			if !ok || err != nil || author != ev.PubKey {
				continue
			}
			a := address{n, author, d}
			if n < 30000 || n >= 40000 {
				a.d = ""
			}
			if until, asked := t.addresses[a]; !asked || ev.CreatedAt > until {
				t.addresses[a] = ev.CreatedAt
			}
		}
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
		m.tombs.add(&e.ev)
		asked.add(&e.ev)
	case e.ev.Kind == 62 && m.vanishes(&e.ev):
		m.tombs.vanished[e.ev.PubKey] = e.ev.CreatedAt
		asked.vanished[e.ev.PubKey] = e.ev.CreatedAt
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
