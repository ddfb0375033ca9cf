package replicate

import (
	"maps"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// relaysOf lists where the events of a repository may be: the relays of its announcement, the GRASP servers of its clone URLs
// and those of its owner's list, normalized and sorted; so many of them at most as the configuration says, the first ones.
func (m *Machine) relaysOf(id repo.ID, ev *nostr.Event) []string {
	a, why := repo.ParseAnnouncement(ev)
	if why != "" {
		return nil
	}
	var list []string
	add := func(url, why string) {
		if why == "" && len(list) < m.cfg.PerRepoMax {
			list = inserted(list, url)
		}
	}
	for _, text := range a.Relays[:min(len(a.Relays), relaysRead)] {
		add(m.address(text))
	}
	for _, text := range a.Clone[:min(len(a.Clone), relaysRead)] {
		add(m.server(text))
	}
	for _, url := range m.lists[string(id.Owner)].relays {
		add(url, "")
	}
	return list
}

// relaysRead is how many values of one tag are looked at.
const relaysRead = 100

// A userList is the list of GRASP servers that an author prefers (kind 10317).
type userList struct {
	id     string
	relays []string // normalized
}

// listed takes the list of an author, or the end of it; his repositories may be at its servers.
func (m *Machine) listed(now instant.Instant, author string, ev *nostr.Event) {
	old, known := m.lists[author]
	if known {
		delete(m.listOf, old.id)
		delete(m.lists, author)
	}
	if ev != nil {
		list := userList{id: ev.ID}
		for _, tag := range ev.Tags {
			if len(tag) > 1 && tag[0] == "g" && len(list.relays) < m.cfg.PerRepoMax {
				if url, why := m.address(tag[1]); why == "" {
					list.relays = inserted(list.relays, url)
				}
			}
		}
		m.lists[author], m.listOf[ev.ID] = list, author
	}
	if slices.Equal(old.relays, m.lists[author].relays) {
		return
	}
	for _, id := range slices.Clone(m.owned[author]) {
		w := *m.repos[id]
		w.relays = m.relaysOf(id, w.ev)
		m.replace(now, id, &w)
	}
}

// link returns what is known of a relay, or nil where there is no room for another one. But are relays that keep theirs.
func (m *Machine) link(now instant.Instant, url string, but []string) *link {
	if l := m.links[url]; l != nil {
		if l.wanted[everything] == nil { // it was there for participants alone
			m.add(now, l, everything)
		}
		return l
	}
	if !m.room(but) {
		m.tell(Told{Fact: RelayLeftOut, URL: url, Reason: "too many relays are known"})
		return nil
	}
	l := m.known(url)
	m.add(now, l, everything)
	return l
}

// known notes a relay of which nothing is wanted yet.
func (m *Machine) known(url string) *link {
	l := newLink(url)
	m.links[url] = l
	at, _ := m.search(url)
	m.byURL = slices.Insert(m.byURL, at, l)
	return l
}

// Knows reports whether a relay is connected to, or will be; the URL is a normalized one.
func (m *Machine) Knows(url string) bool { return m.links[url] != nil }

// room reports whether another relay may be known. Where there are too many it forgets, of those of which nothing is wanted and that
// are let alone, the one for which that would end first; but are relays that are not to go.
func (m *Machine) room(but []string) bool {
	if len(m.links) < m.cfg.RelaysMax {
		return true
	}
	var first *link
	for _, l := range m.byURL {
		idle := l.status == Disconnected && !l.needed() && !slices.Contains(but, l.url)
		if idle && (first == nil || l.rest() < first.rest()) {
			first = l
		}
	}
	if first != nil {
		m.unlink(first)
	}
	return first != nil
}

// roomLacked notes whether a repository has relays for which there was no room. There is looked for some again after as long as the
// longest wait between two questions: whoever has named so many relays may be gone then, for what is held is held for less.
func (m *Machine) roomLacked(now instant.Instant, id repo.ID, lacked bool) {
	if !lacked {
		delete(m.short, id)
		return
	}
	m.short[id] = true
	if m.shortAt == 0 {
		m.shortAt = now.Add(m.cfg.RetryMax)
	}
}

// roomAgain looks for room for relays that were left out.
func (m *Machine) roomAgain(now instant.Instant) {
	m.shortAt = 0
	for _, id := range slices.SortedFunc(maps.Keys(m.short), repo.ID.Compare) {
		w := m.repos[id]
		m.Announced(now, id, w.ev, w.served)
	}
}

// unlink forgets a relay of which nothing is wanted, and that may be tried and asked: one that comes back a moment later is not to find
// that forgotten which it has said.
func (m *Machine) unlink(l *link) {
	m.due.set(l, 0)
	delete(m.links, l.url)
	if at, found := m.search(l.url); found {
		m.byURL = slices.Delete(m.byURL, at, at+1)
	}
}
