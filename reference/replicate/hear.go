package replicate

import (
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// Said takes a message of a relay. Good says, of an event, that its id and its signature fit.
func (m *Machine) Said(now instant.Instant, peer PeerID, msg relay.ServerMessage, good bool) {
	l := m.byPeer[peer]
	if l != nil && l.knock.stage != noKnock {
		m.knocked(now, l, msg)
		m.touch(now, l)
		return
	}
	if l == nil || !l.status.live() {
		return
	}
	l.heard = now
	switch msg := msg.(type) {
	case relay.EventFor:
		m.event(now, l, msg, good)
	case relay.EOSE:
		m.endOfStored(now, l, msg.Sub)
	case relay.Closed:
		m.closedBy(now, l, msg)
	case relay.NegAnswer:
		if w := l.walkOf(msg.Sub); w != nil && w.stage == comparing {
			m.compared(now, l, w, msg.Message)
		}
	case relay.NegError:
		if w := l.walkOf(msg.Sub); w != nil && w.stage == comparing {
			m.negError(now, l, w, msg.Text)
		} else {
			m.refusedLate(now, l, msg.Text)
		}
	case relay.Notice:
		m.notice(now, l, msg.Text)
	case relay.Unreadable:
		l.useless.add(now, 1)
	}
	m.keep(now, l)
	if l.status.live() && l.useless.over() {
		m.orders = append(m.orders, HangUp{l.peer})
		m.ended(now, l, NoRelay)
	}
	m.touch(now, l)
}

// event takes an event, if somebody asked for it and it is what was asked for. What is known costs nothing more.
func (m *Machine) event(now instant.Instant, l *link, msg relay.EventFor, good bool) {
	ev := msg.Event
	if !good {
		l.forged = true
		l.useless.add(now, forgedCost)
		return
	}
	if w := l.walkOf(msg.Sub); w != nil {
		asked := w.stage != comparing && w.matcher.Matches(ev)
		if !asked || w.stage == fetching && !w.fetches(ev) || w.stage == paging && !w.page.takes(ev) {
			l.useless.add(now, 1)
			return
		}
		w.says(now, &m.cfg)
		m.offer(now, l, ev)
		if w.stage == paging && len(w.page.seen) >= pageMax {
			m.send(l, relay.Close{Sub: w.sub})
			m.turned(now, l, w)
		}
		return
	}
	s := l.listens(now, msg.Sub, ev)
	if s == nil {
		l.useless.add(now, 1)
		return
	}
	s.heard = true
	if !m.offer(now, l, ev) {
		l.useless.add(now, 0)
	}
}

// offer has the server judge an event that it does not know. It reports false for one that it knows. One of an ephemeral kind nobody
// keeps, so nobody would know it when it comes back: between two servers that pass on what they hear it would go round for ever.
func (m *Machine) offer(now instant.Instant, l *link, ev *nostr.Event) bool {
	if nostr.IsEphemeralKind(ev.Kind) || m.have.Has(ev.ID) || m.refused.has(now, ev.ID) {
		return false
	}
	m.orders = append(m.orders, Take{Event: ev, From: l.url})
	return true
}

func (m *Machine) endOfStored(now instant.Instant, l *link, sub string) {
	if sub == l.probed {
		l.probed = ""
		return
	}
	if at := slices.IndexFunc(l.live, func(s *live) bool { return s.sub == sub }); at >= 0 {
		l.live[at].heard, l.answers = true, true
		return
	}
	w := l.walkOf(sub)
	if w == nil || w.stage == comparing {
		return
	}
	l.answers = true
	m.unheardLive(now, l)
	m.send(l, relay.Close{Sub: sub})
	if w.stage == fetching {
		m.fetched(now, l, w)
		return
	}
	m.turned(now, l, w)
}

func (m *Machine) closedBy(now instant.Instant, l *link, msg relay.Closed) {
	if msg.Sub == l.probed { // an answer, too
		l.probed = ""
		m.refusedLate(now, l, msg.Text)
		return
	}
	if w := l.walkOf(msg.Sub); w != nil {
		if w.stage == comparing {
			m.negError(now, l, w, msg.Text)
			return
		}
		m.closed(now, l, w, msg.Text)
		return
	}
	if at := slices.IndexFunc(l.live, func(s *live) bool { return s.sub == msg.Sub }); at >= 0 {
		m.liveClosed(now, l, l.live[at], msg.Text)
		return
	}
	m.refusedLate(now, l, msg.Text)
}

// refusedLate takes the refusal of a question that is over: that the relay is asked too much counts all the same.
func (m *Machine) refusedLate(now instant.Instant, l *link, text string) {
	if limits(text) {
		m.limited(now, l, text)
	}
}

// notice takes a text for people, as far as a machine can: relays say so that they are asked too much, or do not reconcile.
func (m *Machine) notice(now instant.Instant, l *link, text string) {
	if limits(text) {
		m.limited(now, l, text)
		return
	}
	comparesNow := slices.ContainsFunc(l.walks, func(w *walk) bool { return w.stage == comparing })
	lower := strings.ToLower(text)
	if comparesNow && (strings.Contains(lower, "neg") || strings.Contains(lower, "unknown") || strings.Contains(lower, "invalid")) {
		m.becomesPlain(now, l, clip(text))
	}
}

// prefixed reports whether a text has one of the machine-readable prefixes.
func prefixed(text string, prefixes ...string) bool {
	prefix, _, found := strings.Cut(text, ":")
	return found && slices.Contains(prefixes, prefix)
}

// useless counts what a relay sends that nobody asked for, or that is forged. It may send so much of it, and no more.
type useless struct {
	count int
	since instant.Instant
}

const (
	uselessMax   = 2_000
	uselessEvery = 100 * time.Millisecond // after which one is forgiven
	forgedCost   = 20
)

func (u *useless) add(now instant.Instant, cost int) {
	forgiven := int(now.Sub(u.since) / uselessEvery)
	if u.count -= forgiven; u.count <= 0 || u.since == 0 {
		u.count, u.since = max(0, u.count), now
	} else {
		u.since = u.since.Add(time.Duration(forgiven) * uselessEvery)
	}
	u.count += cost
}

func (u *useless) over() bool { return u.count > uselessMax }
