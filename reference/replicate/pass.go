package replicate

import (
	"github.com/graspkit/graspkit/reference/instant"
)

// A pass compares everything with every relay that we are connected to, one after the other, once a day (D-33). What is
// confirmed stays so meanwhile.
type pass struct {
	next  instant.Instant // 0 never
	queue []string        // URLs
	at    string          // the one that is being compared with
	until instant.Instant // when the next one has its turn, though this one has come to no end
}

func (m *Machine) passBegins(now instant.Instant) {
	m.daily.next = now.Add(m.until(m.cfg.DailyMin, m.cfg.DailyMax))
	if m.plus.leftOut > 0 {
		m.plusChanges(now)
	}
	m.daily.queue = nil
	for _, l := range m.byURL {
		m.daily.queue = append(m.daily.queue, l.url)
	}
	if m.daily.at == "" {
		m.passOn(now)
	}
}

// passOn goes on with the next relay that we are connected to.
func (m *Machine) passOn(now instant.Instant) {
	for m.daily.at = ""; len(m.daily.queue) > 0 && m.daily.at == ""; m.daily.queue = m.daily.queue[1:] {
		l := m.links[m.daily.queue[0]]
		if l == nil || !l.status.live() {
			continue
		}
		if items := l.items(func(s *standing) bool { return s.phase == confirmed }); len(items) > 0 {
			m.daily.at, m.daily.until = l.url, now.Add(passMost*m.cfg.Answer)
			m.begin(l, items, nil, batch{daily: true})
			m.touchAt(now, l)
		}
	}
}

// passMost is how many times as long as the next message of an answer the others wait for a relay. What it is asked for goes on.
const passMost = 10

// passOver notes that a relay has been compared with, or is gone.
func (m *Machine) passOver(now instant.Instant, l *link) {
	if m.daily.at == l.url {
		m.passOn(now)
	}
}
