package core

import (
	"math"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
)

// EventOutlived is the fact that a stored event has reached its own expiration and is served no more.
const EventOutlived Fact = "event_outlived"

// ruleOutlived refuses an event whose own expiration tag says that it is over (NIP-40).
var ruleOutlived = policy.Ruling{
	Decision: policy.Refuse, Prefix: "invalid", Reason: "the event has expired", Requirement: "N40-01",
}

// second is the time of day in seconds since the epoch.
func (s *Server) second(now instant.Instant) int64 { return now.Add(s.ahead).Unix() }

// outlived reports whether the expiration of an event has come. Nothing of the kind becomes served; a held event that
// it happens to only ends like one whose data never comes.
func (s *Server) outlived(now instant.Instant, ev *nostr.Event) bool {
	at, expires := eventstore.Expiration(ev)
	return expires && at <= s.second(now)
}

// storedDeadline is the instant at which the next stored event expires by its own word.
func (s *Server) storedDeadline() (instant.Instant, bool) {
	second, expires := s.store.NextExpiry()
	at := instant.FromUnix(second)
	if s.ahead < 0 && at > math.MaxInt64+instant.Instant(s.ahead) {
		return math.MaxInt64, expires // centuries ahead, by a clock that was set back by decades
	}
	return at.Add(-s.ahead), expires
}

// expireStored drops stored events from the second of their expiration on, from every index and from the journal
// (N40-01). What follows is what follows from a deletion: the repository of an announcement is served no more and keeps
// its refs.
func (s *Server) expireStored(now instant.Instant, out *Effects) {
	for ev := s.store.Expired(s.second(now)); ev != nil; ev = s.store.Expired(s.second(now)) {
		s.unstore(now, ev, EventOutlived, out)
	}
}
