package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// deletedCommits refuses pull requests of the commit of one that was deleted.
func deletedCommits() Filter {
	s, gone := &shelf{map[string]filed{}}, map[string]bool{}
	return rejecting(func(ev *nostr.Event) bool { return isPull(ev) && gone[valueOf(ev, "c")] }, func(i core.Input, effects []core.Effect) {
		_, ev := published(i)
		for _, e := range effects {
			r, _ := e.(core.Record)
			was := s.byID[r.ID].event
			if ev != nil && ev.Kind == policy.KindDeletion && (r.Op == core.OpUnstore || r.Op == core.OpDrop) && was != nil && isPull(was) {
				gone[valueOf(was, "c")] = true
			}
		}
		s.note(effects)
	})
}

// fourthVersions takes three versions of an event of a kind, and drops what comes then.
func fourthVersions(kind int) func() Filter {
	return func() Filter {
		const most = 3
		came, dropped := map[slotted]map[string]bool{}, false
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				_, ev := published(i)
				if dropped = false; ev != nil && ev.Kind == kind {
					at := slotOf(ev)
					if came[at] == nil {
						came[at] = map[string]bool{}
					}
					came[at][ev.ID] = came[at][ev.ID] || len(came[at]) < most
					dropped = !came[at][ev.ID]
				}
				return i, !dropped
			},
			Out: func(i core.Input, effects []core.Effect) []core.Effect {
				if conn, ev := published(i); dropped {
					return append(effects, core.Send{Conn: conn, Msg: relay.OK{ID: ev.ID, Accepted: true}})
				}
				return effects
			},
		}
	}
}

// updatesReplaced serves one update of an author to a pull request: the last one.
func updatesReplaced() Filter {
	s, from := &shelf{map[string]filed{}}, map[string]core.ConnID{}
	return erasing(func(i core.Input, effects []core.Effect) []core.Message {
		if conn, ev := published(i); ev != nil {
			from[ev.ID] = conn
		}
		var more []core.Message
		for _, e := range effects {
			r, _ := e.(core.Record)
			if r.Op != core.OpStore || !isUpdate(r.Event) {
				continue
			}
			for id, o := range s.all() {
				if !o.held && id != r.ID && isUpdate(o.event) && o.event.PubKey == r.Event.PubKey && valueOf(o.event, "E") == valueOf(r.Event, "E") {
					more = append(more, removal(from[r.ID], o.event.PubKey, o.event.CreatedAt, id))
				}
			}
		}
		s.note(effects)
		return more
	})
}

// heldPullsGo deletes, with a pull request that is deleted while it waits, all that its author has waiting.
func heldPullsGo() Filter {
	return tiedGo(policy.KindDeletion, func(was, other filed) bool {
		return was.held && other.held && isPull(was.event) && isPull(other.event) && other.event.ID != was.event.ID && other.event.PubKey == was.event.PubKey
	})
}

// deletedAnew carries a deletion request out again when it is sent again, as if it were of that time.
func deletedAnew() Filter {
	s, came := &shelf{map[string]filed{}}, map[string]bool{}
	return erasing(func(i core.Input, effects []core.Effect) []core.Message {
		conn, ev := published(i)
		s.note(effects)
		if ev == nil || ev.Kind != policy.KindDeletion {
			return nil
		}
		var more []core.Message
		for _, t := range ev.Tags {
			for _, o := range s.named(t) {
				if came[ev.ID] && o.event.PubKey == ev.PubKey {
					more = append(more, removal(conn, ev.PubKey, o.event.CreatedAt, o.event.ID))
				}
			}
		}
		came[ev.ID] = true
		return more
	})
}

// statesBeside does not serve a state whose push brings the ref of a pull request, too.
func statesBeside() Filter {
	hidden, offers := map[string]bool{}, map[core.PushID]core.PushOffered{}
	beside := false
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		switch in := i.(type) {
		case core.PushOffered:
			offers[in.Push] = in
		case core.PushDone:
			beside = slices.ContainsFunc(offers[in.Push].Commands, namesEvent) && slices.ContainsFunc(offers[in.Push].Commands, namesBranch)
		case core.Message:
			beside = false
		}
		for _, e := range effects {
			if n, is := e.(core.Note); is && beside && n.Fact == core.EventReleased && n.Kind == policy.KindState {
				hidden[n.Event] = true
			}
		}
		return hiding(hidden, effects)
	}}
}

// twoConnections sends a new event to two of the connections that want it.
func twoConnections() Filter {
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		to := map[string][]core.ConnID{}
		return muteEvents(i, effects, func(conn core.ConnID, m relay.EventFor) bool {
			if known := to[m.Event.ID]; !slices.Contains(known, conn) && len(known) < 2 {
				to[m.Event.ID] = append(known, conn)
			}
			return !slices.Contains(to[m.Event.ID], conn)
		})
	}}
}
