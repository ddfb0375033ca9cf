package core

import (
	"encoding/hex"
	"maps"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/negentropy"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
)

// A SyncConfig is the settings of replication from other relays (GRASP-02).
type SyncConfig struct {
	On               bool // without it no relay is connected to
	replicate.Config      // its Own is filled in
}

// replicating joins the machine of package replicate to the server. What is stored and held is read off the records of each
// step, as the hunt does.
type replicating struct {
	machine *replicate.Machine  // nil if the server does not replicate
	ids     map[string]repo.ID  // of announcements that are served or held, by event
	changed map[repo.ID]bool    // repositories whose announcement may have changed
	told    map[repo.ID]version // what the machine knows of them
	taken   map[string]string   // events of relays that are being judged, with where they come from
	waiting map[string]bool     // events of relays that are held
	saved   uint64              // events of relays that have come to be served
	kept    bool                // the end has written down what was refused
}

// A version is the announcement that the machine knows of a repository.
type version struct {
	event  string
	served bool
	idle   bool // nothing is wanted of its repository
}

func newReplicating(s *Server, cfg Config) replicating {
	x := replicating{
		ids: map[string]repo.ID{}, changed: map[repo.ID]bool{}, told: map[repo.ID]version{}, taken: map[string]string{},
		waiting: map[string]bool{},
	}
	if cfg.Sync.On {
		c := cfg.Sync.Config
		c.Own, c.Private = cfg.Service, cfg.Private.On
		x.machine = replicate.New(c, holdings{s})
	}
	return x
}

// replicateStarts tells the machine what there is, and has it begin.
func (s *Server) replicateStarts(now instant.Instant, marks []Mark) {
	x := &s.replicating
	if x.machine == nil {
		return
	}
	stored := s.store.Sorted()
	slices.Reverse(stored) // what is answered comes before its answers
	for _, ev := range stored {
		x.machine.Stored(now, ev)
	}
	for _, id := range slices.SortedFunc(maps.Keys(s.announced), repo.ID.Compare) {
		x.ids[s.announced[id].Event.ID] = id
		x.changed[id] = true
	}
	s.refusalsRecalled(now, marks)
	x.machine.Start(now)
}

// replicateAfter follows a step: what it has changed, told by its effects from the index begin on, and what is due now. It
// returns the index up to which it has followed.
func (s *Server) replicateAfter(now instant.Instant, begin int, out *Effects) int {
	x := &s.replicating
	if s.closing {
		s.refusalsOutdated(begin, out)
		return len(out.List)
	}
	for {
		for ; begin < len(out.List); begin++ {
			if r, is := out.List[begin].(Record); is {
				s.replicateRecord(now, r)
			}
		}
		s.vouchersChanged()
		changed := slices.SortedFunc(maps.Keys(x.changed), repo.ID.Compare)
		clear(x.changed)
		for _, id := range changed {
			s.replicateAnnounced(now, id)
		}
		x.machine.Due(now)
		s.replicateOrders(now, out)
		if begin == len(out.List) {
			return begin
		}
	}
}

// replicateClock tells the machine what time of day it is.
func (s *Server) replicateClock() {
	if m := s.replicating.machine; m != nil {
		m.ClockSet(s.ahead)
	}
}

func (s *Server) replicateRecord(now instant.Instant, r Record) {
	x := &s.replicating
	if r.Event != nil && r.Event.Kind == policy.KindAnnouncement {
		if identifier, ok := repo.Identifier(r.Event); ok {
			x.ids[r.ID] = repo.ID{Owner: repo.PubKey(r.Event.PubKey), Identifier: identifier}
		}
	}
	if id, is := x.ids[r.ID]; is {
		x.changed[id] = true
	}
	switch r.Op { //nolint:exhaustive // the others say nothing of events
	case OpStore:
		x.machine.Stored(now, r.Event)
		x.machine.Comes(now, r.Event, true)
	case OpHold:
		x.machine.Comes(now, r.Event, false)
	case OpUnstore:
		x.machine.Unstored(now, r.ID)
		delete(x.ids, r.ID)
	case OpDrop:
		delete(x.ids, r.ID)
		delete(x.waiting, r.ID)
	}
}

// replicateAnnounced tells the machine of a repository as it is.
func (s *Server) replicateAnnounced(now instant.Instant, id repo.ID) {
	x := &s.replicating
	known, was := x.told[id]
	a, is := s.announced[id]
	switch {
	case !is && was:
		delete(x.told, id)
		x.machine.Gone(now, id)
		x.machine.Left(now, id)
	case is:
		next := version{a.Event.ID, a.stored, a.vouched && a.stored && len(policy.Authorizing(view{s}, id.Owner, id.Identifier)) == 0}
		if was && known == next {
			return
		}
		x.told[id] = next
		x.ids[a.Event.ID] = id
		if next.idle {
			x.machine.Withdrawn(now, id)
			return
		}
		x.machine.Announced(now, id, a.Event, a.stored)
	}
}

// vouchersChanged has those repositories looked at again that are elsewhere and count for what others of their identifier say, where one of
// these has changed.
func (s *Server) vouchersChanged() {
	x := &s.replicating
	for _, id := range slices.SortedFunc(maps.Keys(x.changed), repo.ID.Compare) {
		for _, owner := range s.owners[id.Identifier] {
			if other := (repo.ID{Owner: owner, Identifier: id.Identifier}); s.announced[other].vouched {
				x.changed[other] = true
			}
		}
	}
}

// replicateOrders carries the orders of the machine out.
func (s *Server) replicateOrders(now instant.Instant, out *Effects) {
	x := &s.replicating
	for o, ok := x.machine.Next(); ok; o, ok = x.machine.Next() {
		switch o := o.(type) {
		case replicate.Dial:
			out.add(DialPeer(o))
		case replicate.Send:
			out.add(SendPeer(o))
		case replicate.HangUp:
			out.add(HangUp(o))
		case replicate.Authenticate:
			out.add(AnswerPeer(o))
		case replicate.Take:
			s.takeSynced(now, o, out)
		case replicate.Told:
			out.add(noteOfPeer(o))
		}
	}
}

// takeSynced judges an event of a relay. The machine learns if it is refused.
func (s *Server) takeSynced(now instant.Instant, o replicate.Take, out *Effects) {
	x := &s.replicating
	x.taken[o.Event.ID] = o.From
	n := note(PeerGave, o.Event)
	n.URL = o.From
	out.add(n)
	s.syncedArrived(now, Synced{o.Event}, out)
	if s.judging[o.Event.ID] == nil {
		delete(x.taken, o.Event.ID)
	}
}

// answered notes that an event is not judged any more.
func (x *replicating) answered(event string) { delete(x.taken, event) }

// refused notes that an event of a relay has been refused.
func (s *Server) replicateRefused(ev *nostr.Event, r policy.Ruling) {
	x := &s.replicating
	from, taken := x.taken[ev.ID]
	if !taken || x.machine == nil {
		return
	}
	delete(x.taken, ev.ID)
	if r.Passes() {
		x.machine.Passing(s.last, ev, from)
		return
	}
	x.machine.Refused(s.last, ev, from, r.Waits)
}

// replicateShadowed notes that an announcement of a relay does not count because a newer one is held, which may run out.
func (s *Server) replicateShadowed(ev *nostr.Event) {
	x := &s.replicating
	if from, taken := x.taken[ev.ID]; taken {
		delete(x.taken, ev.ID)
		x.machine.Shadowed(s.last, ev, from)
	}
}

// peerInput gives the machine what a shell says of relays.
func (s *Server) peerInput(now instant.Instant, in Input) {
	m := s.replicating.machine
	if m == nil || s.closing {
		return
	}
	switch in := in.(type) {
	case PeerOpened:
		m.Opened(now, in.Peer)
	case PeerSaid:
		m.Said(now, in.Peer, in.Msg, in.Good)
	case PeerClosed:
		m.Closed(now, in.Peer, in.Failure)
	}
}

// replicateEnds hangs up everywhere, for the server stops.
func (s *Server) replicateEnds(now instant.Instant, out *Effects) {
	if s.replicating.machine != nil {
		s.refusalsEnd(now, out)
		s.replicating.machine.Stop()
		s.replicateOrders(now, out)
	}
}

func (s *Server) replicateDeadline() (instant.Instant, bool) {
	if s.replicating.machine == nil || s.closing {
		return 0, false
	}
	return s.replicating.machine.Deadline()
}

// holdings shows the machine what the server has.
type holdings struct{ s *Server }

// Has implements replicate.Holdings.
func (h holdings) Has(id string) bool {
	return h.s.store.Get(id) != nil || h.s.held.Get(id) != nil || h.s.judging[id] != nil || h.s.Expired(id)
}

// Items implements replicate.Holdings.
func (h holdings) Items(m *relay.Matcher) ([]negentropy.Item, bool) {
	stored, _ := h.s.store.SearchAll([]*relay.Matcher{m}, ReconcileMax+1).Events(eventstore.AnyCost)
	if len(stored) > ReconcileMax {
		return nil, false
	}
	items := make([]negentropy.Item, 0, len(stored))
	add := func(ev *nostr.Event) {
		it := negentropy.Item{Time: uint64(ev.CreatedAt)}
		if n, err := hex.Decode(it.ID[:], []byte(ev.ID)); err == nil && n == len(it.ID) {
			items = append(items, it)
		}
	}
	for _, ev := range stored {
		add(ev)
	}
	for _, e := range h.s.held.Matching(m.Matches) {
		add(e.Event)
	}
	return items, true
}

// peerFacts are the names that the facts of the machine have here.
var peerFacts = [...]Fact{
	replicate.RelayStatus: PeerStatus, replicate.RelayLeftOut: PeerLeftOut, replicate.RelayLimited: PeerLimited,
	replicate.RelayPlain: PeerPlain, replicate.RelayOutOfReach: PeerOutOfReach, replicate.BatchEnded: PeerBatch,
	replicate.RefusedAgain: PeerAgain,
}

// noteOfPeer makes a note of what the machine tells.
func noteOfPeer(t replicate.Told) Note {
	n := Note{Fact: peerFacts[t.Fact], URL: t.URL, Reason: t.Reason, Count: t.Count}
	if t.Fact == replicate.RelayStatus {
		n.Count, n.Reason = int(t.Status), t.Status.String()
		if t.Reason != "" {
			n.Reason += ": " + t.Reason
		}
	}
	return n
}
