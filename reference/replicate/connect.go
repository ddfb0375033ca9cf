package replicate

import (
	"github.com/graspkit/graspkit/reference/instant"
)

// touch does what is due at a relay, and notes when something will be.
func (m *Machine) touch(now instant.Instant, l *link) {
	if l.until != 0 && l.until <= now {
		m.overdue(now, l)
	}
	switch {
	case l.status == Disconnected && !l.needed() && l.rest() <= now:
		m.unlink(l)
		return
	case l.status == Disconnected && !l.needed():
	case l.status == Disconnected:
		m.dial(now, l)
	case l.status.live() && l.needed():
		m.goOn(now, l)
	}
	if l.status.live() && !l.needed() { // perhaps since the last thing that was wanted of it came
		m.orders = append(m.orders, HangUp{l.peer})
		m.silence(now, l)
		m.become(now, l, Disconnecting, m.cfg.Leave, "nothing is wanted of it")
	}
	m.touchAt(now, l)
}

// touchAt notes when something is due at a relay.
func (m *Machine) touchAt(now instant.Instant, l *link) {
	if m.links[l.url] != l {
		return
	}
	at := l.until
	sooner := func(other instant.Instant) {
		if other != 0 && (at == 0 || other < at) {
			at = other
		}
	}
	switch {
	case l.status == Disconnected && !l.needed():
		sooner(max(now, l.rest()))
	case l.status == Disconnected:
		sooner(max(now, l.health.next))
	case l.status.live() && !l.needed():
		sooner(now)
	case l.status.live():
		l.soonest(now, &m.cfg, sooner)
	}
	m.due.set(l, at)
}

// overdue ends a status that has lasted too long. What comes of its connection later is not heard.
func (m *Machine) overdue(now instant.Instant, l *link) {
	switch {
	case l.knock.stage != noKnock && !m.cfg.Private:
		m.comesIn(now, l)
		return
	case l.status == Connecting:
		m.orders = append(m.orders, HangUp{l.peer})
	}
	m.ended(now, l, TimedOut)
}

// dial connects to a relay, if it may be tried and there is room.
func (m *Machine) dial(now instant.Instant, l *link) {
	if l.health.next > now {
		return
	}
	if m.open >= m.cfg.OpenMax {
		l.health.next = now.Add(roomEvery)
		return
	}
	m.peers++
	m.open++
	l.peer = m.peers
	m.byPeer[l.peer] = l
	m.become(now, l, Connecting, m.cfg.Connect, "")
	m.orders = append(m.orders, Dial{l.peer, l.url})
}

// roomEvery is how often a relay that finds no room among the connections is looked at.
const roomEvery = 10 * second

// Opened says that a connection is there.
func (m *Machine) Opened(now instant.Instant, peer PeerID) {
	l := m.byPeer[peer]
	if l == nil || l.status != Connecting || l.knock.stage != noKnock {
		return
	}
	l.opened, l.heard, l.prober, l.probed = now, now, "", ""
	l.walksMax, l.pace, l.nextSend, l.useless = m.cfg.WalksMax, 0, 0, useless{}
	m.tally(l, true)
	if m.cfg.Identity || m.cfg.Private {
		m.knocks(now, l)
	} else {
		m.comesIn(now, l)
	}
	m.touch(now, l)
}

// comesIn begins to ask a relay for what is wanted of it.
func (m *Machine) comesIn(now instant.Instant, l *link) {
	l.knock = knock{}
	m.become(now, l, Syncing, 0, "")
	m.closeGap(now, l)
}

// Closed says that a connection is gone, or has not come.
func (m *Machine) Closed(now instant.Instant, peer PeerID, why Failure) {
	if l := m.byPeer[peer]; l != nil {
		m.ended(now, l, why)
		m.touch(now, l)
	}
}

// ended takes leave of a connection, or of an attempt at one.
func (m *Machine) ended(now instant.Instant, l *link, why Failure) {
	delete(m.byPeer, l.peer)
	m.open--
	l.peer = 0
	was := l.status
	if was == Connecting && l.knock.stage == noKnock {
		m.tally(l, false)
	}
	l.knock = knock{}
	if was.live() && l.since == 0 {
		l.since = now
	}
	m.silence(now, l)
	if was == Disconnecting {
		m.become(now, l, Disconnected, 0, "")
		return
	}
	l.health.failed(now, &m.cfg, why)
	m.become(now, l, Disconnected, 0, why.String())
}

// silence forgets all that was under way at a relay. What was asked for is asked for again.
func (m *Machine) silence(now instant.Instant, l *link) {
	l.live, l.retired, l.queue, l.walks, l.renewLive = nil, nil, nil, nil, false
	dropped := l.batches
	l.batches = nil
	m.recount(l)
	for _, b := range dropped {
		m.unasked(now, l, b)
	}
	l.epoch++
	clear(l.gone)
	m.passOver(now, l)
}

// unasked has the items of a batch that came to no end asked for again. Those of a gap are: it is still open.
func (m *Machine) unasked(now instant.Instant, l *link, b *batch) {
	for _, it := range b.items {
		s := l.wanted[it]
		if s == nil {
			continue
		}
		if s.first {
			s.first = false
			m.seekElsewhere(now, l, it)
		}
		if s.phase == pending {
			m.freshen(now, l, it)
		}
	}
}
