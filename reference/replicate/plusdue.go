package replicate

import (
	"maps"
	"slices"
	"strconv"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// plusDue works out what is wanted for participants.
func (m *Machine) plusDue(now instant.Instant) {
	m.plus.at = 0
	open := slices.DeleteFunc(slices.SortedFunc(maps.Keys(m.repos), repo.ID.Compare), func(id repo.ID) bool {
		return !m.repos[id].served || m.secret(id)
	})
	of, before := m.choose(open), m.plus.leftOut
	places := m.places()
	wants := map[string]map[item]struct{}{}
	want := func(url string, it item) {
		if wants[url] == nil {
			wants[url] = map[item]struct{}{}
		}
		wants[url][it] = struct{}{}
	}
	for _, key := range slices.Sorted(maps.Keys(m.plus.chosen)) {
		for _, url := range places.index {
			want(url, item{profiles, key})
		}
		for _, url := range places.of(key) {
			want(url, item{profiles, key})
		}
	}
	for _, id := range open {
		var writing []string
		for _, key := range of[id] {
			for _, url := range m.repos[id].relays {
				want(url, item{profiles, key})
			}
			for _, url := range places.of(key) {
				writing = inserted(writing, url)
			}
		}
		if len(writing) == 0 {
			continue
		}
		asked := m.rootsOf(id)
		for _, url := range writing {
			for _, root := range asked[:min(len(asked), max(0, m.cfg.Plus.RootsMax-len(wants[url])))] {
				want(url, item{roots, root})
			}
		}
	}
	m.plusWants(now, wants)
	if n := m.plus.leftOut; n > before {
		m.tell(Told{Fact: RelayLeftOut, Reason: strconv.Itoa(n) + " relays of participants are too many", Count: n})
	}
}

// choose picks of whom something is looked for: owners and maintainers first, then who was picked before, then the others; so many of
// each repository, and in all. It returns them by repository.
func (m *Machine) choose(open []repo.ID) map[repo.ID][]string {
	of, before := map[repo.ID][]string{}, m.plus.chosen
	m.plus.chosen = map[string]bool{}
	pick := func(id repo.ID, key string) {
		if len(of[id]) >= m.cfg.Plus.PerRepoMax || slices.Contains(of[id], key) {
			return
		}
		if !m.plus.chosen[key] && len(m.plus.chosen) >= m.cfg.Plus.ParticipantsMax {
			return
		}
		m.plus.chosen[key] = true
		of[id] = append(of[id], key)
	}
	for _, id := range open {
		for _, key := range m.repos[id].plus.leaders {
			pick(id, key)
		}
	}
	for _, former := range []bool{true, false} {
		for _, id := range open {
			for _, ev := range m.about[m.repos[id].key] {
				if author := m.spoken[ev].author; before[author] == former {
					pick(id, author)
				}
			}
		}
	}
	return of
}

// rootsOf lists the root events of a repository.
func (m *Machine) rootsOf(id repo.ID) []string {
	var list []string
	for _, ev := range m.about[m.repos[id].key] {
		if m.spoken[ev].root {
			list = append(list, ev)
		}
	}
	return list
}

// addresses normalizes the relays of a setting, and leaves out what is none.
func (m *Machine) addresses(texts []string) []string {
	var list []string
	for _, text := range texts {
		if url, why := m.address(text); why == "" {
			list = with(list, url)
		}
	}
	return list
}

// plusWants puts what is wanted in the place of what was.
func (m *Machine) plusWants(now instant.Instant, wants map[string]map[item]struct{}) {
	old := m.plus.wants
	m.plus.wants = wants
	urls := slices.Sorted(maps.Keys(wants))
	for _, url := range urls {
		l := m.links[url]
		if l == nil && !m.room(urls) {
			delete(wants, url)
			m.plus.leftOut++
			continue
		}
		if l == nil {
			l = m.known(url)
		}
		for _, it := range slices.SortedFunc(maps.Keys(wants[url]), compareItems) {
			if _, had := old[url][it]; !had {
				m.add(now, l, it)
			}
		}
	}
	for _, url := range slices.Sorted(maps.Keys(old)) {
		for _, it := range slices.SortedFunc(maps.Keys(old[url]), compareItems) {
			if _, has := wants[url][it]; !has {
				m.drop(now, m.links[url], it)
			}
		}
	}
}

// places are where participants are looked for.
type places struct {
	index, fallback []string
	outbox          map[string][]string // by key, as far as there is room
}

// of lists where a participant writes.
func (p places) of(key string) []string {
	if list, known := p.outbox[key]; known {
		return list
	}
	return p.fallback
}

// places picks the relays that are asked for participants: those of the configuration, those that are known for repositories anyway,
// and of the others so many, first those that were picked before.
func (m *Machine) places() places {
	p := places{index: m.addresses(m.cfg.Plus.Index), fallback: m.addresses(m.cfg.Plus.Fallback), outbox: map[string][]string{}}
	people := slices.Sorted(maps.Keys(m.plus.chosen))
	taken, others := map[string]bool{}, 0
	m.plus.leftOut = 0
	for _, former := range []bool{true, false} {
		for _, key := range people {
			for _, url := range m.plus.outbox[key].relays {
				l := m.links[url]
				_, before := m.plus.wants[url]
				switch {
				case taken[url] || before != former:
				case l != nil && l.wanted[everything] != nil, slices.Contains(p.index, url), slices.Contains(p.fallback, url):
					taken[url] = true
				case others < m.cfg.Plus.RelaysMax:
					taken[url] = true
					others++
				default:
					m.plus.leftOut++
				}
			}
		}
	}
	for _, key := range people {
		if list, known := m.plus.outbox[key]; known {
			p.outbox[key] = slices.DeleteFunc(slices.Clone(list.relays), func(url string) bool { return !taken[url] })
		}
	}
	return p
}
