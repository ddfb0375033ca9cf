package eventstore

import (
	"slices"
	"sort"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// Limits of an answer.
const (
	QueryMax = 500  // events for a filter without a limit, or as many as it names ids
	LimitMax = 5000 // events for any filter: a larger limit is cut
)

// Query returns the events that any of the filters asks for, each once, newest first (N01-REQ-01, N01-REQ-02). Each
// filter contributes at most its limit, the newest first; a limit of 0 contributes nothing.
func (s *Store) Query(filters []*relay.Matcher) []*nostr.Event {
	var found []*nostr.Event
	for _, m := range filters {
		found = append(found, s.queryOne(m)...)
	}
	if len(filters) > 1 {
		found = sortDistinct(found)
	}
	return found
}

func (s *Store) queryOne(m *relay.Matcher) []*nostr.Event {
	f := m.Filter
	limit := max(QueryMax, len(f.IDs))
	if f.Limit != nil {
		limit = *f.Limit
	}
	return s.take(m, min(limit, LimitMax))
}

// take walks the index that promises the fewest events. From each of its lists at most limit matches are taken, newest
// first: no later one can be among the newest of all.
func (s *Store) take(m *relay.Matcher, limit int) []*nostr.Event {
	if limit <= 0 {
		return nil
	}
	f := m.Filter
	lists := s.candidates(f)
	var found []*nostr.Event
	for _, l := range lists {
		taken := 0
		for i := l.end(f.Until) - 1; i >= 0 && taken < limit; i-- {
			if f.Since != nil && int64(l[i].CreatedAt) < *f.Since {
				break
			}
			if m.Matches(l[i]) {
				found = append(found, l[i])
				taken++
			}
		}
	}
	if len(lists) > 1 {
		found = sortDistinct(found)
	}
	return found[:min(len(found), limit)]
}

// candidates returns lists that together hold every event that the filter can match.
func (s *Store) candidates(f relay.Filter) []list {
	if f.IDs != nil {
		return collect(f.IDs, func(id string) list {
			if ev := s.events[id]; ev != nil {
				return list{ev}
			}
			return nil
		})
	}
	best, cost := []list{s.all}, len(s.all)
	consider := func(lists []list) {
		sum := 0
		for _, l := range lists {
			sum += len(l)
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
		if l := lookup(key); len(l) > 0 {
			lists = append(lists, l)
		}
	}
	return lists
}

// end returns the index behind the newest event that is not later than until.
func (l list) end(until *int64) int {
	if until == nil {
		return len(l)
	}
	return sort.Search(len(l), func(i int) bool { return int64(l[i].CreatedAt) > *until })
}

func sortDistinct(events []*nostr.Event) []*nostr.Event {
	slices.SortFunc(events, repo.CompareEvents)
	return slices.CompactFunc(events, func(a, b *nostr.Event) bool { return a.ID == b.ID })
}
