package invariant

import (
	"net/url"
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/queue"
)

// A remote is a git host as a server uses it: what it has ordered, and what of that has been seen at the host.
type remote struct {
	name     string
	flying   int                  // fetches that have not ended
	starts   []instant.Instant    // within the window
	seen     int                  // requests under way at the host
	arrivals []instant.Instant    // of requests, within the window
	paused   instant.Instant      // it limits the rate: nothing before
	unsure   instant.Instant      // until then a server may count requests that a crash has undone
	broken   instant.Instant      // it is listed as broken: nothing before
	waiting  queue.Queue[*quarry] // identifiers that may be asked for here, by when they must be
	served   map[string]instant.Instant
}

func (p *pursuit) remoteOf(name string) *remote {
	x := p.remotes[name]
	if x == nil {
		x = &remote{name: name, served: map[string]instant.Instant{}}
		p.remotes[name] = x
		p.busy = append(p.busy, x)
	}
	return x
}

// restart forgets what a server knows no more after a restart. What was asked of the host was asked nevertheless; the
// server knows how often and when last, and may take every request for the last one.
func (x *remote) restart() {
	x.flying, x.paused, x.broken, x.waiting = 0, x.unsure, 0, queue.Queue[*quarry]{}
	clear(x.served)
	for i := range x.starts {
		x.starts[i] = x.starts[len(x.starts)-1]
	}
}

// undo takes back an order that a crash has come before. The server may believe that it was carried out.
func (x *remote) undo(at instant.Instant) {
	if i := slices.Index(x.starts, at); i >= 0 {
		x.starts = slices.Delete(x.starts, i, i+1)
	}
	x.unsure = at.Add(huntWindow)
}

// listed reports whether the host is listed as broken, or was until so lately that it may wait for another attempt.
func (x *remote) listed(now instant.Instant) bool {
	return x.broken > 0 && now <= x.broken.Add(huntBackoffMax+huntSlack)
}

// free reports whether one more request may start.
func (x *remote) free(now instant.Instant, h Hunt) bool {
	return x.flying < h.Concurrent && x.paused <= now && !x.listed(now) && len(recent(x.starts, now, huntWindow)) < h.Rate
}

// recent leaves out what is older than the window.
func recent(list []instant.Instant, now instant.Instant, window time.Duration) []instant.Instant {
	for len(list) > 0 && list[0].Add(window) <= now {
		list = list[1:]
	}
	return list
}

// startFetch checks an order to fetch (INV-30, INV-35, INV-39, INV-40).
func (m *Monitor) startFetch(f core.StartFetch) {
	p, now := m.hunt, m.step.now
	if p == nil {
		return
	}
	u, err := url.Parse(f.URL)
	if err != nil {
		return
	}
	x := p.remoteOf(u.Host)
	g := &flight{id: f.Fetch, into: f.Repo, url: f.URL, at: x, begun: now}
	p.flights[f.Fetch] = g
	p.begun = append(p.begun, g)
	if !m.met(x.broken <= now, "INV-39") {
		m.violated("INV-39", "asked-while-broken", "%s is listed as broken until %d", x.name, x.broken)
	}
	x.flying++
	if !m.met(x.flying <= p.Concurrent, "INV-35") {
		m.violated("INV-35", "too-many-under-way", "%d requests at %s", x.flying, x.name)
	}
	x.starts = append(recent(x.starts, now, huntWindow), now)
	if !m.met(len(x.starts) <= p.Rate, "INV-35") {
		m.violated("INV-35", "too-many-in-a-minute", "%d requests at %s", len(x.starts), x.name)
	}
	question := question{f.Repo.Identifier, f.URL}
	if !m.met(!p.asked[question], "INV-40") {
		m.violated("INV-40", "asked-twice-at-once", "%s at %s", question.identifier, f.URL)
	}
	p.asked[question] = true
	m.pursued(x, f.Repo)
}

// pursued is the rest of the checks of an order to fetch, for identifiers that can be judged.
func (m *Monitor) pursued(x *remote, id repo.ID) {
	p, now := m.hunt, m.step.now
	q := p.quarryOf(id.Identifier)
	if !q.looked || p.touched[q.identifier] { // else it waits for what it has waited for, but for q itself
		m.look(q)
	}
	if oids, _ := m.needed(id.Identifier); len(m.book.owners[id.Identifier]) == 1 { // it may be asked for where nobody has to ask
		m.must(q.needs || len(oids) > 0 || now <= q.met.Add(huntEnds), "INV-30", "hunted-for-nothing", "%s needs nothing since %d", id.Identifier, q.met)
	}
	if last, again := x.served[id.Identifier]; again {
		due, other := x.first(q)
		starved := other != nil && max(due, x.broken.Add(huntBackoffMax+huntSlack)) < last && !x.listed(now)
		m.must(!starved, "INV-40", "starved", "%s is asked for at %s again before %s, which waits since %d",
			id.Identifier, x.name, nameOf(other), due)
	}
	x.served[id.Identifier] = now
	m.unasked()
	m.met(true, "INV-09")
	q.open++
	q.due, q.asked = never, now
	p.wanted.Push(now, q.identifier, q)
	p.turn(id.Identifier)
}

func nameOf(q *quarry) string {
	if q == nil {
		return "nobody"
	}
	return q.identifier
}

// first is the identifier, another one than q, that has waited longest here.
func (x *remote) first(q *quarry) (instant.Instant, *quarry) {
	for {
		top, ok := x.waiting.First()
		if !ok {
			return never, nil
		}
		if w := top.Value; w != q && w.needs && w.open == 0 && w.due == top.At && slices.Contains(w.hosts, x.name) {
			return top.At, w
		}
		x.waiting.Pop()
	}
}

// endFetch takes over the end of a fetch (INV-37).
func (m *Monitor) endFetch(in core.FetchDone) {
	p, now := m.hunt, m.step.now
	if p == nil {
		return
	}
	g := p.flights[in.Fetch]
	if g == nil {
		return
	}
	delete(p.flights, in.Fetch)
	delete(p.asked, question{g.into.Identifier, g.url})
	g.ended = true
	m.must(g.asked && g.left, "INV-37", "ended-and-under-way", "fetch %d at %s", g.id, g.at.name)
	x := g.at
	x.flying--
	switch in.Failure { //nolint:exhaustive // the others say nothing of the host
	case core.FetchNoName, core.FetchNoTrust, core.FetchNoGit:
		if x.broken <= now {
			x.broken = now.Add(huntBrokenLife)
		}
	case core.FetchRateLimited:
		wait := huntPause
		if in.RetryAfter > 0 {
			wait = min(in.RetryAfter, huntPauseMax)
		}
		x.paused = max(x.paused, now.Add(wait))
	}
	p.quarryOf(g.into.Identifier).open--
	p.turn(g.into.Identifier)
}

// Asked says that the request of a fetch leaves for its host.
func (m *Monitor) Asked(now instant.Instant, id core.FetchID) {
	m.step.now = now
	if m.hunt == nil {
		return
	}
	g := m.hunt.flights[id]
	m.must(g != nil && !g.asked, "INV-37", "asked-and-not-open", "fetch %d", id)
	if g == nil {
		return
	}
	g.asked = true
	x, p := g.at, m.hunt
	x.seen++
	m.must(x.seen <= p.Concurrent, "INV-35", "too-many-at-the-host", "%d requests at %s", x.seen, x.name)
	window := huntWindow - p.Flush
	x.arrivals = append(recent(x.arrivals, now, window), now)
	m.must(len(x.arrivals) <= p.Rate, "INV-35", "too-many-at-the-host-in-a-minute", "%d requests at %s", len(x.arrivals), x.name)
}

// Left says that the request of a fetch is over at its host.
func (m *Monitor) Left(now instant.Instant, id core.FetchID) {
	m.step.now = now
	if m.hunt == nil {
		return
	}
	if g := m.hunt.flights[id]; g != nil && g.asked && !g.left {
		g.left = true
		g.at.seen--
	}
}

// unused is INV-29 and INV-36: where a request may start, nobody waits who should have been asked for.
func (m *Monitor) unused() {
	if m.ledger.ending {
		return // nobody begins anything at the end
	}
	p, now := m.hunt, m.step.now
	for _, x := range p.busy {
		if !x.free(now, p.Hunt) {
			continue
		}
		due, q := x.first(nil)
		if q == nil {
			continue
		}
		id, code := "INV-36", "capacity-unused"
		if q.first {
			id, code = "INV-29", "not-started-when-due"
		}
		if !m.met(now <= due.Add(huntSlack), id) {
			m.violated(id, code, "%s waits for %s since %d", q.identifier, x.name, due)
		}
	}
}

// unended is INV-30: every fetch ends.
func (m *Monitor) unended() {
	p, now := m.hunt, m.step.now
	for len(p.begun) > 0 {
		g := p.begun[0]
		late := now > g.begun.Add(huntFetchLife+huntSlack)
		if !g.ended && !late {
			return
		}
		p.begun = p.begun[1:]
		m.must(g.ended, "INV-30", "fetch-without-end", "fetch %d at %s since %d", g.id, g.at.name, g.begun)
	}
}

// may reports whether one of the hosts may be asked.
func (p *pursuit) may(hosts []string, now instant.Instant) bool {
	return slices.ContainsFunc(hosts, func(name string) bool { return !p.remoteOf(name).listed(now) })
}

// unasked is INV-09: whatever needs data is asked for within the bound, if a host may be asked at all.
func (m *Monitor) unasked() {
	p, now := m.hunt, m.step.now
	for {
		top, ok := p.wanted.Due(now.Add(-p.Bound) - 1)
		if !ok {
			return
		}
		q := top.Value
		if !q.needs || q.asked != top.At {
			continue
		}
		m.must(!p.may(q.hosts, now) || q.open > 0, "INV-09", "not-asked-for", "%s needs data since %d", q.identifier, q.asked)
		q.asked = now
		p.wanted.Push(now, q.identifier, q)
	}
}
