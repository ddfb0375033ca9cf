package replicate

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/negentropy"
	"github.com/graspkit/graspkit/reference/relay"
)

// A walk asks a relay for all that it has of one filter: it reconciles and fetches what it lacks by id, or goes through pages
// from the newest to the oldest.
type walk struct {
	batch  *batch
	filter relay.Filter
	since  *int64 // pages begin here; nil where time begins

	stage   stage
	sub     string
	matcher *relay.Matcher  // of what is asked for at present
	until   instant.Instant // when the relay should have said something
	page    page
	set     *negentropy.Set
	rounds  int
	lacks   []string // ids to fetch
	asked   []string // those that are being fetched
	some    bool     // of those have come
	again   bool     // nothing came the last time
	got     bool     // anything has come ever
}

// A stage is what a walk waits for.
type stage uint8

const (
	queued stage = iota
	comparing
	fetching
	paging
)

// pump begins walks, as many as a relay is asked for at a time.
func (m *Machine) pump(now instant.Instant, l *link) {
	for len(l.queue) > 0 && len(l.walks) < l.walksMax && l.maySend(now) {
		w := l.queue[0]
		l.queue[0] = nil
		l.queue = l.queue[1:]
		l.walks = append(l.walks, w)
		m.goes(now, l, w)
	}
	for _, w := range l.walks {
		if w.stage == queued && l.maySend(now) {
			m.goes(now, l, w)
		}
	}
}

// maySend reports whether the relay may be asked for something now.
func (l *link) maySend(now instant.Instant) bool { return now >= l.health.limited && now >= l.nextSend }

// goes asks for what a walk needs next, or has it wait until the relay may be asked.
func (m *Machine) goes(now instant.Instant, l *link, w *walk) {
	if !l.maySend(now) {
		w.stage, w.sub = queued, ""
		return
	}
	l.nextSend = now.Add(l.pace)
	w.until = now.Add(m.cfg.Answer)
	w.sub = l.sub("h")
	switch {
	case len(w.lacks)+len(w.asked) > 0:
		m.fetch(l, w)
	case w.page.begun || l.plain || m.cfg.NoNegentropy || w.filter.IDs != nil || !m.compare(now, l, w):
		m.turn(l, w)
	}
}

// late takes the silence of a relay where it should have said something.
func (m *Machine) late(now instant.Instant, l *link, w *walk) {
	switch w.stage {
	case queued:
	case comparing:
		m.send(l, relay.NegClose{Sub: w.sub})
		m.becomesPlain(now, l, "no answer to NEG-OPEN")
	case fetching, paging:
		m.send(l, relay.Close{Sub: w.sub})
		m.walkEnds(now, l, w, "no answer")
	}
}

// walkOf finds the walk of a subscription.
func (l *link) walkOf(sub string) *walk {
	at := slices.IndexFunc(l.walks, func(w *walk) bool { return w.stage != queued && w.sub == sub })
	if at < 0 {
		return nil
	}
	return l.walks[at]
}

// closed takes the end of a request that the relay has decided. One that came too early is made again.
func (m *Machine) closed(now instant.Instant, l *link, w *walk, text string) {
	if limits(text) {
		m.limited(now, l, text)
		w.stage, w.sub = queued, ""
		return
	}
	m.walkEnds(now, l, w, clip(text))
}
