package core

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/replicate"
)

// A RelaysReport is how a server stands to the relays that it replicates from, for its operator.
type RelaysReport struct {
	replicate.Report
	Saved uint64 // events of relays that have come to be served
}

// Relays tells how the server stands to other relays; false if it replicates from none. No decision is made of it.
func (s *Server) Relays(now instant.Instant) (RelaysReport, bool) {
	x := &s.replicating
	if x.machine == nil {
		return RelaysReport{}, false
	}
	return RelaysReport{Report: x.machine.Report(now), Saved: x.saved}, true
}

// holds notes that an event is held, which is counted when it comes to be served.
func (x *replicating) holds(ev *nostr.Event) {
	if _, taken := x.taken[ev.ID]; taken {
		x.waiting[ev.ID] = true
	}
}

// saves counts an event that comes to be served, if it came from a relay.
func (x *replicating) saves(ev *nostr.Event) {
	if _, taken := x.taken[ev.ID]; taken || x.waiting[ev.ID] {
		x.saved++
		delete(x.waiting, ev.ID)
	}
}
