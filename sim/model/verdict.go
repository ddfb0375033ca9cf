package model

import (
	"slices"
	"strconv"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// An outcome is one way in which an event may be answered, and what it becomes.
type outcome struct {
	accepted bool
	prefix   string // of the text; "" is an empty text
	becomes  phase
}

// A want is an answer that is due in this step.
type want struct {
	conn     core.ConnID
	id       string
	e        *entry
	outs     []outcome
	answered bool
	may      bool // it may be let be as well: nobody is told
}

const textHeld = "purgatory: won't be served until git data arrives" // G01-PURG-01, D-6

var (
	outStored    = outcome{true, "", stored}
	outHeld      = outcome{true, "purgatory:", held}
	outDuplicate = outcome{true, "duplicate:", nowhere}
	outInvalid   = outcome{false, "invalid:", nowhere}
	outBlocked   = outcome{false, "blocked:", nowhere}
	outNewer     = outcome{false, "duplicate:", nowhere}
	outNotYours  = outcome{false, "restricted:", nowhere}
	outMute      = outcome{false, "auth-required:", nowhere}
	outCrowded   = outcome{false, "rate-limited:", nowhere}
	outFull      = outcome{false, "error:", nowhere}
)

// later is the verdict on an event whose answer may take until the shell has looked.
var later = []outcome(nil)

// arrive takes an event that a client has sent, or that was got from another server (conn is 0).
func (m *Model) arrive(conn core.ConnID, ev *nostr.Event, idOK, sigOK bool) {
	if conn == 0 || m.clients.has(conn) {
		m.takes(conn, ev, idOK && sigOK, false)
	}
}

// takes is arrive, with a word on whether the event may be let be.
func (m *Model) takes(conn core.ConnID, ev *nostr.Event, genuine, may bool) {
	known := m.entries[ev.ID]
	e, wrong := m.read(ev)
	e.synced, e.unsure = conn == 0, may
	outs := m.verdict(conn, e, wrong, genuine, known)
	if conn == 0 && m.outOfTime(ev.ID, m.now) {
		outs = []outcome{outInvalid}
	}
	switch {
	case len(outs) > 0:
		m.step.wants = append(m.step.wants, want{conn: conn, id: ev.ID, e: e, outs: outs, may: may})
		if known == nil {
			m.entries[ev.ID] = e // until the end of the step, so that what becomes of it is found
		}
	case known != nil:
		if conn != 0 && len(known.waits) < waitingMost {
			known.waits = append(known.waits, conn)
		}
	default:
		if e.synced {
			outs, _ := m.crowded(e)
			e.unsure = may || len(outs) > 0
		}
		m.enter(e, arriving)
		if conn != 0 {
			e.waits = append(e.waits, conn)
		}
	}
	if slices.Contains(outs, outcome{true, "", passing}) {
		m.step.liveDue = m.clients.wanting(m.step.liveDue, e)
		e.phase = passing
		if m.work.searches > 0 {
			m.work.passed = append(m.work.passed, e)
		}
	}
}

// verdict says how an event is answered in this step; no outcome means that the shell has to look first.
func (m *Model) verdict(conn core.ConnID, e *entry, wrong string, genuine bool, known *entry) []outcome {
	ev := &e.ev
	one := func(o outcome) []outcome { return []outcome{o} }
	switch {
	case !genuine, m.outlived(ev):
		return one(outInvalid)
	case !m.works(ev):
		return one(outWork)
	case conn != 0 && isProtected(ev) && !m.clients.is(conn, ev.PubKey):
		if len(m.clients.byConn[conn].keys) > 0 {
			return one(outNotYours)
		}
		m.step.proves = m.clients.byConn[conn]
		return one(outMute)
	case conn == 0 && isProtected(ev):
		return one(outNotYours)
	case known != nil && known.phase == stored:
		return one(outDuplicate)
	case m.tombs.cover(ev) || m.sunk(e):
		return one(outBlocked)
	case m.barred(e) != nil:
		return m.barred(e)
	case known != nil && known.phase == arriving:
		return later
	case known != nil && known.phase == held:
		return one(outDuplicate)
	case wrong != "":
		return one(outInvalid)
	}
	switch {
	case e.announcement:
		return m.announcementVerdict(e)
	case e.state:
		return m.stateVerdict(e)
	case e.pull:
		return m.pullVerdict(e)
	case ev.Kind == 5 || ev.Kind == 62 && m.vanishes(ev):
		if !m.remembers(e) {
			return one(outCrowded)
		}
		return m.saving(e)
	case ev.Kind == 22242 || !m.related(ev):
		return one(outInvalid)
	case ev.Kind >= 20000 && ev.Kind < 30000:
		return one(outcome{true, "", passing})
	}
	return m.saving(e)
}

// saving is the verdict on an event that needs nothing but room.
func (m *Model) saving(e *entry) []outcome {
	may, must := m.tooHeavy(e)
	if a, ok := e.address(); ok && m.latest[a] != nil {
		if !newer(&e.ev, &m.latest[a].ev) {
			return []outcome{outNewer}
		}
	} else {
		mayLack, lacks := m.lacksRoom()
		may, must = may || mayLack, must || lacks
	}
	switch {
	case must:
		return []outcome{outFull}
	case may:
		return []outcome{outStored, outFull}
	}
	return []outcome{outStored}
}

// lacksRoom reports whether the store may be full, and whether it certainly is. Of the room there an event that waits for its answer may
// count twice.
func (m *Model) lacksRoom() (may, certain bool) {
	all := len(m.served) + m.held + m.coming
	return all+m.coming >= m.cfg.Stored, all-m.guesses.entries >= m.cfg.Stored
}

// crowded returns in which ways an event may be kept out of purgatory (G01-PURG-23), and whether one of them is certain.
func (m *Model) crowded(e *entry) (outs []outcome, certain bool) {
	limited := func(o outcome, may, must bool) {
		if may {
			outs = append(outs, o)
		}
		certain = certain || must
	}
	reached := func(n, guessed, limit int) { limited(outCrowded, n >= limit, n-guessed >= limit) }
	reached(m.activeOf[e.ev.PubKey].count(), m.guesses.of[e.ev.PubKey].count(), m.cfg.HeldPerKey)
	reached(m.active.entries, m.guesses.entries-m.guesses.announcing, m.cfg.Held)
	reached(m.coming, m.guesses.entries, arrivingMost)
	if a, ok := e.address(); !ok || m.latest[a] == nil {
		may, must := m.lacksRoom()
		limited(outFull, may, must)
	}
	may, must := m.tooHeavy(e)
	limited(outFull, may, must)
	may, must = m.weighs(e, nil)
	limited(outCrowded, may, must)
	return outs, certain
}

func (m *Model) announcementVerdict(e *entry) []outcome {
	r := m.room(e.d)
	there := r.announced(e.ev.PubKey)
	vouched, served := m.vouched(r, e)
	crowd, certain := m.crowded(e)
	switch {
	case !e.listed && there == nil && !vouched && m.cfg.Rules.ReadOnly:
		return []outcome{outUnasked}
	case !e.listed && there == nil && !vouched:
		return []outcome{outInvalid}
	case there != nil && !newer(&e.ev, &there.ev) && there.phase == stored:
		return []outcome{outNewer}
	case there != nil && !newer(&e.ev, &there.ev):
		return []outcome{outDuplicate}
	case there != nil && there.phase == stored:
		return m.saving(e)
	case there != nil && (!e.listed || there.listed && !there.soft):
		if there.soft && certain {
			return crowd
		}
		if there.soft {
			return append(crowd, outHeld)
		}
		switch may, must := m.weighs(e, there); {
		case must:
			return []outcome{outCrowded}
		case may:
			return []outcome{outHeld, outCrowded}
		}
		return []outcome{outHeld}
	case certain:
		return crowd
	case e.listed: // its repository is made first, or found
		return later
	case served:
		return append(m.saving(e), crowd...)
	}
	return append(crowd, outHeld)
}

// vouched reports whether the maintainer set of somebody else's announcement holds the author, and of one that is served. Where
// maintainers have to list each other, it is asked of the set that there is once the announcement is taken.
func (m *Model) vouched(r *room, e *entry) (vouched, served bool) {
	then := *r
	then.sets = nil
	if r.mutual {
		then.announcements = slices.DeleteFunc(slices.Clone(r.announcements), func(a *entry) bool { return a.ev.PubKey == e.ev.PubKey })
		then.announcements = append(then.announcements, e)
	}
	for _, a := range r.announcements {
		if a.ev.PubKey != e.ev.PubKey && a.listed && slices.Contains(then.set(a.ev.PubKey), e.ev.PubKey) {
			vouched = true
			served = served || a.phase == stored
		}
	}
	return vouched, served
}

func (m *Model) stateVerdict(e *entry) []outcome {
	r := m.room(e.d)
	crowd, certain := m.crowded(e)
	listed := slices.ContainsFunc(r.announcements, func(a *entry) bool { return a.listed })
	switch {
	case !listed:
		return []outcome{outInvalid}
	case len(r.authorizing(e.ev.PubKey)) == 0:
		return []outcome{outNotYours, outInvalid}
	case m.overtaken(e):
		return []outcome{outNewer}
	case certain:
		return crowd
	}
	return later
}

// overtaken reports whether a state of the same author is stored that is newer.
func (m *Model) overtaken(e *entry) bool {
	kept := m.latest[address{30618, e.ev.PubKey, e.d}]
	return kept != nil && !newer(&e.ev, &kept.ev)
}

func (m *Model) pullVerdict(e *entry) []outcome {
	crowd, certain := m.crowded(e)
	switch {
	case len(m.concerned(e))+len(e.places) == 0:
		return []outcome{outInvalid}
	case certain:
		return crowd
	}
	return later
}

// concerned lists the repositories that a pull request is for: those with a served announcement of an identifier that it
// names, whose maintainer set holds the key that it names (G01-PR-14).
func (m *Model) concerned(e *entry) []repo.ID {
	var list []repo.ID
	for _, named := range e.repos {
		r := m.rooms[named.Identifier]
		if r == nil {
			continue
		}
		for _, a := range r.announcements {
			id := repo.ID{Owner: repo.PubKey(a.ev.PubKey), Identifier: named.Identifier}
			if a.phase == stored && a.listed && !slices.Contains(list, id) && slices.Contains(r.set(a.ev.PubKey), string(named.Owner)) {
				list = append(list, id)
			}
		}
	}
	return list
}

// roots reports whether an event of a kind makes what refers to it acceptable: not one that anybody may store (INV-27).
func roots(kind int) bool { return kind != 5 && kind != 62 && kind != 10317 }

// related reports whether an event refers to a stored one of the accepted graph, or is referred to by one.
func (m *Model) related(ev *nostr.Event) bool {
	if ev.Kind == 10317 {
		return true
	}
	at := func(value string) bool {
		kind, author, d, ok := coordinate(value)
		n, err := strconv.Atoi(kind)
		if !ok || err != nil || !roots(n) {
			return false
		}
		if n < 30000 || n >= 40000 {
			d = ""
		}
		return m.latest[address{n, author, d}] != nil
	}
	of := func(id string) bool {
		e := m.entries[id]
		return e != nil && e.phase == stored && roots(e.ev.Kind)
	}
	for _, tag := range ev.Tags {
		if len(tag) < 2 {
			continue
		}
		switch tag[0] {
		case "a", "A":
			if at(tag[1]) {
				return true
			}
		case "e", "E":
			if of(tag[1]) {
				return true
			}
		case "q":
			if at(tag[1]) || of(tag[1]) {
				return true
			}
		}
	}
	return slices.ContainsFunc(m.served, func(e *entry) bool {
		return roots(e.ev.Kind) && slices.ContainsFunc(e.ev.Tags, func(t nostr.Tag) bool {
			return len(t) > 1 && (t[0] == "e" || t[0] == "E" || t[0] == "q") && t[1] == ev.ID
		})
	})
}

func isProtected(ev *nostr.Event) bool {
	return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 0 && t[0] == "-" })
}

// expiration is the second from which on an event is over by its own word (NIP-40).
func expiration(ev *nostr.Event) (int64, bool) {
	for _, tag := range ev.Tags {
		if len(tag) > 1 && tag[0] == "expiration" {
			at, err := strconv.ParseUint(tag[1], 10, 63)
			return int64(at), err == nil && at <= 1<<33
		}
	}
	return 0, false
}

func (m *Model) outlived(ev *nostr.Event) bool {
	at, expires := expiration(ev)
	return expires && at <= int64((time.Duration(m.now)+m.work.ahead)/time.Second)
}
