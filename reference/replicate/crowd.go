package replicate

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// What is kept of the answers of one relay is bounded by the limits of pages and comparisons, but relays are as many as anybody likes to
// name. So what is kept of all of them together is bounded, too, and who has no more of that than an equal share is never touched.

// share is how many events of answers are kept of each relay, whatever the others do: by default a page and its border fit.
func (m *Machine) share() int { return m.cfg.AnswersMax / m.cfg.OpenMax }

// keeps is how many events a walk knows by their ids.
func (w *walk) keeps() int {
	n := len(w.page.seen) + len(w.page.border) + len(w.lacks) + len(w.asked)
	if w.set != nil {
		n += w.ours
	}
	return n
}

// recount counts what walks at a relay keep now.
func (m *Machine) recount(l *link) {
	n := 0
	for _, w := range l.walks {
		n += w.keeps()
	}
	m.kept += n - l.kept
	l.kept = n
}

// keep counts what walks at a relay keep now. While that of all relays is too much, the one that keeps most at the relay of which most is
// kept comes to an end.
func (m *Machine) keep(now instant.Instant, l *link) {
	m.recount(l)
	for m.kept > m.cfg.AnswersMax {
		m.relieve(now, slices.MaxFunc(m.byURL, func(a, b *link) int { return a.kept - b.kept }))
	}
}

// relieve ends the walk that keeps most at a relay. What it asks for is asked for again later, page by page and one after the other: so a
// relay that is well comes to keep no more than its share.
func (m *Machine) relieve(now instant.Instant, l *link) {
	w := slices.MaxFunc(l.walks, func(a, b *walk) int { return a.keeps() - b.keeps() })
	switch w.stage {
	case queued:
	case comparing:
		m.send(l, relay.NegClose{Sub: w.sub})
	case fetching, paging:
		m.send(l, relay.Close{Sub: w.sub})
	}
	l.walksMax, l.plain = 1, true
	m.walkEnds(now, l, w, "too many events are under way at all relays")
	m.recount(l)
	m.touchAt(now, l)
}

// Limits of events that are asked for one by one, by their ids: they were refused, and what they lacked has come. What is beyond comes with
// the daily pass, for it is not known as refused any more.
const (
	singlesMax   = 1_000 // of one relay that has sent them
	elsewhereMax = 300   // at each of the others
)

// counts counts an item that comes to be wanted of a relay, or ceases to be.
func (l *link) counts(it item, n int) {
	if it.class == single {
		l.singles += n
	}
}
