package invariant

import (
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// INV-42: whatever is pushed to a place for contributions, by whomever, moves nothing else. A place has refs that are named after events
// and no others; only what waits for a commit there is served behind a push; what leaves it is the commit of a pull request that names
// the place and has its ref there; and a ref of which no event is known goes after its window, and not before.

// contributionWindow is how long a ref at a place waits for its event, and contributionAgain how long until its removal is tried again.
const (
	contributionWindow = 20 * time.Minute
	contributionAgain  = time.Minute
)

// placed is INV-42, and INV-16 for places: nothing comes to one but by a push, what leaves one is the commit of a pull request that names it
// and that is for the other repository, and none is removed with what it has.
func (m *Monitor) placed(e core.Effect) {
	switch e := e.(type) {
	case core.UpdateRefs:
		if _, is := about(e.Repo); is {
			for _, c := range e.Commands {
				m.must(c.New.IsZero(), "INV-42", "contributed-by-nobody", "%s at a place of %s goes to %s", c.Ref, e.Repo.Owner, short(c.New))
				m.goesInTime(e.Repo, c.Ref)
			}
		}
	case core.CopyObjects:
		if _, is := about(e.From); is {
			for _, oid := range e.OIDs {
				m.must(m.leaves(e.From, e.Repo, oid), "INV-42", "copied-from-place", "object %s into %s of %s", short(oid), e.Repo.Identifier, e.Repo.Owner)
			}
		}
	case core.PushExpected:
		m.besides(m.offers[e.Push])
	case core.PushAdmitted:
		m.besides(m.offers[e.Push])
	case core.Record:
		m.behindPush(e)
		m.windowed(e)
	case core.RemoveRepository:
		if _, is := about(e.Repo); is {
			view := m.book.repositories[e.Repo]
			m.must(view == nil || len(view.refs) == 0, "INV-16", "place-removed", "%d refs at a place of %s", len(view.names()), e.Repo.Owner)
		}
	}
}

// leaves reports whether a commit at a place is that of a pull request that names the place and the other repository.
func (m *Monitor) leaves(place, to repo.ID, oid repo.OID) bool {
	return slices.ContainsFunc(m.book.proposals[proposal{to.Identifier, oid}], func(e *entry) bool {
		view := m.book.repositories[place]
		return view != nil && view.refs[e.pull.Ref()] == oid && m.book.fits(e, place, oid) && names(e.pull, to.Identifier, m.book.serving(to))
	})
}

// besides judges a push to a place that goes on: all of its refs are named after events.
func (m *Monitor) besides(o *offer) {
	if o == nil {
		return
	}
	if _, is := about(o.Repo); is {
		other := slices.IndexFunc(o.Commands, func(c gitproto.Command) bool { _, named := repo.PullRequestOf(c.Ref); return !named })
		m.must(other < 0 && !o.Shape.Certificate, "INV-42", "admitted-beside", "push %d to a place of %s: %s", o.Push, o.Repo.Owner, list(o.Commands))
	}
}

// behindPush judges what becomes served in the step in which a push to a place ends: a pull request whose ref that has moved, or that has
// waited for its end with its commit at its ref.
func (m *Monitor) behindPush(r core.Record) {
	o := m.step.placed
	if o == nil || r.Op != core.OpStore {
		return
	}
	moved := slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool { return c.Ref == repo.PullRequestPrefix+r.ID })
	m.must(moved || m.placedBefore(o.Repo, r.Event), "INV-42", "served-beside",
		"event %s is served behind a push to a place of %s", r.ID, o.Repo.Owner)
}

// placedBefore reports whether the ref of a pull request is at a place that it names, at its commit.
func (m *Monitor) placedBefore(place repo.ID, ev *nostr.Event) bool {
	e, view := m.book.read(ev), m.book.repositories[place]
	return e.pull != nil && view != nil && m.book.fits(e, place, view.refs[e.pull.Ref()])
}

// windowed judges the clock of a ref at a place.
func (m *Monitor) windowed(r core.Record) {
	if _, is := about(r.Mark.Repo); !is || r.Op != core.OpMark || r.Mark.Kind != core.MarkPlaceholder {
		return
	}
	life := r.Mark.Until.Sub(r.Mark.At)
	m.must(life == contributionWindow || life == contributionAgain, "INV-42", "window", "the ref of event %s waits for %v at a place of %s",
		r.Mark.Event, life, r.Mark.Repo.Owner)
}

// goesInTime judges that a ref goes from a place: its clock has run out, or its event is known and says otherwise.
func (m *Monitor) goesInTime(place repo.ID, ref string) {
	event, _ := repo.PullRequestOf(ref)
	mark, runs := m.ledger.marks[core.Mark{Kind: core.MarkPlaceholder, Event: event, Repo: place}.Name()]
	known := m.book.entries[event] != nil || m.pending[event] != nil || m.heard[event] != nil
	m.must(known || !runs || mark.Until <= m.step.now, "INV-42", "gone-early", "%s goes from a place of %s, and its clock runs until %d", ref, place.Owner, mark.Until)
}

// atPlace is INV-18 and INV-02 for a place at rest: it has refs, each of them is that of a served pull request that names the
// place with this commit, or its clock runs, for no event has come.
func (m *Monitor) atPlace(clocks map[clock]bool, id repo.ID, view *repositoryView) {
	m.must(len(view.refs) > 0 || m.ledger.failed[id], "INV-18", "place-of-nobody", "place of %s for %s", id.Owner, id.Identifier)
	for _, ref := range view.names() {
		event, _ := repo.PullRequestOf(ref)
		e := m.book.entries[event]
		served := e != nil && e.stored && m.book.fits(e, id, view.refs[ref])
		waits := served || clocks[clock{id, event}] || m.ledger.failed[id]
		m.must(waits, "INV-18", "ref-of-nobody", "%s at a place of %s", ref, id.Owner)
		m.must(waits, "INV-42", "stays", "%s at a place of %s is there for nobody", ref, id.Owner)
		m.must(served || e == nil || e.pull == nil, "INV-02", "contradicted", "%s at a place of %s is not what its event says", ref, id.Owner)
	}
}
