package core

import (
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// VanishPause is the time between two portions: others have their turn meanwhile.
const VanishPause = time.Millisecond

// vanishings are the authors that have vanished and of whom something is stored still. They are not journaled: the mark of
// an author is, with the request and before anything goes, so that a start sees what is left (N62-01).
type vanishings struct {
	list []vanishing // whose turn comes next is first
	due  instant.Instant
}

type vanishing struct {
	author   string
	requests []vanishRequest // whose answers wait, mostly one
}

type vanishRequest struct {
	id    string
	conns []ConnID
}

// vanishOn takes the next portion of what an author who has vanished wrote out of the store, the newest first, and reports
// whether that was all.
func (s *Server) vanishOn(now instant.Instant, author string, out *Effects) bool {
	until := int64(s.tombstones.vanished[author])
	of := relay.Compile(relay.Filter{Authors: []string{author}, Until: &until})
	// One more is the request, which stays, and another one shows that this is not all.
	found, _ := s.store.SearchAll(of, s.cfg.VanishAtOnce+2).Events(eventstore.AnyCost)
	gone := 0
	for _, ev := range found {
		switch {
		case s.vanishRequested(ev) || s.store.Get(ev.ID) != ev: // the loss of another one has taken it away
		case gone == s.cfg.VanishAtOnce:
			return false
		default:
			s.unstore(now, ev, EventDeleted, out)
			gone++
		}
	}
	return true
}

// vanishRequested reports whether an event is the request by which its author has vanished. It is the only one of its time: any
// other of that time is refused as deleted.
func (s *Server) vanishRequested(ev *nostr.Event) bool {
	return ev.CreatedAt == s.tombstones.vanished[ev.PubKey] && ev.Kind == policy.KindVanish && policy.Vanishes(s.cfg.Service, ev)
}

// carryOnVanishing takes one portion of one author out, if it is time.
func (s *Server) carryOnVanishing(now instant.Instant, out *Effects) {
	v := &s.vanishings
	if len(v.list) == 0 || now < v.due {
		return
	}
	first := v.list[0]
	v.list = slices.Delete(v.list, 0, 1)
	if s.vanishOn(now, first.author, out) {
		for _, r := range first.requests {
			s.reply(r.conns, r.id, true, "", out)
		}
	} else {
		v.list = append(v.list, first) // nobody waits for those who have much
	}
	if v.due = 0; len(v.list) > 0 {
		v.due = now.Add(VanishPause)
	}
}

// await goes on with the author of a request, which is answered when nothing is left.
func (v *vanishings) await(now instant.Instant, request *nostr.Event, conns []ConnID) {
	if len(v.list) == 0 {
		v.due = now.Add(VanishPause)
	}
	at := slices.IndexFunc(v.list, func(one vanishing) bool { return one.author == request.PubKey })
	if at < 0 {
		at = len(v.list)
		v.list = append(v.list, vanishing{author: request.PubKey})
	}
	v.list[at].requests = append(v.list[at].requests, vanishRequest{id: request.ID, conns: conns})
}

// again reports whether an event is a request whose answer waits; whoever has sent it again gets that answer, too.
func (v *vanishings) again(id string, conns []ConnID) bool {
	for i := range v.list {
		for j := range v.list[i].requests {
			if r := &v.list[i].requests[j]; r.id == id {
				if len(r.conns) < JobsMax {
					r.conns = append(slices.Clone(r.conns), conns...)
				}
				return true
			}
		}
	}
	return false
}

// vanishAfterStart goes on with those of whom something is stored although they have vanished: the server ended in the
// middle.
func (s *Server) vanishAfterStart(now instant.Instant, stored []*nostr.Event) {
	if len(s.tombstones.vanished) == 0 {
		return
	}
	seen := map[string]bool{}
	for _, ev := range stored {
		until, gone := s.tombstones.vanished[ev.PubKey]
		if !gone || ev.CreatedAt > until || seen[ev.PubKey] || s.vanishRequested(ev) {
			continue
		}
		seen[ev.PubKey] = true
		s.vanishings.list = append(s.vanishings.list, vanishing{author: ev.PubKey})
	}
	if len(s.vanishings.list) > 0 {
		s.vanishings.due = now.Add(VanishPause)
	}
}
