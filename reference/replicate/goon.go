package replicate

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// goOn does what is due at a relay that we are connected to.
func (m *Machine) goOn(now instant.Instant, l *link) {
	if l.health.failures > 0 && now >= l.opened.Add(m.cfg.Stable) {
		l.health = health{limited: l.health.limited}
	}
	if l.pace > 0 && now >= l.health.limited.Add(m.cfg.Stable) {
		l.pace, l.walksMax = 0, m.cfg.WalksMax
	}
	for _, w := range slices.Clone(l.walks) {
		over := w.over(&m.cfg)
		switch {
		case !slices.Contains(l.walks, w):
		case over != 0 && over <= now:
			m.giveUp(now, l, w)
		case w.stage != queued && w.until <= now:
			m.late(now, l, w)
		}
	}
	if l.firstUntil != 0 && l.firstUntil <= now {
		m.firstsOver(now, l)
	}
	if l.retryAt != 0 && l.retryAt <= now {
		m.retry(now, l)
	}
	if now >= l.health.limited && (l.flushAt != 0 && l.flushAt <= now || l.renewLive) {
		m.flush(now, l)
	}
	m.pump(now, l)
	m.keep(now, l)
	m.probe(now, l)
	m.settle(now, l)
}

// soonest tells when something is due at a relay that we are connected to.
func (l *link) soonest(now instant.Instant, cfg *Config, sooner func(instant.Instant)) {
	if l.health.failures > 0 {
		sooner(l.opened.Add(cfg.Stable))
	}
	if l.pace > 0 {
		sooner(l.health.limited.Add(cfg.Stable))
	}
	waits := false
	sooner(l.firstUntil)
	for _, w := range l.walks {
		sooner(w.over(cfg))
		if w.stage != queued {
			sooner(w.until)
		} else {
			waits = true
		}
	}
	if waits || len(l.queue) > 0 && len(l.walks) < l.walksMax {
		sooner(max(now, l.health.limited, l.nextSend))
	}
	if l.flushAt != 0 {
		sooner(max(l.flushAt, l.health.limited))
	} else if l.renewLive {
		sooner(max(now, l.health.limited))
	}
	sooner(l.retryAt)
	if l.answers {
		sooner(l.probeAt(cfg))
	}
}

// probeAt is when a relay has been silent for so long that it is asked whether it is there, or has not answered that.
func (l *link) probeAt(cfg *Config) instant.Instant {
	if l.probed != "" { // which may have had to wait, for the relay may have said that we ask too much
		return max(l.heard.Add(cfg.Probe), l.probedAt).Add(cfg.Answer)
	}
	return max(l.heard.Add(cfg.Probe), l.health.limited)
}

// probe asks a relay that has been silent for something that it does not have, and leaves one that does not answer. One that
// ends no answer at all cannot be told from one that is gone.
func (m *Machine) probe(now instant.Instant, l *link) {
	if !l.answers || now < l.probeAt(&m.cfg) {
		return
	}
	if l.probed != "" {
		m.orders = append(m.orders, HangUp{l.peer})
		m.ended(now, l, TimedOut)
		return
	}
	if l.prober == "" {
		l.prober = l.sub("p")
	}
	l.probed, l.probedAt = l.prober, now // asked again it takes its own place, and needs no end in between
	m.send(l, relay.Req{Sub: l.probed, Filters: []relay.Filter{paged(relay.Filter{IDs: []string{nobody}}, nil, nil, 1)}})
}

// nobody is an id that no event has.
var nobody = strings.Repeat("0", 64)
