package model

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/queue"
)

// What the text says of hunts (REF-HUNT-02, REF-HUNT-05, REF-HUNT-08, REF-HUNT-09, REF-HUNT-24, REF-HUNT-25), and below it
// this project's rules: how many requests one attempt makes, and how long a host is let be that limits the rate.
const (
	userDelay  = 180 * time.Second
	syncDelay  = 500 * time.Millisecond
	atOnceMost = 5
	rateMost   = 30
	rateWindow = 60 * time.Second
	brokenLife = 12 * time.Hour

	fetchLife   = 10 * time.Minute
	attemptMost = 8
	pauseUsual  = time.Minute
	pauseMost   = 10 * time.Minute
)

// A Hunt is how a server hunts; zero is as the text says.
type Hunt struct {
	On                   bool
	UserDelay, SyncDelay time.Duration
	Concurrent, Rate     int
}

// hunt is what is known of who is asked for what.
type hunt struct {
	Hunt

	sites   map[string]*site
	names   []string // of sites, sorted
	preys   map[string]*prey
	dues    queue.Queue[*prey] // by when they are due
	running []*prey            // whose attempts run
	flights []*flight          // in the order of their starts
	fresh   []fresh
	waking  bool // the server has just started, and may try at once what it finds
}

// A fresh is something new that came for an identifier in this step.
type fresh struct {
	identifier string
	delay      time.Duration
}

// A flight is one request that has been ordered and has not ended.
type flight struct {
	id       core.FetchID
	into     repo.ID
	url      string
	oids     []repo.OID
	at       *site
	prey     *prey // nil if nobody waits for it any more
	item     *item // whose turn at the site it is, nil in an attempt
	began    instant.Instant
	canceled bool
}

func newHunt(h Hunt) hunt {
	h.UserDelay, h.SyncDelay = cmp.Or(h.UserDelay, userDelay), cmp.Or(h.SyncDelay, syncDelay)
	h.Concurrent, h.Rate = cmp.Or(h.Concurrent, atOnceMost), cmp.Or(h.Rate, rateMost)
	return hunt{Hunt: h, sites: map[string]*site{}, preys: map[string]*prey{}}
}

// restarted forgets what a server forgets. What hosts were asked they were asked nevertheless: of a host that the server
// remembers, what is not later than that; of another one nothing can be said, as a crash may have come before the order.
func (h *hunt) restarted(marks []core.Mark) {
	h.preys, h.dues, h.running = map[string]*prey{}, queue.Queue[*prey]{}, nil
	h.flights, h.fresh, h.waking = nil, nil, true
	for _, name := range h.names {
		x := h.sites[name]
		x.flying, x.paused, x.broken, x.items, x.felt, x.roomy = 0, 0, 0, nil, nil, true
		known := instant.Instant(0)
		for _, mark := range marks {
			if mark.Kind == markAsked && mark.Host == name {
				known = mark.At
				x.felt = slices.Repeat([]instant.Instant{mark.At}, min(mark.Count, h.Rate))
			}
		}
		x.starts = slices.DeleteFunc(x.starts, func(at instant.Instant) bool { return at > max(known, x.ended) })
	}
}

// comes notes something new: an event that is held, or an announcement, which may name other hosts (REF-HUNT-04). What a start
// finds is hunted without delay (REF-PURG-17).
func (m *Model) comes(e *entry) {
	delay := m.hunt.UserDelay
	switch {
	case m.step.first:
		delay = 0
	case e.synced:
		delay = m.hunt.SyncDelay
	}
	for _, identifier := range e.identifiers() {
		m.hunt.fresh = append(m.hunt.fresh, fresh{identifier, delay})
	}
}

// asks judges one request.
func (m *Model) asks(in core.StartFetch) {
	if !m.hunt.On {
		return
	}
	m.renew()
	r, name := m.room(in.Repo.Identifier), hostOf(in.URL)
	x := m.hunt.site(name)
	f := &flight{id: in.Fetch, into: in.Repo, url: in.URL, oids: in.OIDs, at: x, began: m.now}
	m.withinBudget(f)
	if k := m.marks.now[markName{kind: markAsked, host: name}]; k.Kind == 0 || k.At != m.now {
		m.differ("REF-HUNT-09", "not-marked", "%s is asked, and that is not remembered before", name)
	}
	switch p := m.hunt.preys[in.Repo.Identifier]; {
	case p == nil && (m.hunt.waking || m.pending(r)):
		p = m.hunt.prey(r.identifier, m.now, false)
		m.takesTurn(p, f)
	case p == nil && r.busy():
	case p == nil:
		m.differ("REF-HUNT-26", "hunted-for-nothing", "%s is asked for %s, which needs nothing", in.URL, r.identifier)
	default:
		m.takesTurn(p, f)
	}
	x.flying++
	x.starts, x.felt = append(x.starts, m.now), append(x.felt, m.now)
	m.hunt.flights = append(m.hunt.flights, f)
	m.whatIsAsked(r, f)
}

// whatIsAsked judges where a request goes and which objects it names (REF-HUNT-07, REF-HUNT-15, REF-HUNT-16, REF-HUNT-19).
func (m *Model) whatIsAsked(r *room, f *flight) {
	if !slices.ContainsFunc(m.places(r), func(s source) bool { return s.url == f.url || !s.sure && alike(s.url, f.url) }) {
		m.differ("REF-HUNT-15", "asked-elsewhere", "%s is asked for %s, which nobody names or which is the own service", f.url, r.identifier)
		return
	}
	declared, missing, asked := map[repo.OID]bool{}, map[repo.OID]bool{}, map[repo.OID]bool{}
	for _, oid := range m.declared(r, f.into) {
		declared[oid] = true
	}
	if m.Missing != nil {
		for _, oid := range m.lacks(f.into, f.oids) {
			missing[oid] = true
		}
	}
	for _, oid := range f.oids {
		asked[oid] = true
		there := m.Missing != nil && !missing[oid]
		switch {
		case !declared[oid]:
			m.differ("REF-HUNT-07", "asked-unneeded", "%s is asked for %s, which no event needs that waits for the repository of %s",
				f.url, oid, f.into.Owner)
			return
		case there && r.plain() && (!r.busy() || f.prey != nil && f.prey.got[oid]): // else a sibling may have brought it just now
			m.differ("REF-HUNT-16", "asked-again", "%s is asked for %s, which the repository has", f.url, oid)
			return
		}
	}
	if f.prey == nil || r.busy() || m.hunt.waking {
		return
	}
	for _, oid := range f.prey.lacks(m.lacking(r), f.url) {
		if !asked[oid] {
			m.differ("REF-HUNT-16", "not-asked-whole", "%s is not asked for %s, which is missing, too", f.url, oid)
			return
		}
	}
}

// canceled notes that a request is to end.
func (m *Model) canceled(id core.FetchID) {
	m.renew()
	for _, f := range m.hunt.flights {
		if f.id == id {
			m.endsTooSoon(f)
			f.canceled = true
			if m.now < after(f.began, fetchLife) { // else its end is waited for
				m.left(f)
			}
		}
	}
}

// endsTooSoon judges that a request is not ended by which something is to come that is missing: of a source that its repository still names,
// for a life that is not over (REF-HUNT-26).
func (m *Model) endsTooSoon(f *flight) {
	r := m.room(f.into.Identifier)
	if m.now >= after(f.began, fetchLife) || f.prey == nil || f.canceled || m.work.closing || r.busy() || !r.plain() || m.hunt.waking {
		return
	}
	names := func(s source) bool { return s.sure && s.url == f.url }
	lacking, declared := m.lacking(r), m.declared(r, f.into)
	missing := func(oid repo.OID) bool { return slices.Contains(lacking, oid) && slices.Contains(declared, oid) }
	if slices.ContainsFunc(m.places(r), names) && slices.ContainsFunc(f.oids, missing) {
		m.differ("REF-HUNT-26", "ended-too-soon", "%s is asked for %s no more, which lacks something of that still", f.url, r.identifier)
	}
}

// left says that nobody waits for a request any more: an attempt goes on with its next source, and an identifier in the queue
// of the host waits for its next turn there, if there is something left to ask.
func (m *Model) left(f *flight) {
	if f.prey != nil && f.prey.main == f {
		f.prey.main = nil
	}
	if i := f.item; i != nil {
		r := m.room(i.prey.identifier)
		left := m.untried(r, i, false)
		i.vague = i.vague || !left // what a push has brought the server sees when it has looked
		if i.flight = nil; f.at.broken > m.now || !left && !r.busy() {
			i.remove()
		}
	}
	f.prey, f.item = nil, nil
}

// brings takes over how a request ended.
func (m *Model) brings(in core.FetchDone) {
	at := slices.IndexFunc(m.hunt.flights, func(f *flight) bool { return f.id == in.Fetch })
	if at < 0 {
		return
	}
	f := m.hunt.flights[at]
	m.hunt.flights = slices.Delete(m.hunt.flights, at, at+1)
	x := f.at
	x.flying--
	x.ended = max(x.ended, f.began)
	switch in.Failure { //nolint:exhaustive // the others say nothing of the host
	case core.FetchNoName, core.FetchNoTrust, core.FetchNoGit:
		if x.broken <= m.now {
			x.broken = after(m.now, brokenLife)
			x.abandon()
		}
	case core.FetchRateLimited:
		wait := in.RetryAfter
		if wait <= 0 {
			wait = pauseUsual
		}
		x.paused = max(x.paused, after(m.now, min(wait, pauseMost)))
	}
	if p := m.hunt.preys[f.into.Identifier]; p != nil {
		p.ended = m.checks
	}
	if p := f.prey; p != nil {
		m.brought(p, f, in)
	}
	m.left(f)
}

// brought takes over what a source has given. One that refuses some objects by name may be asked for the others (REF-HUNT-16).
func (m *Model) brought(p *prey, f *flight, in core.FetchDone) {
	var lacks, rest []repo.OID
	for _, oid := range f.oids {
		if slices.Contains(in.Missing, oid) {
			lacks = append(lacks, oid)
		} else {
			rest = append(rest, oid)
		}
	}
	switch {
	case in.Got:
		for _, oid := range rest {
			p.got[oid] = true
		}
		delete(p.refused, f.url)
	case in.Failure == core.FetchNotOurs && len(lacks) > 0 && len(rest) > 0:
		p.refused[f.url] = append(p.refused[f.url], lacks...)
		delete(p.tried, f.url)
		delete(p.seen, f.url)
		for _, i := range p.items {
			m.doubts(m.room(p.identifier), i)
			delete(i.tried, f.url)
			delete(i.maybe, f.url)
			i.passed = 0
		}
	default:
		delete(p.refused, f.url)
	}
}

// renew takes over what a step has changed in what is needed. Who is asked in a step, and no more, follows from all of it: what comes
// in the step in which an attempt begins has come before it.
func (m *Model) renew() {
	for _, identifier := range m.step.touched {
		m.needs(m.room(identifier))
	}
	for _, n := range m.hunt.fresh {
		m.enqueue(m.room(n.identifier), n.delay)
	}
	m.hunt.fresh = m.hunt.fresh[:0]
}

// hunted judges at the end of a step what had to be asked in it.
func (m *Model) hunted() {
	h := &m.hunt
	if !h.On || m.work.closing {
		return
	}
	m.renew()
	m.attempts()
	for _, name := range h.names {
		x := h.sites[name]
		m.launched(x)
		x.roomy = m.capacity(x)
	}
	m.useless()
	h.waking = h.waking && len(m.work.orders)+len(m.work.pushes) > 0
}

// useless judges that no request runs on for what is not needed any more (REF-HUNT-26).
func (m *Model) useless() {
	for _, f := range m.hunt.flights {
		r := m.room(f.into.Identifier)
		if f.canceled || !r.plain() || r.busy() || !slices.Contains(m.step.touched, r.identifier) {
			continue
		}
		lacking := m.lacking(r)
		if !slices.ContainsFunc(f.oids, func(oid repo.OID) bool { return slices.Contains(lacking, oid) }) {
			m.differ("REF-HUNT-26", "not-canceled", "%s is still asked for %s, which needs nothing of that", f.url, r.identifier)
			return
		}
	}
}

// overslept judges at the begin of a step that nothing had to happen since the last one.
func (m *Model) overslept() {
	h := &m.hunt
	if !h.On || m.work.closing {
		return
	}
	for {
		due, ok := h.dues.Due(m.now - 1)
		if !ok {
			break
		}
		if p := due.Value; h.preys[p.identifier] == p && !p.busy && p.due == due.At {
			if r := m.room(p.identifier); p.sure && p.low == p.due && r.plain() && !r.busy() && m.huntable(r) {
				m.differ("REF-HUNT-05", "hunted-late", "%s was due at %d and nothing was asked", p.identifier, p.due)
			}
			m.unsure(p)
		}
	}
	for _, name := range h.names {
		if x := h.sites[name]; x.flying < h.Concurrent && h.frees(x) < m.now && slices.ContainsFunc(x.items, m.eligible) {
			m.differ("REF-HUNT-10", "woken-late", "%s could be asked since %d and was not", name, h.frees(x))
		}
	}
	for _, f := range h.flights {
		if !f.canceled && m.now > after(f.began, fetchLife) {
			m.differ("REF-HUNT-24", "without-end", "%s is asked for %s since %d", f.url, f.into.Identifier, f.began)
		}
	}
}

// hostOf is the place of a URL that has a budget.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}
