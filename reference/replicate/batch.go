package replicate

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// A batch asks a relay for the past of some items. It ends when all of its walks have, and confirms its items if none has
// failed.
type batch struct {
	items  []item
	left   int    // walks that have not ended
	failed string // why one has
	daily  bool   // of the daily pass
	gap    bool   // it closes one
}

// begin asks a relay for the past of items, or, with since, for what came in a gap.
func (m *Machine) begin(l *link, items []item, since *int64, kind batch) {
	slices.SortFunc(items, compareItems)
	b := &kind
	b.items = items
	l.batches = append(l.batches, b)
	for _, f := range filters(items, m.cfg.ValuesMax) {
		b.left++
		l.queue = append(l.queue, &walk{batch: b, filter: f, since: since})
	}
}

// flush asks for what is fresh, what comes from now on first.
func (m *Machine) flush(now instant.Instant, l *link) {
	var items []item
	for _, it := range l.fresh {
		if s := l.wanted[it]; s != nil && s.phase == fresh {
			s.phase = pending
			items = append(items, it)
		}
	}
	l.fresh, l.flushAt = nil, 0
	slices.SortFunc(items, compareItems)
	if len(items) > 0 || l.renewLive {
		m.listen(now, l, items)
	}
	if len(items) > 0 {
		m.begin(l, items, nil, batch{})
		m.become(now, l, Syncing, 0, "")
	}
}

// closeGap asks anew for what comes from now on, and for what came meanwhile: since the gap began, or if it is long for everything
// (REF-SYNC-06, REF-SYNC-07). A relay that has sent what was forged may have all of it truly since, however old it is.
func (m *Machine) closeGap(now instant.Instant, l *link) {
	l.renewLive = true
	if l.since != 0 && now.Sub(l.since) < m.cfg.QuickLimit && !l.forged {
		m.catchUp(l)
	} else {
		l.plain, l.since, l.forged = false, 0, false
		for _, it := range l.asked() {
			m.freshen(now, l, it)
		}
	}
	if l.flushAt != 0 {
		l.flushAt = now
	}
}

// asked lists the items whose past was asked for: the confirmed ones, and those of batches under way, which may be past what came in
// a gap.
func (l *link) asked() []item {
	under := map[item]bool{}
	for _, b := range l.batches {
		for _, it := range b.items {
			under[it] = true
		}
	}
	all := l.items(func(s *standing) bool { return s.phase != fresh })
	return slices.DeleteFunc(all, func(it item) bool { return it.once() || l.wanted[it].phase == pending && !under[it] })
}

// catchUp asks for what came in a gap, of all whose past was asked for. Who reconciles is asked without regard to time: that costs
// little, and finds what was written earlier and published late (D-29).
func (m *Machine) catchUp(l *link) {
	items := l.asked()
	if len(items) == 0 {
		l.since = 0
		return
	}
	since := (int64(l.since) + int64(m.ahead-m.cfg.Margin)) / int64(time.Second)
	m.begin(l, items, &since, batch{gap: true})
}

// walkEnds takes the end of a walk, with the reason why it failed, or "".
func (m *Machine) walkEnds(now instant.Instant, l *link, w *walk, why string) {
	l.walks = slices.DeleteFunc(l.walks, func(other *walk) bool { return other == w })
	b := w.batch
	if b.failed == "" {
		b.failed = why
	}
	if b.left--; b.left > 0 {
		return
	}
	l.batches = slices.DeleteFunc(l.batches, func(other *batch) bool { return other == b })
	m.batchEnds(now, l, b)
}

func (m *Machine) batchEnds(now instant.Instant, l *link, b *batch) {
	done, open := 0, false
	for _, it := range b.items {
		s := l.wanted[it]
		switch {
		case s == nil:
		case b.failed != "":
			if s.first {
				s.first = false
				m.seekElsewhere(now, l, it)
			}
			if s.phase != fresh {
				s.phase = pending
				l.failed = append(l.failed, it)
			}
		case s.phase == fresh: // it has to be asked for again
		case s.again:
			s.again, open = false, true
			l.failed = append(l.failed, it)
		case it.once(): // it came, or is not there
			open = open || it.class == single && m.lacks(now, it.value) // what came of it may be told later
			delete(l.wanted, it)
			l.counts(it, -1)
			switch {
			case it.class == versions:
				l.asides--
			case s.first && m.lacks(now, it.value):
				m.seekElsewhere(now, l, it)
			}
		case b.gap && s.phase == pending: // what asks for its past is under way still
		default:
			s.phase = confirmed
			done++
		}
	}
	if b.gap {
		l.since = 0 // or what is confirmed is not any more
	}
	m.tell(Told{Fact: BatchEnded, URL: l.url, Count: done, Reason: b.failed})
	switch {
	case b.failed != "" || len(l.failed) > 0:
		m.again(now, l)
	case len(l.batches) == 0 && !open:
		l.retries = 0
	}
	m.settle(now, l)
	if b.daily {
		m.passOver(now, l)
	}
}

// settle says how we stand to a relay once nothing is under way (W-86).
func (m *Machine) settle(now instant.Instant, l *link) {
	switch {
	case !l.status.live() || len(l.batches) > 0:
	case len(l.failed) > 0 || l.lost:
		m.become(now, l, ConnectedWithFailures, 0, "")
	case l.flushAt == 0:
		m.become(now, l, Connected, 0, "")
	}
}

// again has what failed asked for again, later each time.
func (m *Machine) again(now instant.Instant, l *link) {
	if l.retryAt == 0 {
		l.retries++
		l.retryAt = now.Add(doubled(m.cfg.RetryBase, m.cfg.RetryMax, l.retries))
	}
}

// retry asks for what has failed.
func (m *Machine) retry(now instant.Instant, l *link) {
	items, lost := l.failed, l.lost
	l.failed, l.lost, l.retryAt = nil, false, 0
	if lost {
		m.closeGap(now, l)
	}
	for _, it := range items {
		m.freshen(now, l, it)
	}
	l.flushAt = now
}

// A Filter with the limits of one request.
func paged(f relay.Filter, since, until *int64, limit int) relay.Filter {
	f.Since, f.Until, f.Limit = since, until, &limit
	return f
}
