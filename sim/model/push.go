package model

import (
	"cmp"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// candidates are the states of which one may be the latest that counts for a push: the latest held or stored one, and the
// latest if those that are not answered yet count too. Of these one that is over by its own word does not (N40-01).
func (m *Model) candidates(p *push) []*entry {
	r := m.room(p.repo.Identifier)
	keys := r.set(string(p.repo.Owner))
	var sure, all *entry
	for _, s := range r.states {
		if !slices.Contains(keys, s.ev.PubKey) || s.phase == arriving && m.outlived(&s.ev) {
			continue
		}
		if all == nil || newer(&s.ev, &all.ev) {
			all = s
		}
		if s.phase != arriving && (sure == nil || newer(&s.ev, &sure.ev)) {
			sure = s
		}
	}
	if sure == all {
		return []*entry{sure}
	}
	return []*entry{all, sure}
}

// objections are the reasons for which a push must be refused, none if it must be taken.
func (m *Model) objections(p *push, latest *entry) []string {
	if isPlace(p.repo) {
		return m.placeObjections(p)
	}
	r, x := m.room(p.repo.Identifier), m.repository(p.repo)
	var why []string
	object := func(id string) {
		if !slices.Contains(why, id) {
			why = append(why, id)
		}
	}
	if m.cfg.Rules.ReadOnly {
		object("G05-04")
	}
	if p.certificate {
		object("G01-PUSH-18")
	}
	if x.unread {
		object("G01-PUSH-28")
	}
	if !x.there || !r.hosted(string(p.repo.Owner)) {
		object("G01-GIT-10")
		return why
	}
	result := map[string]repo.OID{}
	var names []string
	for _, ref := range x.refs {
		if isDeclarable(ref.Name) {
			result[ref.Name] = ref.OID
			names = append(names, ref.Name)
		}
	}
	for _, c := range p.commands {
		if stale(c, x.at(c.Ref)) {
			object("G01-PUSH-25")
		}
		switch {
		case strings.HasPrefix(c.Ref, "refs/nostr/"):
			m.objectToPull(p, c, object)
		case !isDeclarable(c.Ref):
			object("G01-PUSH-17")
		default:
			result[c.Ref] = c.New
			names = append(names, c.Ref)
		}
	}
	if !p.declares() {
		return why
	}
	if latest == nil {
		object("G01-PUSH-02")
		object("G01-PUSH-14")
		return why
	}
	for _, ref := range latest.refs {
		names = append(names, ref.Name)
	}
	for _, name := range names {
		switch is, want := result[name], latest.declares(name); {
		case isZero(is) && want == "", is == want:
		case want == "":
			object("G01-PUSH-04")
		case isZero(is):
			object("G01-PUSH-08")
		default:
			object("G01-PUSH-03")
		}
	}
	return why
}

// stale reports whether a command is about a ref that is somewhere else by now. What is as it is wanted needs no old value.
func stale(c gitproto.Command, is repo.OID) bool {
	asWanted := c.New == is || isZero(c.New) && is == "" || isZero(c.Old) && isZero(c.New)
	return !asWanted && !samePlace(c.Old, is)
}

// samePlace reports whether a ref is where a command says; nowhere has two spellings.
func samePlace(old, is repo.OID) bool { return old == is || is == "" && isZero(old) }

// objectToPull judges one command below refs/nostr.
func (m *Model) objectToPull(p *push, c gitproto.Command, object func(string)) {
	id := strings.TrimPrefix(c.Ref, "refs/nostr/")
	if !isHex(id, 64) {
		object("G01-PR-02")
		return
	}
	e := m.entries[id]
	switch {
	case e == nil || e.phase == nowhere:
	case !e.pull:
		object("G01-PR-10")
	case isZero(c.New):
		if e.phase == stored && slices.Contains(m.concerned(e), p.repo) {
			object("G01-PR-11")
		}
	case c.New != e.commit:
		object("G01-PR-03")
		object("G01-PR-11")
	}
}

// pushTaken judges that the pack of a push may come, or that it is carried out.
func (m *Model) pushTaken(id core.PushID, admitted bool) {
	p := m.work.pushes[id]
	if p == nil {
		m.differ("INV-22", "push-from-nowhere", "a push is taken that nobody asked for")
		return
	}
	var why []string
	var latest *entry
	for _, c := range m.candidates(p) {
		if why = m.objections(p, c); len(why) == 0 {
			latest = c
			break
		}
	}
	if few, sure := m.clocksLeft(p); few && sure && len(why) == 0 {
		why = append(why, crowdedBy(p.repo))
	}
	if len(why) > 0 {
		m.differ(why[0], "push-taken", "a push to %s is taken, want it refused by %s", p.repo.Owner, strings.Join(why, " or "))
		return
	}
	m.pin(p, latest)
	if !admitted && p.counts {
		p.counts = false
		m.room(p.repo.Identifier).pushing--
	}
	m.touch(p.repo.Identifier)
}

// pin keeps what allows a push until its end. The state and the announcement get a whole life by it, once.
func (m *Model) pin(p *push, latest *entry) {
	r := m.room(p.repo.Identifier)
	add := func(e *entry, extends bool) {
		if e == nil || e.phase != held && e.phase != arriving || slices.Contains(p.pinned, e) {
			return
		}
		p.pinned = append(p.pinned, e)
		r.pins = append(r.pins, e)
		if extends {
			e.pushed = append(e.pushed, m.now)
			if len(p.commands) > 0 { // whether one of nothing counts is left open
				m.step.extend = append(m.step.extend, e)
			}
		}
	}
	for _, c := range p.commands {
		if e := m.entries[strings.TrimPrefix(c.Ref, "refs/nostr/")]; e != nil {
			add(e, false)
		}
	}
	if p.declares() {
		add(latest, true)
		add(r.announced(string(p.repo.Owner)), true)
	}
}

// pushRefused judges a refusal and its reason.
func (m *Model) pushRefused(id core.PushID, prefix, requirement string) {
	p := m.work.pushes[id]
	if p == nil {
		m.differ("INV-22", "push-from-nowhere", "a push is refused that nobody asked for")
		return
	}
	var reasons []string
	for _, c := range m.candidates(p) {
		reasons = append(reasons, m.objections(p, c)...)
	}
	r := m.room(p.repo.Identifier)
	excuse := prefix == "error" && isPlace(p.repo) && m.ailing(r) || // it could not be made
		prefix == "error" && (m.work.closing || r.pushing+r.orders >= waitingMost) ||
		prefix == "rate-limited" && r.pushing+r.orders >= waitingMost
	if few, sure := m.clocksLeft(p); requirement == crowdedBy(p.repo) && (few || !sure) && len(reasons) < len(m.candidates(p)) {
		excuse = true
	}
	if !excuse && !slices.Contains(reasons, requirement) {
		m.differ(requirement, "push-refused", "a push to %s is refused by %s, want it %s", p.repo.Owner, requirement, wanted(reasons))
	}
	m.pushEnds(id)
}

// crowdedBy is the rule by which a push is refused that would leave too many refs below refs/nostr/ to wait for their events.
func crowdedBy(id repo.ID) string {
	if isPlace(id) {
		return "G06-PUSH-01"
	}
	return "G01-PR-09"
}

func wanted(reasons []string) string {
	if len(reasons) == 0 {
		return "taken"
	}
	return "refused by " + strings.Join(reasons, " or ")
}

// mayMove judges refs that the server moves by itself: to what the latest state of an authorized author declares, to the
// commit of a pull request, and away where a pushed ref has waited long enough for its event or has another commit.
func (m *Model) mayMove(u core.UpdateRefs) {
	r, x := m.room(u.Repo.Identifier), m.repository(u.Repo)
	if len(u.Commands) == 0 && u.Head == "" {
		m.differ("INV-22", "moved-nothing", "an order for the repository of %s moves nothing", u.Repo.Owner)
		return
	}
	after := map[string]repo.OID{}
	for _, ref := range x.refs {
		after[ref.Name] = ref.OID
	}
	aligns := u.Head != ""
	for _, c := range u.Commands {
		if is := x.at(c.Ref); !samePlace(c.Old, is) {
			m.differ("INV-22", "moved-from-elsewhere", "%s is moved from %s and is at %s", c.Ref, c.Old, is)
			return
		}
		after[c.Ref] = c.New
		if isDeclarable(c.Ref) {
			aligns = true
		} else {
			m.mayMovePull(u.Repo, x, c)
		}
	}
	if !aligns {
		return
	}
	if m.goesBack(x, after, u.Head) {
		return
	}
	keys := r.set(string(u.Repo.Owner))
	declared := func() bool {
		return slices.ContainsFunc(r.states, func(s *entry) bool {
			return slices.Contains(keys, s.ev.PubKey) && !m.behind(r, &entry{ev: r.owner(u.Repo)}, s) && fits(s, after, x, u.Head)
		})
	}
	theirs := func(e *entry) bool { return e.state && e.d == u.Repo.Identifier && slices.Contains(keys, e.ev.PubKey) }
	if declared() || m.recallsAny(theirs) && declared() { // refs move before a state is served that is judged again
		return
	}
	m.differ("INV-02", "moved-otherwise", "refs of %s are moved to what no latest state declares", u.Repo.Owner)
}

// goesBack reports whether branches, tags and HEAD go where they were before the order that has just been carried out: the state
// for which they moved may have gone in the meantime, and what is refused or counts for nothing has no effect (INV-03, G01-MNT-03).
func (m *Model) goesBack(x *repository, after map[string]repo.OID, head string) bool {
	if m.step.moved != x || cmp.Or(head, x.head) != m.step.head {
		return false
	}
	before := map[string]repo.OID{}
	for _, ref := range m.step.refs {
		before[ref.Name] = ref.OID
	}
	for _, ref := range slices.Concat(x.refs, m.step.refs) {
		if isDeclarable(ref.Name) && !samePlace(after[ref.Name], before[ref.Name]) {
			return false
		}
	}
	return true
}

// fits reports whether refs and HEAD are what a state declares.
func fits(s *entry, refs map[string]repo.OID, x *repository, head string) bool {
	y := &repository{head: x.head}
	for _, ref := range x.refs {
		if _, moved := refs[ref.Name]; moved && !isZero(refs[ref.Name]) {
			y.refs = append(y.refs, repo.Ref{Name: ref.Name, OID: refs[ref.Name]})
		}
	}
	for _, ref := range s.refs {
		if x.at(ref.Name) == "" && refs[ref.Name] == ref.OID {
			y.refs = append(y.refs, ref)
		}
	}
	if head != "" {
		y.head = head
	}
	return aligned(y, s) && y.head == headOf(s, x.head)
}

func (m *Model) mayMovePull(id repo.ID, x *repository, c gitproto.Command) {
	event := strings.TrimPrefix(c.Ref, "refs/nostr/")
	if !isZero(c.New) {
		m.recalls(event) // its ref comes before it is served
	}
	e := m.entries[event]
	known := e != nil && e.pull && e.phase != nowhere
	if !isZero(c.New) {
		if !known || e.commit != c.New || !slices.Contains(m.concerned(e), id) { // nothing comes to a place but by a push
			m.differ("INV-21", "pull-moved", "%s is moved to %s, for which there is no pull request", c.Ref, c.New)
		}
		return
	}
	born, has := x.born(c.Ref)
	switch {
	case known && e.commit != c.Old: // the event wins (REF-PURG-19)
	case known && isPlace(id) && !slices.Contains(e.places, id): // it does not belong there (G06-EV-05)
	case known && e.phase == stored && (slices.Contains(m.concerned(e), id) || slices.Contains(e.places, id)):
		m.differ("INV-01", "pull-removed", "%s is removed, and its pull request is served", c.Ref)
	case has && m.now < after(born, refLife):
		m.differ("G01-PR-07", "pull-removed-early", "%s is removed %v after it was pushed", c.Ref, m.now-born)
	}
}
