package relay

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"
)

// A Session holds the open subscriptions and reconciliations of one connection, in the order in which they were opened.
// Their ids are apart: one of each may have the same (N77-06). It knows who has authenticated. The zero value is ready.
type Session struct {
	Challenge string // what the client authenticates with (NIP-42); "" if it cannot

	keys  []string // public keys that have authenticated
	subs  []*subscription
	sets  []reconciliation
	bytes int // of the filters of subs

	audience *Audience // that it has joined; nil if it stands alone
	conn     uint64    // what the audience knows it as
	joined   uint64    // its order in the audience
}

type subscription struct {
	id      string
	filters []*Matcher
	session *Session
	bytes   int // of the filters

	opened uint64  // its order in the audience
	asked  uint64  // the last event that asked it
	places []place // in the lists of the audience
}

// Open opens a subscription. One of the same id is replaced, and counts as opened now (N01-REQ-03). It reports false,
// and changes nothing, when SubscriptionsMax others are open.
func (s *Session) Open(sub string, filters []*Matcher) bool {
	if s.index(sub) < 0 && len(s.subs) >= SubscriptionsMax {
		return false
	}
	s.Close(sub)
	opened := &subscription{id: sub, filters: filters, session: s}
	for _, m := range filters {
		opened.bytes += m.Filter.Bytes()
	}
	s.subs = append(s.subs, opened)
	s.bytes += opened.bytes
	if s.audience != nil {
		s.audience.add(opened)
	}
	return true
}

// Close ends a subscription; one that is not open is no error.
func (s *Session) Close(sub string) {
	at := s.index(sub)
	if at < 0 {
		return
	}
	s.bytes -= s.subs[at].bytes
	if s.audience != nil {
		s.audience.remove(s.subs[at])
	}
	s.subs = slices.Delete(s.subs, at, at+1)
}

// Matching returns the ids of the subscriptions that want an event, in the order in which they were opened.
func (s *Session) Matching(ev *nostr.Event) []string {
	var ids []string
	for _, sub := range s.subs {
		if slices.ContainsFunc(sub.filters, func(m *Matcher) bool { return m.Matches(ev) }) {
			ids = append(ids, sub.id)
		}
	}
	return ids
}

func (s *Session) index(sub string) int {
	return slices.IndexFunc(s.subs, func(x *subscription) bool { return x.id == sub })
}
