package workload

import (
	"fmt"

	"github.com/graspkit/graspkit/reference/relay"
)

// Messages of somebody who has no events and wants to hear of all (NIP-77): by the list of what it has, by the fingerprint of
// something else, of the other half of time, and three that nobody can read.
var reconciliations = [][]byte{
	{0x61, 0, 0, 2, 0},
	append([]byte{0x61, 0, 0, 1}, make([]byte, 16)...),
	{0x61, 0x86, 0xcb, 0x80, 0x80, 0x00, 0, 2, 0, 0, 0, 2, 0},
	{0x61, 0, 0, 0},
	{0x61, 0, 0, 3},
	{0x61, 0, 0, 2, 1},
	{0x62, 0, 0, 2, 0},
	{},
}

// reconcile begins a reconciliation, goes on with one, or ends one. Few names make that one takes the place of another.
func (s *script) reconcile() {
	sub := fmt.Sprintf("n%d", s.choose("set", 3))
	message := reconciliations[s.choose("message", len(reconciliations))]
	switch s.choose("turn", 4) {
	case 0:
		s.say(relay.NegMessage{Sub: sub, Message: message})
	case 1:
		s.say(relay.NegClose{Sub: sub})
	default:
		f := s.filter()
		if s.choose("all", 2) == 0 {
			f = relay.Filter{}
		}
		s.say(relay.NegOpen{Sub: sub, Filter: f, Message: message})
		s.say(relay.NegMessage{Sub: sub, Message: reconciliations[s.choose("next", len(reconciliations))]})
	}
}
