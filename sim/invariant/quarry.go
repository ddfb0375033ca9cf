package invariant

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// quarryOf is the account of an identifier.
func (p *pursuit) quarryOf(identifier string) *quarry {
	q := p.quarries[identifier]
	if q == nil {
		q = &quarry{identifier: identifier, due: never, wish: never}
		p.quarries[identifier] = q
	}
	return q
}

// refresh looks at what identifiers need after a step that has touched them.
func (m *Monitor) refresh() {
	p := m.hunt
	for _, identifier := range slices.Sorted(maps.Keys(p.touched)) {
		m.look(p.quarryOf(identifier))
	}
	clear(p.touched)
	clear(p.fresh)
}

func (m *Monitor) look(q *quarry) {
	p, now := m.hunt, m.step.now
	if at, fresh := p.fresh[q.identifier]; fresh {
		q.wish = min(q.wish, at)
	}
	hosts, waiting := q.hosts, q.waiting
	if !q.looked || p.touched[q.identifier] {
		q.looked = true
		hosts, waiting = m.whereabouts(q.identifier), m.waiting(q.identifier)
	}
	if len(hosts) == 0 {
		if q.needs {
			q.needs, q.met = false, now
		}
		q.due, q.hosts, q.waiting = never, hosts, waiting
		if !m.wanting(q.identifier) || len(m.book.owners[q.identifier]) > 1 { // the server may have asked already for several
			q.wish = never
		}
		return
	}
	began, moved := !q.needs, q.needs && (!slices.Equal(hosts, q.hosts) || waiting < q.waiting)
	before := q.due
	if began || moved && !p.may(q.hosts, now) { // up to now nobody could be asked
		q.needs, q.asked = true, now
		p.wanted.Push(now, q.identifier, q)
	}
	q.hosts, q.waiting = hosts, waiting
	switch {
	case q.open > 0:
		q.due, q.wish = never, never
		return
	case began:
		q.due, q.first = now.Add(max(p.UserDelay, p.SyncDelay, huntBackoffMax)), true // whoever it came from, or after others
	case q.due == never: // the last request has ended
		q.due, q.first = now.Add(huntBackoffMax), false
	case moved: // or some of it is wanted no more, and of the rest all was tried
		q.due, q.first = max(q.due, now.Add(huntBackoffMax)), false
	}
	if q.wish < q.due {
		q.due, q.first = max(q.wish, now), true // what has come long ago and only now can be asked for
	}
	q.wish = never
	if q.due != before || moved {
		for _, name := range hosts {
			p.remoteOf(name).waiting.Push(q.due, q.identifier, q)
		}
	}
}

// whereabouts lists the hosts where what an identifier needs may be, sorted; none if it needs nothing.
func (m *Monitor) whereabouts(identifier string) (hosts []string) {
	needed, sources := m.needed(identifier)
	if len(needed) == 0 {
		return nil
	}
	var before []string
	for _, e := range sources {
		own := m.hostsOf(e)
		if slices.Equal(own, before) { // few hosts are named by many
			continue
		}
		before = own
		for _, host := range own {
			if at, found := slices.BinarySearch(hosts, host); !found {
				hosts = slices.Insert(hosts, at, host)
			}
		}
	}
	return hosts
}

// waiting counts the held states, pull requests and updates of an identifier.
func (m *Monitor) waiting(identifier string) (n int) {
	for _, list := range [][]*entry{m.book.states[identifier], m.book.pulls[identifier]} {
		for _, e := range list {
			if !e.stored {
				n++
			}
		}
	}
	return n
}

// wanting reports whether an event that waits for an identifier declares an object that is not in its repository: it stays in the
// queue of a server with its time, though nobody can be asked for it yet. What wants nothing leaves no time behind.
func (m *Monitor) wanting(identifier string) bool {
	var view *repositoryView
	if owners := m.book.owners[identifier]; len(owners) == 1 {
		view = m.book.repositories[repo.ID{Owner: owners[0], Identifier: identifier}]
	}
	lacks := func(oid repo.OID) bool { return view == nil || !view.objects[oid] }
	return slices.ContainsFunc(m.book.states[identifier], func(e *entry) bool {
		return !e.stored && slices.ContainsFunc(e.state.Refs, func(r repo.Ref) bool { return lacks(r.OID) })
	}) || slices.ContainsFunc(m.book.pulls[identifier], func(e *entry) bool { return !e.stored && lacks(e.pull.Commit) })
}

// needed lists the objects that held events of an identifier lack, and the events that say where they may be. It is nil for
// identifiers that several keys have announced: which repository then gets what is for the server to decide. Both lists are good
// until it is called again.
func (m *Monitor) needed(identifier string) (oids []repo.OID, sources []*entry) {
	if len(m.book.owners[identifier]) != 1 {
		return nil, nil
	}
	id := repo.ID{Owner: m.book.owners[identifier][0], Identifier: identifier}
	a, view := m.book.announcements[id], m.book.repositories[id]
	if !a.hosted || a.soft || view == nil {
		return nil, nil
	}
	set := m.book.maintainers(id)
	oids, sources = m.hunt.oids[:0], m.hunt.sources[:0]
	sources = append(sources, a)
	for _, e := range m.book.states[identifier] {
		if e.stored || !slices.Contains(set, e.state.Author) {
			continue
		}
		for _, ref := range e.state.Refs {
			if !view.objects[ref.OID] {
				oids = append(oids, ref.OID)
			}
		}
	}
	for _, e := range m.book.pulls[identifier] {
		if e.stored || !a.stored || !names(e.pull, identifier, set) {
			continue
		}
		if !view.objects[e.pull.Commit] {
			oids = append(oids, e.pull.Commit)
		}
		sources = append(sources, e)
	}
	m.hunt.oids, m.hunt.sources = oids, sources
	return oids, sources
}

// names reports whether a pull request is to a repository of an identifier whose owner is in the set.
func names(pr *repo.PullRequest, identifier string, set []repo.PubKey) bool {
	return slices.ContainsFunc(pr.Repos, func(id repo.ID) bool {
		return id.Identifier == identifier && slices.Contains(set, id.Owner)
	})
}

// cloneURLs lists the URLs that an announcement or a pull request names.
func cloneURLs(e *entry) []string {
	if e.announcement != nil {
		return e.announcement.Clone
	}
	var urls []string
	for _, tag := range e.event.Tags {
		if len(tag) > 1 && tag[0] == "clone" {
			urls = append(urls, tag[1:]...)
		}
	}
	return urls
}

// hostsOf lists the hosts of the URLs of an event that a server has to ask, sorted, each once.
func (m *Monitor) hostsOf(e *entry) []string {
	if e.hosts == nil {
		e.hosts = []string{}
		for _, text := range cloneURLs(e) {
			if host, is := hostOf(text); is && host != m.book.service.Host {
				e.hosts = append(e.hosts, host)
			}
		}
		slices.Sort(e.hosts)
		e.hosts = slices.Compact(e.hosts)
	}
	return e.hosts
}

// Healed says that all trouble has ceased. Has says what a URL has now: the held events all of whose objects are to be had
// must be served when Found is called.
func (m *Monitor) Healed(now instant.Instant, has func(url string, oid repo.OID) bool) {
	if m.hunt == nil {
		return
	}
	for _, event := range slices.Sorted(maps.Keys(m.book.held)) {
		e := m.book.held[event]
		if slices.ContainsFunc(e.identifiers(), func(identifier string) bool { return m.reachable(identifier, e, has) }) {
			m.hunt.owed = append(m.hunt.owed, e)
		}
	}
	m.hunt.healed = now
}

// Found checks that what was to be had when all trouble ceased has come, and its events are held no more.
func (m *Monitor) Found(now instant.Instant) {
	m.step.now = now
	if m.hunt == nil {
		return
	}
	for _, e := range m.hunt.owed {
		m.must(m.book.held[e.event.ID] == nil, "INV-09", "reachable-and-held", "event %s could be released since %v",
			e.event.ID, now.Sub(m.hunt.healed))
	}
}

// reachable reports whether all that a held event lacks in the repository of its identifier is to be had.
func (m *Monitor) reachable(identifier string, e *entry, has func(url string, oid repo.OID) bool) bool {
	needed, sources := m.needed(identifier)
	if len(needed) == 0 {
		return false
	}
	var own []repo.OID
	if e.pull != nil {
		own = append(own, e.pull.Commit)
	}
	if e.state != nil {
		for _, ref := range e.state.Refs {
			own = append(own, ref.OID)
		}
	}
	lacks := slices.DeleteFunc(own, func(oid repo.OID) bool { return !slices.Contains(needed, oid) })
	return len(lacks) > 0 && !slices.ContainsFunc(lacks, func(oid repo.OID) bool {
		return !slices.ContainsFunc(sources, func(s *entry) bool {
			return slices.ContainsFunc(cloneURLs(s), func(url string) bool { return has(url, oid) })
		})
	})
}
