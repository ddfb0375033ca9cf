package model

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// A room is all that is about one identifier.
type room struct {
	identifier    string
	mutual        bool                // who lists nobody back counts for nothing (G01-MNT-06)
	announcements []*entry            // held and stored, one of each author, sorted by author
	sets          map[string][]string // those that were asked for since an announcement came or went
	states        []*entry            // arriving, held and stored
	came          []arrival
	pulls         []*entry // arriving, held and stored
	repositories  []*repository
	orders        int        // that are not answered
	fetches       int        // that run
	pushing       int        // pushes that wait to be judged, or run
	pins          []*entry   // what allows pushes that have not ended, or what follows from their ends
	sure          []*entry   // what allows a push that has ended, while the first question behind that is open
	sureOf        repo.ID    // where it was pushed
	lacks         []repo.OID // what is missing, as of the step looked
	looked        int
	places        []source // where it may be, if placed
	placed        bool
	shared        bool            // several have announced it at a time since it was empty
	failed        instant.Instant // when an order last failed
	everFailed    bool
}

// An arrival is when a state of an author came, which may be gone by now.
type arrival struct {
	author string
	at     instant.Instant
}

// cameMost is how many of them are remembered: more than may wait for one repository.
const cameMost = 128

// A repository is what a server has at a path.
type repository struct {
	id     repo.ID
	there  bool
	refs   []repo.Ref
	head   string
	births []birth // of refs below refs/nostr/
	clocks []core.Mark
	unread bool // something failed and the refs could not be read since: nothing is decided here until they are
	// Its announcement has gone at some time: clocks of its refs may have begun anew.
	strange bool
}

// A birth is when a ref came to be, and when an event of its name last went.
type birth struct {
	ref      string
	at       instant.Instant
	orphaned instant.Instant
}

func (m *Model) room(identifier string) *room {
	r := m.rooms[identifier]
	if r == nil {
		r = &room{identifier: identifier, mutual: m.cfg.Rules.Reciprocal}
		m.rooms[identifier] = r
		at, _ := slices.BinarySearch(m.names, identifier)
		m.names = slices.Insert(m.names, at, identifier)
	}
	return r
}

// announced returns the announcement of a key that counts, nil if there is none.
func (r *room) announced(owner string) *entry {
	for _, e := range r.announcements {
		if e.ev.PubKey == owner {
			return e
		}
	}
	return nil
}

// set is the maintainer set of an owner: the owner, whom its announcement lists, whom theirs list, and so on (G01-MNT-01).
func (r *room) set(owner string) []string {
	if r.announced(owner) == nil {
		return nil
	}
	if keys, known := r.sets[owner]; known {
		return keys
	}
	keys := []string{owner}
	for i := 0; i < len(keys); i++ {
		if e := r.announced(keys[i]); e != nil {
			for _, key := range e.maintainers {
				if !slices.Contains(keys, key) && len(keys) < setMost && (!r.mutual || r.lists(key, keys[i])) {
					keys = append(keys, key)
				}
			}
		}
	}
	if r.sets == nil {
		r.sets = map[string][]string{}
	}
	r.sets[owner] = keys
	return keys
}

// lists reports whether the announcement of a key names another one as maintainer.
func (r *room) lists(key, other string) bool {
	e := r.announced(key)
	return e != nil && slices.Contains(e.maintainers, other)
}

// authorizing lists the announcements of this service whose maintainer set holds a key.
func (r *room) authorizing(key string) []*entry {
	var list []*entry
	for _, e := range r.announcements {
		if e.listed && slices.Contains(r.set(e.ev.PubKey), key) {
			list = append(list, e)
		}
	}
	return list
}

// hosted reports whether an owner has a repository here: a held or stored announcement that lists this service.
func (r *room) hosted(owner string) bool {
	e := r.announced(owner)
	return e != nil && e.listed && !e.soft
}

func (m *Model) repository(id repo.ID) *repository {
	r := m.room(id.Identifier)
	for _, x := range r.repositories {
		if x.id == id {
			return x
		}
	}
	x := &repository{id: id}
	r.repositories = append(r.repositories, x)
	slices.SortFunc(r.repositories, func(a, b *repository) int { return strings.Compare(string(a.id.Owner), string(b.id.Owner)) })
	return x
}

// at returns where a ref points to, "" if it is not there.
func (x *repository) at(ref string) repo.OID {
	for _, r := range x.refs {
		if r.Name == ref {
			return r.OID
		}
	}
	return ""
}

// move puts a ref somewhere, or takes it away.
func (x *repository) move(ref string, to repo.OID, now instant.Instant) {
	there := x.at(ref) != ""
	x.refs = slices.DeleteFunc(slices.Clone(x.refs), func(r repo.Ref) bool { return r.Name == ref })
	if !isZero(to) {
		x.refs = append(x.refs, repo.Ref{Name: ref, OID: to})
	}
	if !strings.HasPrefix(ref, "refs/nostr/") {
		return
	}
	if isZero(to) {
		x.births = slices.DeleteFunc(x.births, func(b birth) bool { return b.ref == ref })
	} else if !there {
		x.births = append(x.births, birth{ref, now, now})
	}
}

// orphan notes that a ref has lost its event.
func (x *repository) orphan(ref string, now instant.Instant) {
	for i := range x.births {
		if x.births[i].ref == ref {
			x.births[i].orphaned = now
		}
	}
}

// born says when a ref came to be.
func (x *repository) born(ref string) (instant.Instant, bool) {
	for _, b := range x.births {
		if b.ref == ref {
			return b.at, true
		}
	}
	return 0, false
}

// enter makes an event known, in a phase.
func (m *Model) enter(e *entry, p phase) {
	m.entries[e.ev.ID] = e
	e.phase = p
	if p == held || p == stored && e.announcement {
		m.comes(e)
	}
	m.count(e, 1)
	for _, identifier := range e.rooms() {
		r := m.room(identifier)
		r.sure = nil
		m.touch(identifier)
		switch {
		case e.state:
			r.states = append(r.states, e)
			r.came = append(r.came[max(0, len(r.came)-cameMost):], arrival{e.ev.PubKey, e.arrived})
		case e.pull:
			r.pulls = append(r.pulls, e)
		case p != arriving:
			m.stands(r, e)
		}
	}
	m.keep(e)
}

// stands puts an announcement in the place of an earlier one. One that lists the service no longer withdraws it.
func (m *Model) stands(r *room, e *entry) {
	if old := r.announced(e.ev.PubKey); old != nil && old.listed && !e.listed {
		m.loses(old)
	}
	r.sets = nil
	r.announcements = slices.DeleteFunc(r.announcements, func(x *entry) bool { return x.ev.PubKey == e.ev.PubKey })
	r.announcements = append(r.announcements, e)
	slices.SortFunc(r.announcements, func(a, b *entry) int { return strings.Compare(a.ev.PubKey, b.ev.PubKey) })
	m.succeeds(r, e)
	r.shared = len(r.announcements) > 1 || r.shared && len(r.states)+len(r.pulls) > 0
}

// turns changes the phase of an event.
func (m *Model) turns(e *entry, p phase) {
	m.count(e, -1)
	m.makesRoom(e)
	if e.phase == stored {
		m.unserve(e)
	}
	if e.phase == arriving && (p == held || p == stored && e.announcement) {
		m.comes(e)
	}
	e.phase = p
	if p == stored {
		e.soft = false // its refs may have moved while it became soft
	}
	m.count(e, 1)
	for _, identifier := range e.rooms() {
		m.touch(identifier)
		if e.announcement && (p == held || p == stored) {
			m.stands(m.room(identifier), e)
		}
	}
	m.keep(e)
}

// keep enters a stored event among what is served, and a held one among what has a deadline.
func (m *Model) keep(e *entry) {
	e.since = m.now
	switch e.phase { //nolint:exhaustive // the others are kept nowhere
	case stored:
		at, _ := slices.BinarySearchFunc(m.served, e, order2)
		m.served = slices.Insert(m.served, at, e)
		if a, ok := e.address(); ok {
			m.latest[a] = e
		}
		m.mortal(e)
	case held:
		m.due.Push(e.deadline, e.ev.ID, e)
		m.mortal(e)
	}
}

// mortal enters an event among those that are over by their own word one day.
func (m *Model) mortal(e *entry) {
	if _, expires := expiration(&e.ev); expires && !slices.Contains(m.work.expiring, e) {
		m.work.expiring = append(m.work.expiring, e)
	}
}

func (m *Model) unserve(e *entry) {
	if at, found := slices.BinarySearchFunc(m.served, e, order2); found {
		m.served = slices.Delete(m.served, at, at+1)
	}
	if a, ok := e.address(); ok && m.latest[a] == e {
		delete(m.latest, a)
	}
	m.work.expiring = slices.DeleteFunc(m.work.expiring, func(x *entry) bool { return x == e })
}

// order2 is the order of answers: newest first, then by id (N01-REQ-02).
func order2(a, b *entry) int {
	switch {
	case newer(&a.ev, &b.ev):
		return -1
	case newer(&b.ev, &a.ev):
		return 1
	}
	return 0
}

// leaves forgets an event.
func (m *Model) leaves(e *entry) {
	m.makesRoom(e)
	m.count(e, -1)
	if e.phase == stored {
		m.unserve(e)
	}
	m.work.expiring = slices.DeleteFunc(m.work.expiring, func(x *entry) bool { return x == e })
	e.phase = nowhere
	if m.entries[e.ev.ID] == e {
		delete(m.entries, e.ev.ID)
	}
	is := func(x *entry) bool { return x == e }
	for _, identifier := range e.rooms() {
		r := m.room(identifier)
		m.touch(identifier)
		switch {
		case e.state:
			r.states = slices.DeleteFunc(r.states, is)
		case e.pull:
			r.pulls = slices.DeleteFunc(r.pulls, is)
			for _, x := range r.repositories {
				x.orphan("refs/nostr/"+e.ev.ID, m.now)
			}
		case slices.ContainsFunc(r.announcements, is):
			r.announcements, r.sets = slices.DeleteFunc(r.announcements, is), nil
			m.loses(e)
		}
	}
}

// loses notes that an announcement counts no more, or is one of elsewhere from now on.
func (m *Model) loses(e *entry) {
	m.step.gone = append(m.step.gone, e.d)
	m.step.lost = append(m.step.lost, e)
	m.repository(repo.ID{Owner: repo.PubKey(e.ev.PubKey), Identifier: e.d}).strange = true
}
