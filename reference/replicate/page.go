package replicate

import (
	"maps"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// A page is what a request for the newest events up to a second has brought.
type page struct {
	begun   bool
	until   *int64           // of the request; nil for the first one
	seen    map[string]int64 // created_at of the events of this one, by id
	border  map[string]bool  // events of earlier ones at the second with which it begins
	oldest  int64
	fresh   int // events that no earlier page had
	largest int // most events of a page
	turned  int // pages
}

// Limits of pages.
const (
	pageMax   = 5_000  // events of one, after which it is taken for full
	pagesMax  = 2_000  // of one walk
	borderMax = 20_000 // events of one second that are told apart; what is beyond is out of reach
)

// turn asks for the next page.
func (m *Machine) turn(l *link, w *walk) {
	p := &w.page
	p.begun, p.seen, p.fresh = true, map[string]int64{}, 0
	w.stage = paging
	f := paged(w.filter, w.since, p.until, m.cfg.PageLimit)
	if w.filter.IDs != nil {
		f.Since, f.Limit = nil, nil
	}
	w.matcher = f.Compile()
	m.send(l, relay.Req{Sub: w.sub, Filters: []relay.Filter{f}})
}

// takes takes an event of a page. It reports false for one that the page had already.
func (p *page) takes(ev *nostr.Event) bool {
	if _, twice := p.seen[ev.ID]; twice {
		return false
	}
	created := int64(ev.CreatedAt)
	if len(p.seen) == 0 || created < p.oldest {
		p.oldest = created
	}
	p.seen[ev.ID] = created
	if !p.border[ev.ID] {
		p.fresh++
	}
	return true
}

// turned takes the end of a page. What counts is what came, and not what of it was kept (W-74). The next page begins with the
// second at which this one ended. One that holds nothing new ends the walk, unless it is full with events of that one second:
// then there may be more of them, which nobody can ask for, and older ones behind them (W-75).
func (m *Machine) turned(now instant.Instant, l *link, w *walk) {
	p := &w.page
	count := len(p.seen)
	full := count >= p.largest && count > 0
	p.largest = max(p.largest, count)
	p.turned++
	switch {
	case w.filter.IDs != nil && w.short(count):
		m.goes(now, l, w)
		return
	case w.filter.IDs != nil || count == 0 || p.fresh == 0 && !full:
		m.walkEnds(now, l, w, "")
		return
	case p.turned >= pagesMax:
		m.walkEnds(now, l, w, "too many pages")
		return
	}
	until := p.oldest
	if p.fresh == 0 || p.until != nil && *p.until == until && len(p.border) >= borderMax {
		if count > 1 {
			m.tell(Told{Fact: RelayOutOfReach, URL: l.url, Count: count})
		}
		until--
	}
	if p.until == nil || *p.until != until {
		p.border = map[string]bool{}
	}
	for _, id := range slices.Sorted(maps.Keys(p.seen)) {
		if p.seen[id] == until {
			p.border[id] = true
		}
	}
	if w.since != nil && until < *w.since {
		m.walkEnds(now, l, w, "")
		return
	}
	p.until = &until
	m.goes(now, l, w)
}

// short reports whether an answer to ids may have been cut: a relay that sends so many events at a time sends the newest of those that
// are asked for. What has not come is asked for then, and no answer that brings nothing is cut.
func (w *walk) short(count int) bool {
	w.filter.IDs = slices.DeleteFunc(slices.Clone(w.filter.IDs), func(id string) bool { _, came := w.page.seen[id]; return came })
	return count > 0 && len(w.filter.IDs) > 0 && w.page.turned < pagesMax
}
