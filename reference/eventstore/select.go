package eventstore

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
)

// Select returns the events that a filter matches, newest first, at most as many as most. Neither the limit of the
// filter nor one of ours counts, for what is asked is which events there are and not which to send (NIP-45, NIP-77).
func (s *Store) Select(m *relay.Matcher, most int) []*nostr.Event { return s.take(m, most) }

// Count returns how many events any of the filters matches; limits count for nothing (NIP-45).
func (s *Store) Count(filters []*relay.Matcher) int {
	n := 0
	for i, m := range filters {
		for _, ev := range s.take(m, len(s.events)) {
			if !slices.ContainsFunc(filters[:i], func(earlier *relay.Matcher) bool { return earlier.Matches(ev) }) {
				n++
			}
		}
	}
	return n
}
