package core

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/policy"
)

// related judges an event that has no rule of its own. Who participants are is taken with sync plus, whoever it comes from.
func (s *Server) related(ev *nostr.Event) policy.Ruling {
	if m := s.replicating.machine; m != nil && policy.IsProfile(ev.Kind) && m.Participates(ev.PubKey) {
		return policy.Profile(ev)
	}
	return policy.Related(view{s}, ev)
}
