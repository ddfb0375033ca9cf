package invariant

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/core"
)

// A trail is what follows a push that has ended: the look that serves what it has brought. What authorized the push stays
// until that is over, whatever its deadline (REF-PURG-07).
type trail struct {
	offer *offer
	open  map[core.RequestID]bool // of the look, not answered yet
	on    bool                    // this step belongs to it
}

// follow begins the trail of a push.
func (m *Monitor) follow(o *offer) {
	m.trails = append(m.trails, &trail{offer: o, open: map[core.RequestID]bool{}, on: true})
}

// arrived notes that a request is answered: the step belongs to the trail of which it is.
func (m *Monitor) arrived(request core.RequestID) {
	for _, t := range m.trails {
		if t.open[request] {
			delete(t.open, request)
			t.on = true
		}
	}
}

// trailed notes a request as one of the trails to which the step belongs. A look asks other repositories only for objects.
func (m *Monitor) trailed(e core.Effect) {
	if len(m.trails) == 0 {
		return
	}
	var request core.RequestID
	id := repositoryOf(e)
	switch e := e.(type) {
	case core.AskObjects:
		request = e.Request
	case core.CopyObjects:
		request, id = e.Request, e.Repo
	case core.UpdateRefs:
		request = e.Request
	default:
		return
	}
	_, asks := e.(core.AskObjects)
	for _, t := range m.trails {
		if t.on && (asks || id == t.offer.Repo) {
			t.open[request] = true
		}
	}
}

// endTrails lets go of what pushes have relied on whose looks are over.
func (m *Monitor) endTrails() {
	m.trails = slices.DeleteFunc(m.trails, func(t *trail) bool {
		over := t.on && len(t.open) == 0
		t.on = false
		if over {
			m.letGo(t.offer)
		}
		return over
	})
}

// relies notes that a push may rely on an event that is not answered yet.
func (m *Monitor) relies(o *offer, event string) {
	if m.pending[event] != nil && !slices.Contains(o.waited, event) {
		o.waited = append(o.waited, event)
	}
}

// reliesOnStates notes on which states a push may rely that are not answered yet: those that it fulfills.
func (m *Monitor) reliesOnStates(o *offer) {
	view, set := m.book.repositories[o.Repo], m.book.maintainers(o.Repo)
	if view == nil {
		return
	}
	after := view.apply(o.Commands)
	for _, e := range m.unanswered(o.Repo.Identifier) {
		if after != nil && slices.Contains(set, e.state.Author) && equals(after, e.state) {
			m.relies(o, e.event.ID)
		}
	}
}

// relied pins an event that is held now and that pushes rely on: it was not answered yet when they began, or is an announcement
// that has taken the place of the one that they began with.
func (m *Monitor) relied(e *entry) {
	succeeds := func(old *entry) bool {
		return e.announcement != nil && old.announcement != nil && old.announcement.ID == e.announcement.ID
	}
	pin := func(o *offer) {
		if (slices.Contains(o.waited, e.event.ID) || slices.ContainsFunc(o.pinned, succeeds)) && !slices.Contains(o.pinned, e) {
			e.pins++
			o.pinned = append(o.pinned, e)
			if e.announcement == nil {
				o.extended = append(o.extended, e) // it has just begun a whole life
			}
			if e.hosted && slices.ContainsFunc(o.sure, succeeds) {
				o.sure = append(o.sure, e)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(m.offers)) {
		pin(m.offers[id])
	}
	for _, t := range m.trails {
		pin(t.offer)
	}
}
