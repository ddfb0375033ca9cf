package model

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// found lists what an answer to filters holds: of each the newest, up to its limit, all of them in one order.
func (m *Model) found(filters []relay.Filter, limited bool) []*entry {
	if len(filters) == 1 {
		return m.foundBy(&filters[0], limited)
	}
	var list []*entry
	for i := range filters {
		for _, e := range m.foundBy(&filters[i], limited) {
			if !slices.Contains(list, e) {
				list = append(list, e)
			}
		}
	}
	slices.SortFunc(list, order2)
	return list
}

func (m *Model) foundBy(f *relay.Filter, limited bool) []*entry {
	most := max(queryMost, len(f.IDs))
	if f.Limit != nil {
		most = *f.Limit
	}
	most = min(most, limitMost)
	var list []*entry
	for _, e := range m.served {
		if limited && len(list) >= most {
			break
		}
		if matches(f, &e.ev) {
			list = append(list, e)
		}
	}
	return list
}

// asked takes a REQ: it takes the place of a subscription of the same name (N01-REQ-03).
func (m *Model) asked(conn core.ConnID, req relay.Req) {
	x := m.clients.byConn[conn]
	if x == nil {
		return
	}
	if s := m.clients.find(conn, req.Sub); s != nil {
		s.filters, s.searching = req.Filters, false
	} else {
		x.subs = append(x.subs, &sub{name: req.Sub, filters: req.Filters})
	}
	m.step.question = &question{conn: conn, sub: req.Sub, filters: req.Filters}
}

func (m *Model) counted(conn core.ConnID, req relay.Count) {
	if m.clients.has(conn) {
		m.step.question = &question{conn: conn, sub: req.Sub, filters: req.Filters, count: true}
	}
}

// searched notes that a question takes longer than a step.
func (m *Model) searched() { m.postpone() }

func (m *Model) postpone() {
	q := m.step.question
	switch {
	case q == nil || q.late:
		return
	case q.count:
		m.clients.counts = append(m.clients.counts, count{q.conn, q.sub, q.filters})
	default:
		m.clients.find(q.conn, q.sub).searching = true
	}
	m.step.question = nil
}

// sent judges a message to a client.
func (m *Model) sent(conn core.ConnID, msg relay.ServerMessage) {
	if !m.clients.has(conn) {
		m.differ("N01-WS-01", "sent-to-nobody", "a message is sent on connection %d, which is not open", conn)
		return
	}
	if m.shutBefore(conn, msg) {
		return
	}
	q := m.step.question
	switch msg := msg.(type) {
	case relay.OK:
		m.answer(conn, msg)
	case relay.EventFor:
		m.content(msg)
		if s := m.clients.find(conn, msg.Sub); q == nil && s != nil && s.searching {
			q = &question{conn: conn, sub: msg.Sub, filters: s.filters, late: true}
			m.step.question = q
		}
		switch {
		case q != nil && !q.count && q.conn == conn && q.sub == msg.Sub && !q.done:
			q.got = append(q.got, msg.Event)
		case q != nil && q.late && q.conn == conn && q.sub == msg.Sub:
			q.after = append(q.after, msg.Event)
		default:
			m.step.live = append(m.step.live, delivery{conn, msg.Sub, msg.Event.ID})
		}
	case relay.EOSE:
		if s := m.clients.find(conn, msg.Sub); q == nil && s != nil && s.searching {
			q = &question{conn: conn, sub: msg.Sub, filters: s.filters, late: true}
			m.step.question = q
		}
		if q == nil || q.count || q.done || q.conn != conn || q.sub != msg.Sub {
			m.differ("N01-REQ-01", "unasked-eose", "connection %d is told EOSE of %q, which did not ask", conn, msg.Sub)
			return
		}
		q.done = true
	case relay.Counted:
		m.countAnswered(conn, msg)
	case relay.Closed:
		m.refused(conn, msg)
	case relay.Challenge:
		m.challenged(conn, msg)
	case relay.NegAnswer:
		m.told(conn, msg)
	case relay.NegError:
		m.toldOff(conn, msg)
	}
}

// content judges that an event is served, and is what was published, to the last byte.
func (m *Model) content(msg relay.EventFor) {
	e := m.entries[msg.Event.ID]
	if e == nil {
		for _, x := range m.work.passed {
			if x.ev.ID == msg.Event.ID {
				e = x
			}
		}
	}
	switch {
	case e == nil || e.phase != stored && e.phase != passing:
		m.differ("G01-PURG-05", "unserved", "event %s is sent to %q and is not served", msg.Event.ID, msg.Sub)
	case !same(&e.ev, msg.Event):
		m.differ("G01-ANN-20", "altered", "event %s is sent to %q and is not what was published", msg.Event.ID, msg.Sub)
	}
}

func (m *Model) countAnswered(conn core.ConnID, msg relay.Counted) {
	q := m.step.question
	if q != nil && q.count && q.conn == conn && q.sub == msg.Sub {
		q.done = true
		if n := len(m.found(q.filters, false)); n != msg.Count {
			m.differ("N01-CNT-01", "count", "%q is told that there are %d events, want %d", msg.Sub, msg.Count, n)
		}
		return
	}
	at := slices.IndexFunc(m.clients.counts, func(c count) bool { return c.conn == conn && c.sub == msg.Sub })
	if at < 0 {
		m.differ("N01-CNT-01", "unasked-count", "connection %d is told a count for %q, which did not ask", conn, msg.Sub)
		return
	}
	m.clients.counts = slices.Delete(m.clients.counts, at, at+1) // of some moment since then
}

// refused judges that a question is refused for a reason that there may be.
func (m *Model) refused(conn core.ConnID, msg relay.Closed) {
	q := m.step.question
	s := m.clients.find(conn, msg.Sub)
	mine := q != nil && q.conn == conn && q.sub == msg.Sub
	waits := slices.ContainsFunc(m.clients.counts, func(c count) bool { return c.conn == conn && c.sub == msg.Sub })
	many := m.clients.has(conn) && len(m.clients.byConn[conn].subs) > subsMost
	switch {
	case !isPrefixed(msg.Text):
		m.differ("N01-EV-01", "no-prefix", "%q is closed with %q, which begins with no prefix of NIP-01", msg.Sub, msg.Text)
	case s == nil && !mine && !waits:
		m.differ("N01-REQ-03", "closed-nothing", "%q is closed and was not open", msg.Sub)
	case mine && !many && !m.large(q.filters) || !mine && !waits && !s.searching:
		m.differ("N01-REQ-01", "closed", "%q is closed with %q, want it served", msg.Sub, msg.Text)
	}
	if mine {
		q.done = true
		m.step.question = nil
	}
	if !mine || !q.count {
		m.clients.close(conn, msg.Sub)
	}
}

// large reports whether filters are so large that they may be refused.
func (m *Model) large(filters []relay.Filter) bool {
	n := 0
	for _, f := range filters {
		n += len(f.IDs) + len(f.Authors) + len(f.Kinds)
		for _, t := range f.Tags {
			n += len(t.Values)
		}
	}
	return n > 1_000
}

// undelivered judges the answer to a question and what subscriptions were sent: exactly what they must be.
func (m *Model) undelivered() {
	if q := m.step.question; q != nil {
		m.questionEnds(q)
	}
	for _, d := range m.step.live {
		at := slices.Index(m.step.liveDue, d)
		if at < 0 {
			m.differ("N01-REQ-01", "sent-unasked", "event %s is sent to %q of connection %d, which did not ask for it, or once more",
				d.id, d.sub, d.conn)
			return
		}
		m.step.liveDue = slices.Delete(m.step.liveDue, at, at+1)
	}
	for _, d := range m.step.liveDue {
		m.differ("G01-PURG-08", "not-sent", "event %s became served and is not sent to %q of connection %d, which asks for it",
			d.id, d.sub, d.conn)
		return
	}
}

func (m *Model) questionEnds(q *question) {
	switch {
	case q.late && q.done:
		m.lateFound(q)
	case q.late:
		m.differ("N01-REQ-01", "no-eose", "%q of connection %d got events and no EOSE", q.sub, q.conn)
	case !q.done && m.work.searches > 0 && len(q.got) == 0:
		m.postpone() // it waits for its turn
	case !q.done:
		m.differ("N01-REQ-01", "no-eose", "%q of connection %d is not answered to its end", q.sub, q.conn)
	case q.count:
	default:
		want := m.found(q.filters, true)
		if len(want) != len(q.got) {
			m.differ("N01-REQ-01", "other-number", "%q is answered with %d events, want %d", q.sub, len(q.got), len(want))
			return
		}
		for i, e := range want {
			if e.ev.ID != q.got[i].ID {
				m.differ("N01-REQ-02", "other-order", "%q is answered with event %s at place %d, want %s", q.sub, q.got[i].ID, i, e.ev.ID)
				return
			}
		}
	}
}

// repeated reports whether the last of the events of an answer is in it more often than it may be: once, and one that is passed on
// as often as it came while the answer was looked for.
func (m *Model) repeated(all []*nostr.Event) bool {
	last, copies, may := all[len(all)-1], 0, 0
	for _, ev := range all {
		if ev.ID == last.ID {
			copies++
		}
	}
	for _, e := range m.work.passed {
		if e.ev.ID == last.ID {
			may++
		}
	}
	return copies > max(1, may)
}

// lateFound judges an answer that took longer than a step: what matched when it was asked and matches now is in it, nothing
// that does not, each event once, the first part in order.
func (m *Model) lateFound(q *question) {
	if s := m.clients.find(q.conn, q.sub); s != nil {
		s.searching = false
	}
	all := slices.Concat(q.got, q.after)
	for i, ev := range all {
		if !anyMatches(q.filters, ev) || m.repeated(all[:i+1]) {
			m.differ("N01-REQ-01", "late-other", "%q is answered with event %s, which does not match, or twice", q.sub, ev.ID)
			return
		}
		if i > 0 && i < len(q.got) && !newer(all[i-1], ev) {
			m.differ("N01-REQ-02", "late-order", "%q is answered with event %s out of order", q.sub, ev.ID)
			return
		}
	}
	if slices.ContainsFunc(q.filters, func(f relay.Filter) bool { return f.Limit != nil }) || len(all) >= queryMost {
		return
	}
	for _, e := range m.found(q.filters, false) {
		if !slices.ContainsFunc(all, func(x *nostr.Event) bool { return x.ID == e.ev.ID }) {
			m.differ("N01-REQ-01", "late-lacks", "%q is answered without event %s", q.sub, e.ev.ID)
			return
		}
	}
}
