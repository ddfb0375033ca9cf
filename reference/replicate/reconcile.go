package replicate

import (
	"encoding/hex"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/negentropy"
	"github.com/graspkit/graspkit/reference/relay"
)

// Limits of a reconciliation.
const (
	frameMax  = 60_000 // bytes of our messages
	roundsMax = 1_000  // messages of a relay
	lacksMax  = 50_000 // ids that one relay may name
)

// compare begins to reconcile: what the server has with what the relay has. It reports false where that is too much.
func (m *Machine) compare(now instant.Instant, l *link, w *walk) bool {
	w.matcher = w.filter.Compile()
	items, ok := m.have.Items(w.matcher)
	if !ok || len(items) > max(m.share(), m.cfg.AnswersMax-m.kept) {
		return false
	}
	w.stage, w.rounds = comparing, 0
	items = m.refused.items(now, items, w.matcher)
	w.ours, w.set = len(items), negentropy.NewSet(items)
	m.send(l, relay.NegOpen{Sub: w.sub, Filter: w.filter, Message: w.set.Begin(frameMax)})
	return true
}

// compared takes a turn of the relay. What it has and the server does not is fetched once all is known.
func (m *Machine) compared(now instant.Instant, l *link, w *walk, message []byte) {
	next, lacks, err := w.set.Continue(message, frameMax)
	w.rounds++
	if err != nil || w.rounds > roundsMax || len(w.lacks)+len(lacks) > lacksMax {
		m.send(l, relay.NegClose{Sub: w.sub})
		m.becomesPlain(now, l, "its reconciliation does not end")
		return
	}
	for _, id := range lacks {
		if text := hex.EncodeToString(id[:]); m.lacks(now, text) {
			w.lacks = append(w.lacks, text)
		}
	}
	w.says(now, &m.cfg)
	if next != nil {
		m.send(l, relay.NegMessage{Sub: w.sub, Message: next})
		return
	}
	m.send(l, relay.NegClose{Sub: w.sub})
	l.answers = true
	m.unheardLive(now, l)
	w.set = nil
	m.fetchOn(now, l, w)
}

// fetchOn goes on with the next ids, or ends.
func (m *Machine) fetchOn(now instant.Instant, l *link, w *walk) {
	if len(w.lacks)+len(w.asked) == 0 {
		m.walkEnds(now, l, w, "")
		return
	}
	m.goes(now, l, w)
}

// fetch asks for the next events by their ids.
func (m *Machine) fetch(l *link, w *walk) {
	w.stage, w.some = fetching, false
	f := relay.Filter{IDs: slices.Clone(w.asked)}
	w.matcher = f.Compile()
	m.send(l, relay.Req{Sub: w.sub, Filters: []relay.Filter{f}})
}

// fetches takes an event that was asked for by its id. It reports false for one that was not.
func (w *walk) fetches(ev *nostr.Event) bool {
	at := slices.Index(w.asked, ev.ID)
	if at < 0 {
		return false
	}
	w.asked = slices.Delete(w.asked, at, at+1)
	w.got, w.some = true, true
	return true
}

// fetched takes the end of an answer by ids. What is missing is asked for again while anything comes, for a relay may have a
// limit, and once more after that; then it is let be: it may have been deleted meanwhile. A relay that names events and has none of them does not reconcile (W-76).
func (m *Machine) fetched(now instant.Instant, l *link, w *walk) {
	w.asked = slices.DeleteFunc(w.asked, m.have.Has) // it came from elsewhere
	switch {
	case len(w.asked) == 0 || w.some:
		w.again = false
	case !w.again:
		w.again = true
	case !w.got:
		m.becomesPlain(now, l, "it has nothing of what it names")
		return
	default:
		w.asked, w.again = nil, false
	}
	m.fetchOn(now, l, w)
}

// becomesPlain notes that a relay does not reconcile. What was being compared is gone through page by page.
func (m *Machine) becomesPlain(now instant.Instant, l *link, why string) {
	if !l.plain {
		m.tell(Told{Fact: RelayPlain, URL: l.url, Reason: why})
	}
	l.plain = true
	for _, w := range slices.Clone(l.walks) {
		if w.stage == comparing || w.stage == fetching && !w.got && w.again {
			w.set, w.lacks, w.asked, w.again = nil, nil, nil, false
			m.goes(now, l, w)
		}
	}
}

// negError takes the refusal of a reconciliation. One that is about this question alone says nothing of the others.
func (m *Machine) negError(now instant.Instant, l *link, w *walk, text string) {
	switch {
	case limits(text):
		m.limited(now, l, text)
		w.stage, w.sub = queued, ""
	case prefixed(text, "blocked", "closed"):
		w.set, w.lacks = nil, nil
		w.page.begun = true
		m.goes(now, l, w)
	default:
		m.becomesPlain(now, l, clip(text))
	}
}
