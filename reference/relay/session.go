package relay

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"
)

// A Session holds the open subscriptions and reconciliations of one connection, in the order in which they were opened.
// Their ids are apart: one of each may have the same (N77-06). It knows who has authenticated. The zero value is ready.
type Session struct {
	Challenge string // what the client authenticates with (NIP-42); "" if it cannot

	keys []string // public keys that have authenticated
	subs []subscription
	sets []reconciliation
}

type subscription struct {
	id      string
	filters []*Matcher
}

// Open opens a subscription. One of the same id is replaced, and counts as opened now (N01-REQ-03). It reports false,
// and changes nothing, when SubscriptionsMax others are open.
func (s *Session) Open(sub string, filters []*Matcher) bool {
	at := s.index(sub)
	if at < 0 && len(s.subs) >= SubscriptionsMax {
		return false
	}
	if at >= 0 {
		s.subs = slices.Delete(s.subs, at, at+1)
	}
	s.subs = append(s.subs, subscription{id: sub, filters: filters})
	return true
}

// Close ends a subscription; one that is not open is no error.
func (s *Session) Close(sub string) {
	if at := s.index(sub); at >= 0 {
		s.subs = slices.Delete(s.subs, at, at+1)
	}
}

// Matching returns the ids of the subscriptions that want an event, in the order in which they were opened.
func (s *Session) Matching(ev *nostr.Event) []string {
	var ids []string
	for _, sub := range s.subs {
		if matchAny(sub.filters, ev) {
			ids = append(ids, sub.id)
		}
	}
	return ids
}

func (s *Session) index(sub string) int {
	return slices.IndexFunc(s.subs, func(x subscription) bool { return x.id == sub })
}
