package invariant

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// ledger is what the server has told its git, and what it has been told to keep.
type ledger struct {
	touched  map[repo.ID]map[string]bool // refs that a push or an order has named
	failed   map[repo.ID]bool            // repositories that could not be made, or not be removed, which is tried again
	unread   map[repo.ID]bool            // in which something failed, and which could not be read since
	marks    map[string]core.Mark        // by name
	ending   bool                        // an orderly end was asked for
	restored bool                        // an operator has put back what a backup had
	related  []*entry                    // stored in this step by what they refer to
}

func newLedger() ledger {
	return ledger{touched: map[repo.ID]map[string]bool{}, failed: map[repo.ID]bool{}, unread: map[repo.ID]bool{}, marks: map[string]core.Mark{}}
}

func (l *ledger) mark(r core.Record) {
	if r.Op == core.OpMark {
		l.marks[r.Mark.Name()] = r.Mark
	} else {
		delete(l.marks, r.Mark.Name())
	}
}

// retired reports whether the server keeps a repository without an announcement.
func (l *ledger) retired(id repo.ID) bool {
	_, is := l.marks[core.Mark{Kind: core.MarkRetired, Repo: id}.Name()]
	return is
}

// ordered checks what git is told, before anything else is made of it.
func (m *Monitor) ordered(e core.Effect) {
	switch e := e.(type) {
	case core.AskObjects:
		m.properOIDs(e.OIDs...)
	case core.UpdateRefs:
		m.commanded(e.Repo, e.Commands)
	case core.PushAdmitted:
		if o := m.offers[e.Push]; o != nil {
			m.commanded(o.Repo, o.Commands)
		}
	}
}

// properOIDs is INV-15.
func (m *Monitor) properOIDs(oids ...repo.OID) {
	m.count("INV-15", len(oids))
	for _, oid := range oids {
		proper := len(oid) == 40 || len(oid) == 64
		for _, c := range []byte(oid) {
			proper = proper && (c >= '0' && c <= '9' || c >= 'a' && c <= 'f')
		}
		if !proper {
			m.violated("INV-15", "no-object-id", "git is given %q", oid)
		}
	}
}

// commanded is INV-04: branches and tags go where a state of a maintainer says. A state that was given to the server and
// is not answered yet may have said it, and one that another relay has said and that is judged again.
func (m *Monitor) commanded(id repo.ID, commands []gitproto.Command) {
	if m.ledger.touched[id] == nil {
		m.ledger.touched[id] = map[string]bool{}
	}
	set := m.book.maintainers(id)
	said := func(c gitproto.Command) bool {
		return slices.ContainsFunc(slices.Concat(m.book.states[id.Identifier], m.unanswered(id.Identifier), m.hearsay(id.Identifier)), func(e *entry) bool {
			to, names := e.state.Lookup(c.Ref)
			return slices.Contains(set, e.state.Author) && (names && to == c.New || !names && c.New.IsZero())
		})
	}
	for _, c := range commands {
		m.ledger.touched[id][c.Ref] = true
		m.properOIDs(c.Old, c.New)
		if declarable(c.Ref) && c.Old != c.New && !m.goesBack(id, c) {
			m.must(said(c), "INV-04", "moved-without-authority", "%s of %s of %s goes to %s", c.Ref, id.Identifier, id.Owner, short(c.New))
		}
	}
}

// goesBack reports whether a command takes back at once what the order did that has just been carried out: the state for which
// refs moved may have gone in the meantime.
func (m *Monitor) goesBack(id repo.ID, c gitproto.Command) bool {
	return m.step.moved.Repo == id && slices.Contains(m.step.moved.Commands, gitproto.Command{Ref: c.Ref, Old: c.New, New: c.Old})
}

// Git compares the repositories that git has with those that pushes and orders have made. Nothing may be under way in
// those that are compared: one with an order or a push is left out.
func (m *Monitor) Git(now instant.Instant, there []core.RepositoryRefs) {
	m.step.now = now
	busy := map[repo.ID]bool{}
	for _, id := range slices.Sorted(maps.Keys(m.offers)) {
		busy[m.offers[id].Repo] = true
	}
	for _, request := range slices.Sorted(maps.Keys(m.orders)) {
		switch o := m.orders[request].(type) {
		case core.CreateRepository:
			busy[o.Repo] = true
		case core.RemoveRepository:
			busy[o.Repo] = true
		case core.UpdateRefs:
			busy[o.Repo] = true
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(m.ledger.unread), repo.ID.Compare) {
		busy[id] = true
	}
	found := map[repo.ID]bool{}
	for _, r := range there {
		found[r.ID] = true
		if busy[r.ID] || r.Unknown {
			continue
		}
		view := m.book.repositories[r.ID]
		m.must(view != nil || m.ledger.failed[r.ID], "INV-23", "repository-unordered", "repository %q of %s", r.ID.Identifier, r.ID.Owner)
		if view != nil {
			m.sameRefs(r, view)
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(m.book.repositories), repo.ID.Compare) {
		m.must(found[id] || busy[id], "INV-23", "repository-missing", "repository %q of %s", id.Identifier, id.Owner)
	}
}

// sameRefs is INV-14 and INV-22: refs that a push or an order has named are where it put them, and no other has moved.
func (m *Monitor) sameRefs(r core.RepositoryRefs, view *repositoryView) {
	there := map[string]repo.OID{}
	for _, ref := range r.Refs.Refs {
		there[ref.Name] = ref.OID
	}
	for _, name := range slices.Sorted(maps.Keys(there)) {
		if view.refs[name] == there[name] {
			m.met(true, "INV-22")
			continue
		}
		id, code := "INV-14", "moved-by-nobody"
		if m.ledger.touched[r.ID][name] {
			id, code = "INV-22", "moved-elsewhere"
		}
		m.must(false, id, code, "%s of %s of %s is at %s", name, r.ID.Identifier, r.ID.Owner, short(there[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(view.refs)) {
		_, is := there[name]
		m.must(is, "INV-22", "ref-missing", "%s of %s of %s", name, r.ID.Identifier, r.ID.Owner)
	}
	m.must(r.Refs.Head == view.head, "INV-14", "head-by-nobody", "HEAD of %s of %s is at %s, not at %s",
		r.ID.Identifier, r.ID.Owner, r.Refs.Head, view.head)
}

// mayRemove is INV-16: nothing that belongs to a served announcement is removed.
func (m *Monitor) mayRemove(id repo.ID) {
	a := m.book.announcements[id]
	m.must(a == nil || !a.stored || !a.hosted, "INV-16", "served-repository-removed", "repository %s of %s", id.Identifier, id.Owner)
}
