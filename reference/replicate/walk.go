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
	begun   instant.Instant // when it was asked first; 0 before that
	most    instant.Instant // when the present answer, or the comparison, has to have ended, whatever comes
	page    page
	set     *negentropy.Set
	ours    int // events of it
	rounds  int
	lacks   []string // ids to fetch
	asked   []string // those that are being fetched
	some    bool     // of those have come
	again   bool     // nothing came the last time
	got     bool     // anything has come ever
	unheard bool     // the relay has said that it is asked too much, and perhaps not heard what waits for an answer
}

// A stage is what a walk waits for.
type stage uint8

const (
	queued stage = iota
	comparing
	fetching
	paging
)

// pump begins walks, as many as a relay is asked for at a time. One that has nothing left to ask for makes room for the next.
func (m *Machine) pump(now instant.Instant, l *link) {
	for room := true; room; {
		for len(l.queue) > 0 && len(l.walks) < l.walksMax && l.maySend(now) {
			w := l.queue[0]
			l.queue[0] = nil
			l.queue = l.queue[1:]
			l.walks = append(l.walks, w)
			m.goes(now, l, w)
		}
		before := len(l.walks)
		for _, w := range slices.Clone(l.walks) {
			if w.stage == queued && l.maySend(now) {
				m.goes(now, l, w)
			}
		}
		room = len(l.walks) < before
	}
}

// came reports whether what a walk asks for by id has come while it waited, by another walk or from elsewhere, and takes from it what
// has. What was refused meanwhile is not asked for either.
func (m *Machine) came(now instant.Instant, w *walk) bool {
	known := func(id string) bool { return !m.lacks(now, id) }
	if w.filter.IDs != nil {
		w.filter.IDs = slices.DeleteFunc(slices.Clone(w.filter.IDs), known)
		return len(w.filter.IDs) == 0
	}
	if len(w.lacks)+len(w.asked) == 0 {
		return false
	}
	w.asked = slices.DeleteFunc(w.asked, known)
	for len(w.asked) == 0 && len(w.lacks) > 0 {
		n := min(len(w.lacks), m.cfg.ByIDMax)
		w.asked, w.lacks = slices.DeleteFunc(slices.Clone(w.lacks[:n]), known), w.lacks[n:]
	}
	return len(w.asked) == 0
}

// maySend reports whether the relay may be asked for something now.
func (l *link) maySend(now instant.Instant) bool { return now >= l.health.limited && now >= l.nextSend }

// goes asks for what a walk needs next, or has it wait until the relay may be asked.
func (m *Machine) goes(now instant.Instant, l *link, w *walk) {
	if !l.maySend(now) {
		w.stage, w.sub = queued, ""
		return
	}
	if m.came(now, w) {
		m.walkEnds(now, l, w, "")
		return
	}
	l.nextSend = now.Add(l.pace)
	if w.begun == 0 {
		w.begun = now
	}
	w.until, w.most = now.Add(m.cfg.Answer), now.Add(answerMost*m.cfg.Answer)
	w.sub, w.unheard = l.sub("h"), false
	switch {
	case len(w.lacks)+len(w.asked) > 0:
		m.fetch(l, w)
	case w.page.begun || l.plain || m.cfg.NoNegentropy || w.filter.IDs != nil || !m.compare(now, l, w):
		m.turn(l, w)
	}
}

// answerMost is how many times as long as the next message of an answer all of it may take. One that only ever goes on would keep
// others waiting for ever.
const answerMost = 20

// says notes that a relay has said something of an answer.
func (w *walk) says(now instant.Instant, cfg *Config) { w.until = min(now.Add(cfg.Answer), w.most) }

// over is when a walk is given up whatever comes of it; 0 before it has begun.
func (w *walk) over(cfg *Config) instant.Instant {
	if w.begun == 0 {
		return 0
	}
	return w.begun.Add(cfg.DailyMax)
}

// giveUp ends a walk that takes more than a day: the relay is asked anew then.
func (m *Machine) giveUp(now instant.Instant, l *link, w *walk) {
	switch w.stage {
	case queued:
	case comparing:
		m.send(l, relay.NegClose{Sub: w.sub})
	case fetching, paging:
		m.send(l, relay.Close{Sub: w.sub})
	}
	m.walkEnds(now, l, w, "its answers do not end")
}

// late takes the silence of a relay where it should have said something. What it has not heard because it was asked too much is
// said once more, and nothing else: a walk that began anew would be asked too much again.
func (m *Machine) late(now instant.Instant, l *link, w *walk) {
	if w.unheard {
		m.unheard(now, l, w)
		return
	}
	switch w.stage {
	case queued:
	case comparing:
		m.send(l, relay.NegClose{Sub: w.sub})
		m.becomesPlain(now, l, "no answer to NEG-OPEN")
	case fetching, paging:
		m.send(l, relay.Close{Sub: w.sub})
		m.unended(now, l, w)
	}
}

// unended takes the silence of a relay in the middle of an answer. Some never say that an answer has ended: what has come is
// the answer then. Where nothing has, there was none.
func (m *Machine) unended(now instant.Instant, l *link, w *walk) {
	switch {
	case w.stage == fetching && w.some:
		m.fetched(now, l, w)
	case w.stage == paging && (len(w.page.seen) > 0 || w.page.turned > 0 && !l.answers):
		m.turned(now, l, w)
	default:
		m.walkEnds(now, l, w, "no answer")
	}
}

// unheard asks again for what a relay has not answered.
func (m *Machine) unheard(now instant.Instant, l *link, w *walk) {
	if w.stage == comparing {
		m.send(l, relay.NegClose{Sub: w.sub})
		w.set, w.lacks = nil, nil
	} else {
		m.send(l, relay.Close{Sub: w.sub})
	}
	m.goes(now, l, w)
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
