package eventstore

import (
	"math"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// Limits of an answer.
const (
	QueryMax = 500  // events for a filter without a limit, or as many as it names ids
	LimitMax = 5000 // events for any filter: a larger limit is cut
)

// AnyCost is the budget of a search that is bounded otherwise.
const AnyCost = math.MaxInt

// A Search is a question about the events of a store. It costs a unit for each event that it looks at, and one for each tag
// of that event if the filter asks for tags. A frozen one is about the events that were there when it was frozen, and may
// be asked at any time by anybody.
type Search struct{ parts []part }

// A part is what one filter asks for.
type part struct {
	m     *relay.Matcher
	most  int    // events of the answer
	lists []list // which together hold every event that may match
}

// Search asks for the events that any of the filters asks for: each filter contributes at most its limit, the newest first; a
// limit of 0 contributes nothing (N01-REQ-01, N01-REQ-02). It holds until the store changes.
func (s *Store) Search(filters []*relay.Matcher) Search {
	return s.search(filters, func(f relay.Filter) int {
		limit := max(QueryMax, len(f.IDs))
		if f.Limit != nil {
			limit = *f.Limit
		}
		return min(limit, LimitMax)
	})
}

// SearchAll asks for the events that any of the filters matches, at most as many as most for each. Neither the limit of a filter
// nor one of ours counts, for what is asked is which events there are and not which to send (NIP-77). It holds until the store
// changes.
func (s *Store) SearchAll(filters []*relay.Matcher, most int) Search {
	return s.search(filters, func(relay.Filter) int { return most })
}

func (s *Store) search(filters []*relay.Matcher, most func(relay.Filter) int) Search {
	q := Search{parts: make([]part, len(filters))}
	for i, m := range filters {
		q.parts[i] = part{m: m, most: most(m.Filter), lists: s.candidates(m.Filter)}
	}
	return q
}

// Frozen returns the search about the events that are there now.
func (q Search) Frozen() Search {
	kept := Search{parts: slices.Clone(q.parts)}
	for i, p := range kept.parts {
		kept.parts[i].lists = make([]list, len(p.lists))
		for j, l := range p.lists {
			kept.parts[i].lists[j] = l.frozen()
		}
	}
	return kept
}

// Events returns what is asked for, each event once, newest first. It reports false if that costs more than budget.
func (q Search) Events(budget int) ([]*nostr.Event, bool) {
	var found []*nostr.Event
	for _, p := range q.parts {
		taken := 0
		if p.most > 0 && !p.each(&budget, func(ev *nostr.Event) bool {
			found = append(found, ev)
			taken++
			return taken < p.most
		}) {
			return nil, false
		}
	}
	if len(q.parts) > 1 {
		slices.SortFunc(found, repo.CompareEvents)
		found = slices.CompactFunc(found, func(a, b *nostr.Event) bool { return a.ID == b.ID })
	}
	return found, true
}

// Count returns how many events any of the filters matches; limits count for nothing (NIP-45). It reports false if that costs
// more than budget.
func (q Search) Count(budget int) (n int, ok bool) {
	for i, p := range q.parts {
		if !p.each(&budget, func(ev *nostr.Event) bool {
			if !slices.ContainsFunc(q.parts[:i], func(earlier part) bool { return earlier.m.Matches(ev) }) {
				n++
			}
			budget -= i
			return true
		}) {
			return 0, false
		}
	}
	return n, true
}

// each calls a function with every event that matches, newest first, as long as it returns true. It reports false if that
// exceeds the budget, which it takes its cost from.
func (p part) each(budget *int, do func(*nostr.Event) bool) bool {
	f := p.m.Filter
	*budget -= len(p.lists)
	m := newMerge(p.lists, f.Until)
	var last *nostr.Event
	for ev := m.next(); ev != nil; ev = m.next() {
		if ev == last {
			continue // two lists have it
		}
		if f.Since != nil && int64(ev.CreatedAt) < *f.Since {
			break
		}
		last = ev
		*budget--
		if len(f.Tags) > 0 {
			*budget -= len(ev.Tags)
		}
		if *budget < 0 {
			return false
		}
		if p.m.Matches(ev) && !do(ev) {
			break
		}
	}
	return *budget >= 0
}

// candidates returns lists that together hold every event that the filter can match: those of the index that promises the
// fewest.
func (s *Store) candidates(f relay.Filter) []list {
	if f.IDs != nil {
		return collect(f.IDs, func(id string) list {
			if ev := s.events[id]; ev != nil {
				return list{last: []*nostr.Event{ev}, n: 1}
			}
			return list{}
		})
	}
	best, cost := []list{s.all}, s.all.n
	consider := func(lists []list) {
		sum := 0
		for _, l := range lists {
			sum += l.n
		}
		if sum < cost {
			best, cost = lists, sum
		}
	}
	for _, tag := range f.Tags {
		consider(collect(tag.Values, func(value string) list { return s.tags[tagValue{tag.Letter, value}] }))
	}
	if f.Authors != nil {
		consider(collect(f.Authors, func(author string) list { return s.authors[author] }))
	}
	if f.Kinds != nil {
		consider(collect(f.Kinds, func(kind int) list { return s.kinds[kind] }))
	}
	return best
}

func collect[K any](keys []K, lookup func(K) list) []list {
	lists := make([]list, 0, len(keys))
	for _, key := range keys {
		if l := lookup(key); l.n > 0 {
			lists = append(lists, l)
		}
	}
	return lists
}
