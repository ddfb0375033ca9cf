package invariant

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// housed is INV-06 for what was held in this step: an announcement in its first phase has its repository by then.
func (m *Monitor) housed() {
	for _, e := range m.step.recorded {
		if m.book.entries[e.event.ID] != e || e.stored || !e.hosted {
			continue
		}
		m.must(e.soft || m.book.repositories[e.announcement.ID] != nil, "INV-06", "held-without-repository",
			"announcement %s of %s", e.event.ID, e.announcement.ID.Identifier)
	}
}

// atRest checks what must hold while nothing is under way.
func (m *Monitor) atRest(now instant.Instant) {
	m.must(len(m.orders) == 0 && len(m.pending) == 0 && len(m.offers) == 0, "INV-32", "waits-for-ever",
		"%d orders, %d events and %d pushes are open", len(m.orders), len(m.pending), len(m.offers))
	for _, event := range slices.Sorted(maps.Keys(m.book.held)) {
		if e := m.book.held[event]; e.hosted {
			m.phased(e)
		}
	}
	clocks := m.ledger.clocks(now)
	for _, id := range slices.SortedFunc(maps.Keys(m.book.repositories), repo.ID.Compare) {
		m.owned(clocks, id, m.book.repositories[id])
	}
}

// A clock runs for the ref of an event that has not come yet, in one repository.
type clock struct {
	in    repo.ID
	event string
}

// clocks lists the marks that run: they are many, and asked for by repository.
func (l *ledger) clocks(now instant.Instant) map[clock]bool {
	run := map[clock]bool{}
	for _, name := range slices.Sorted(maps.Keys(l.marks)) {
		if mark := l.marks[name]; mark.Until > now {
			run[clock{mark.Repo, mark.Event}] = true
		}
	}
	return run
}

// phased is INV-06 at rest. What could not be removed, and what a served announcement has left behind, may still be there.
func (m *Monitor) phased(e *entry) {
	id := e.announcement.ID
	there := m.book.repositories[id] != nil
	if !e.soft {
		m.must(there, "INV-06", "held-without-repository", "announcement %s of %s", e.event.ID, id.Identifier)
		return
	}
	m.must(!there || m.ledger.failed[id] || m.ledger.retired(id), "INV-06", "soft-with-repository",
		"announcement %s of %s", e.event.ID, id.Identifier)
}

// owned is INV-18: a repository belongs to an announcement that is still there, or was served, and a ref named after an
// event to that event or to a clock that runs.
func (m *Monitor) owned(clocks map[clock]bool, id repo.ID, view *repositoryView) {
	if _, is := about(id); is {
		m.atPlace(clocks, id, view)
		return
	}
	a := m.book.announcements[id]
	m.must(a != nil && a.hosted && !a.soft || m.ledger.failed[id] || m.ledger.retired(id), "INV-18", "repository-of-nobody",
		"repository %s of %s", id.Identifier, id.Owner)
	if m.ledger.retired(id) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(view.refs)) {
		event, is := repo.PullRequestOf(name)
		if !is {
			continue
		}
		e := m.book.entries[event]
		m.must(e != nil && e.stored && e.pull != nil || clocks[clock{id, event}] || m.ledger.failed[id], "INV-18", "ref-of-nobody",
			"%s in %s of %s", name, id.Identifier, id.Owner)
	}
}
