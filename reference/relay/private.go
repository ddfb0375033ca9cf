package relay

// Keys returns the public keys that have authenticated, in the order in which they have.
func (s *Session) Keys() []string { return s.keys }

// Opened returns the ids of what is open: subscriptions and reconciliations, each in the order in which they were opened.
func (s *Session) Opened() (subs, sets []string) {
	for _, sub := range s.subs {
		subs = append(subs, sub.id)
	}
	for _, set := range s.sets {
		sets = append(sets, set.id)
	}
	return subs, sets
}
