package invariant

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// offer is a push that was offered and has not ended.
type offer struct {
	core.PushOffered
	expected bool // its pack is under way
	admitted bool
	pinned   []*entry
	sure     []*entry // of pinned, those that it surely relies on
	extended []*entry // that have got a whole life by it, once
	waited   []string // events that it may rely on and that are not answered yet
}

// pushAnswered is INV-20: a push is admitted exactly when branches and tags with its commands applied are what the
// latest state declares, and no event contradicts its other refs. An event that was given to the server and is not
// answered yet may count or not.
func (m *Monitor) pushAnswered(id core.PushID, admitted bool, prefix string) {
	o := m.offers[id]
	if o == nil || o.admitted {
		m.must(false, "INV-20", "answered-unasked", "push %d was answered and is not open", id)
		return
	}
	if !admitted {
		m.letGo(o)
		delete(m.offers, id)
		if _, place := about(o.Repo); prefix == "rate-limited" || prefix == "error" || place && prefix == "blocked" {
			return // the server judged itself, or who it does not want, not the push
		}
	}
	answer := m.possible(o.PushOffered)
	if admitted {
		m.may(o, answer)
		o.admitted = true
		return
	}
	if !m.met(answer.no, "INV-20") {
		m.violated("INV-20", "refused-declared", "push %d to %s/%s: %s", id, o.Repo.Owner, o.Repo.Identifier, list(o.Commands))
	}
}

// pushExpected is INV-20 for a push whose pack is still to come: it may only if it would be admitted now.
func (m *Monitor) pushExpected(id core.PushID) {
	o := m.offers[id]
	if o == nil || o.expected || o.admitted {
		m.must(false, "INV-20", "answered-unasked", "push %d is expected and was not asked about", id)
		return
	}
	m.may(o, m.possible(o.PushOffered))
	o.expected = true
}

// may is what is asked of a push that goes on.
func (m *Monitor) may(o *offer, answer verdict) {
	if !m.met(answer.yes, "INV-20") {
		m.violated("INV-20", "admitted-undeclared", "push %d to %s/%s: %s", o.Push, o.Repo.Owner, o.Repo.Identifier, list(o.Commands))
	}
	ref, outside := refsOutside(o.Commands)
	m.must(!outside, "INV-21", "admitted-outside", "push %d may move %s", o.Push, ref)
	m.pin(o)
}

// letGo ends what a push has relied on.
func (m *Monitor) letGo(o *offer) {
	if o == nil {
		return
	}
	for _, e := range o.pinned {
		e.pins--
		e.latest = max(e.latest, m.step.now+1)
	}
	o.pinned = nil
}

// possible lists what may be answered to a push.
func (m *Monitor) possible(o core.PushOffered) verdict {
	if _, is := about(o.Repo); is {
		return m.contributed(o)
	}
	if m.book.family.readOnly {
		return verdict{no: true}
	}
	view, ok := m.book.repositories[o.Repo], m.hosts(o)
	answer := verdict{yes: true}
	declares := len(o.Commands) == 0
	for _, c := range o.Commands {
		if declarable(c.Ref) {
			declares = true
			continue
		}
		v := m.pullRequest(o.Repo, c)
		answer = verdict{yes: answer.yes && v.yes, no: answer.no || v.no}
	}
	if !ok || view.apply(o.Commands) == nil {
		return verdict{no: true}
	}
	if !declares {
		return answer
	}
	set := m.book.maintainers(o.Repo)
	best := m.book.winner(set, o.Repo.Identifier, true)
	candidates := []*entry{best}
	for _, e := range m.unanswered(o.Repo.Identifier) {
		if slices.Contains(set, e.state.Author) && (best == nil || newer(e.event, best.event)) {
			candidates = append(candidates, e)
		}
	}
	var states verdict
	for _, e := range candidates {
		states.add(e != nil && equals(view.apply(o.Commands), e.state))
	}
	return verdict{yes: answer.yes && states.yes, no: answer.no || states.no}
}

// hosts reports whether the repository of a push is there, and its form can be taken.
func (m *Monitor) hosts(o core.PushOffered) bool {
	a := m.book.announcements[o.Repo]
	return a != nil && a.hosted && !a.soft && m.book.repositories[o.Repo] != nil && !o.Shape.Certificate
}

// unanswered lists the states of an identifier that were given and not answered, by id.
func (m *Monitor) unanswered(identifier string) []*entry {
	return statesOf(identifier, sortedPending(m.pending))
}

func statesOf(identifier string, list []*entry) []*entry {
	var states []*entry
	for _, e := range list {
		if e.state != nil && e.state.Identifier == identifier {
			states = append(states, e)
		}
	}
	return states
}

// pin notes what a push relies on: it may outlive its deadline until the push ends, and gets a whole life (REF-PURG-04,
// REF-PURG-07). A pull request gets none, and a push of nothing but its ref gives none to anything.
func (m *Monitor) pin(o *offer) {
	pin := func(e *entry) bool {
		if e == nil || e.stored || slices.Contains(o.pinned, e) {
			return false
		}
		e.pins++
		o.pinned = append(o.pinned, e)
		return true
	}
	declares := false
	for _, c := range o.Commands {
		event, ok := repo.PullRequestOf(c.Ref)
		if ok {
			if pin(m.book.entries[event]) {
				o.sure = append(o.sure, m.book.entries[event])
			}
			m.relies(o, event)
		}
		declares = declares || !ok
	}
	if !declares {
		return
	}
	m.reliesOnStates(o)
	state := m.book.winner(m.book.maintainers(o.Repo), o.Repo.Identifier, true)
	for _, e := range []*entry{state, m.book.announcements[o.Repo]} {
		if e == nil || e.stored || slices.Contains(o.extended, e) {
			continue
		}
		pin(e) // an announcement may be pinned that has taken the place of another one: it authorizes the push only now
		m.extend(e)
		o.extended = append(o.extended, e)
		if len(o.waited) == 0 && !slices.Contains(o.sure, e) {
			o.sure = append(o.sure, e)
		}
	}
}

// pushDone is INV-21: a push moves nothing but what was judged, and nothing but branches,
// tags and refs named after events.
func (m *Monitor) pushDone(in core.PushDone) {
	o := m.offers[in.Push]
	if o == nil || !o.admitted {
		return
	}
	delete(m.offers, in.Push)
	if _, is := about(o.Repo); is {
		m.step.placed = o
	}
	m.hunt.touch(o.Repo.Identifier)
	m.follow(o)
	view := m.book.repositories[o.Repo]
	for _, result := range in.Report.Results {
		if !result.OK {
			continue
		}
		at := slices.IndexFunc(o.Commands, func(c gitproto.Command) bool { return c.Ref == result.Ref })
		m.must(at >= 0 && movable(result.Ref), "INV-21", "moved-outside", "push %d moved %s", in.Push, result.Ref)
		if at < 0 || view == nil {
			continue
		}
		c := o.Commands[at]
		m.move(view, []gitproto.Command{c})
		if !c.New.IsZero() {
			view.objects[c.New] = true
		}
	}
	if !in.Report.Whole() {
		m.onDisk(o.Repo, in.Disk)
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

// refsOutside returns the first ref of the commands that is neither branch nor tag, nor named after an event.
func refsOutside(commands []gitproto.Command) (string, bool) {
	at := slices.IndexFunc(commands, func(c gitproto.Command) bool { return !movable(c.Ref) })
	if at < 0 {
		return "", false
	}
	return commands[at].Ref, true
}
