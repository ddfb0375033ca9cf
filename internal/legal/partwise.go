package legal

import (
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"
)

// filterByFilter answers the filters of a query one behind another: what the first one selects, then what the second one selects
// besides, and so on. A limit is a word of one filter, and so is the order that it asks for.
func filterByFilter() habit {
	type asked struct {
		filters []nostr.Filter
		kept    [][]byte
	}
	waiting := subscribed[*asked]{}
	return habit{
		left: waiting.left,
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			if m := read(msg); m.verb == "REQ" {
				delete(waiting[l], m.name)
				if filters, ok := filtersOf(m); ok && len(filters) > 1 {
					waiting.set(l, m.name, &asked{filters: filters})
				}
			}
			return nil, true
		},
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			q := waiting[l][m.name]
			switch {
			case q == nil:
			case m.verb == "EVENT":
				q.kept = append(q.kept, slices.Clone(msg))
				return 0, false
			case m.verb == "EOSE":
				for _, part := range parts(q.filters, q.kept) {
					l.queue = append(l.queue, delivery{now, part})
				}
				delete(waiting[l], m.name)
			}
			return 0, true
		},
	}
}

// parts puts stored events, which are there newest first, in the order of the filters that select them.
func parts(filters []nostr.Filter, events [][]byte) (ordered [][]byte) {
	sent := make([]bool, len(events))
	for _, f := range filters {
		taken := 0
		for n, msg := range events {
			ev := read(msg).event
			if ev == nil || !f.Matches(ev) || f.LimitZero || f.Limit > 0 && taken == f.Limit {
				continue
			}
			taken++
			if !sent[n] {
				sent[n] = true
				ordered = append(ordered, msg)
			}
		}
	}
	for n, msg := range events {
		if !sent[n] {
			ordered = append(ordered, msg)
		}
	}
	return ordered
}
