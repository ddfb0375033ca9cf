package invariant

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// pushAnswered is INV-20: a push is admitted exactly when branches and tags with its commands applied are what the
// latest state declares. A state that was given to the server and is not answered yet may count or not.
func (m *Monitor) pushAnswered(id core.PushID, admitted bool, prefix string) {
	o := m.offers[id]
	if o == nil || o.admitted {
		m.must(false, "INV-20", "answered-unasked", "push %d was answered and is not open", id)
		return
	}
	if !admitted {
		delete(m.offers, id)
		if prefix == "rate-limited" || prefix == "error" {
			return // the server judged itself, not the push
		}
	}
	set := m.book.maintainers(o.Repo)
	best := m.book.winner(set, o.Repo.Identifier, true)
	possible := []*entry{best}
	for _, e := range m.unanswered(o.Repo.Identifier) {
		if slices.Contains(set, e.state.Author) && (best == nil || newer(e.event, best.event)) {
			possible = append(possible, e)
		}
	}
	var yes, no bool
	for _, e := range possible {
		if m.declared(o.PushOffered, e) {
			yes = true
		} else {
			no = true
		}
	}
	if admitted {
		m.must(yes, "INV-20", "admitted-undeclared", "push %d to %s/%s: %s", id, o.Repo.Owner, o.Repo.Identifier, list(o.Commands))
		ref, outside := refsOutside(o.Commands)
		m.must(!outside, "INV-21", "admitted-outside", "push %d may move %s", id, ref)
		m.pin(o, best)
		return
	}
	m.must(no, "INV-20", "refused-declared", "push %d to %s/%s: %s", id, o.Repo.Owner, o.Repo.Identifier, list(o.Commands))
}

// unanswered lists the states of an identifier that were given and not answered, by id.
func (m *Monitor) unanswered(identifier string) []*entry {
	var states []*entry
	for _, ev := range sortedPending(m.pending) {
		if e := m.book.read(ev); e.state != nil && e.state.Identifier == identifier {
			states = append(states, e)
		}
	}
	return states
}

// declared judges a push under the assumption that a state is the latest.
func (m *Monitor) declared(o core.PushOffered, state *entry) bool {
	a, view := m.book.announcements[o.Repo], m.book.repositories[o.Repo]
	if state == nil || a == nil || !a.hosted || view == nil || o.Shape.Certificate {
		return false
	}
	if _, outside := refsOutside(o.Commands); outside {
		return false
	}
	after := view.apply(o.Commands)
	return after != nil && equals(after, state.state)
}

// pin notes what a push relies on: it may outlive its deadline until the push ends, and gets a whole life (REF-PURG-04,
// REF-PURG-07).
func (m *Monitor) pin(o *offer, state *entry) {
	o.admitted = true
	for _, e := range []*entry{state, m.book.announcements[o.Repo]} {
		if e != nil && !e.stored {
			e.pins++
			o.pinned = append(o.pinned, e)
			m.extend(e)
		}
	}
}

// pushDone is INV-21: a push moves nothing but what was judged, and nothing but branches and tags.
func (m *Monitor) pushDone(in core.PushDone) {
	o := m.offers[in.Push]
	if o == nil || !o.admitted {
		return
	}
	delete(m.offers, in.Push)
	for _, e := range o.pinned {
		e.pins--
		e.latest = max(e.latest, m.step.now+1)
	}
	view := m.book.repositories[o.Repo]
	for _, result := range in.Report.Results {
		if !result.OK {
			continue
		}
		at := slices.IndexFunc(o.Commands, func(c gitproto.Command) bool { return c.Ref == result.Ref })
		m.must(at >= 0 && declarable(result.Ref), "INV-21", "moved-outside", "push %d moved %s", in.Push, result.Ref)
		if at < 0 || view == nil {
			continue
		}
		c := o.Commands[at]
		view.move([]gitproto.Command{c})
		if !c.New.IsZero() {
			view.objects[c.New] = true
		}
	}
}

// list writes commands for a person.
func list(commands []gitproto.Command) string {
	var b strings.Builder
	for i, c := range commands {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(short(c.Old) + ".." + short(c.New) + " " + c.Ref)
	}
	return b.String()
}

func short(o repo.OID) string {
	if o.IsZero() || len(o) < 8 {
		return "0"
	}
	return string(o[:8])
}
