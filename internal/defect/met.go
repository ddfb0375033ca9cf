package defect

import (
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// metDefects are mistakes that show where one rule meets another: what is replaced and what waits for it, what is deleted and
// what comes back.
func metDefects() []Defect {
	return []Defect{
		timersRunOn("timers-of-replaced-announcements-run-on"),
		{Name: "states-go-with-replaced-held-announcements", Filter: replacedTakes(true)},
		{Name: "states-go-with-replaced-served-announcements", Filter: replacedTakes(false)},
		announcementsMoveHead("announcements-reset-head"),
		{Name: "served-announcements-wait-again", Filter: waitAgain},
		{Name: "replaced-ids-delete-what-follows", Filter: replacedDelete},
		{Name: "announcements-of-deleted-addresses-refused", Filter: neverAgain(policy.KindAnnouncement)},
		{Name: "states-of-deleted-addresses-refused", Filter: neverAgain(policy.KindState)},
		{Name: "vanished-keys-refused", Filter: vanishedRefused},
		{Name: "last-authentication-counts", Filter: lastAuthentication},
	}
}

// A slotted event is one of several versions.
type slotted struct {
	kind       int
	author     string
	identifier string
}

func slotOf(ev *nostr.Event) slotted { return slotted{ev.Kind, ev.PubKey, ev.Tags.GetD()} }

// A succession tells which event of a slot was the one before.
type succession map[slotted]filed

// next returns what an event of a record takes the place of, if it is not the same event.
func (s succession) next(r core.Record) (former filed, is bool) {
	if r.Event == nil || (r.Op != core.OpStore && r.Op != core.OpHold) {
		return filed{}, false
	}
	at := slotOf(r.Event)
	former, is = s[at]
	s[at] = filed{r.Event, r.Op == core.OpHold}
	return former, is && former.event.ID != r.ID
}

// removal makes a request to delete some events by their author, of which nobody is told.
func removal(conn core.ConnID, author string, at nostr.Timestamp, ids ...string) core.Message {
	gone := &nostr.Event{ID: mirror(ids[0]), PubKey: author, Kind: policy.KindDeletion, CreatedAt: at}
	for _, id := range ids {
		gone.Tags = append(gone.Tags, nostr.Tag{"e", id})
	}
	return core.Message{Conn: conn, Msg: relay.Event{Event: gone, IDOK: true}, SigOK: true}
}

// erasing makes further inputs, most of which erase something; the events that do are hidden.
func erasing(also func(i core.Input, effects []core.Effect) []core.Message) Filter {
	hidden := map[string]bool{}
	return Filter{
		Out: func(_ core.Input, effects []core.Effect) []core.Effect { return hiding(hidden, effects) },
		Also: func(i core.Input, effects []core.Effect) []core.Input {
			var more []core.Input
			for _, m := range also(i, effects) {
				sent, _ := m.Msg.(relay.Event)
				hidden[sent.Event.ID] = true
				more = append(more, m)
			}
			return more
		},
	}
}

// tiedGo deletes, with what a request of a kind deletes, all that is tied to it, whoever wrote that.
func tiedGo(request int, tied func(was, other filed) bool) Filter {
	s := &shelf{map[string]filed{}}
	return erasing(func(i core.Input, effects []core.Effect) []core.Message {
		conn, by := published(i)
		var more []core.Message
		for _, e := range effects {
			r, _ := e.(core.Record)
			was, known := s.byID[r.ID]
			if (r.Op != core.OpUnstore && r.Op != core.OpDrop) || by == nil || by.Kind != request || !known {
				continue
			}
			for id, other := range s.all() {
				if tied(was, other) {
					more = append(more, removal(conn, other.event.PubKey, other.event.CreatedAt, id))
				}
			}
		}
		s.note(effects)
		return more
	})
}

// alike reports whether two events are of one identifier.
func alike(a, b filed) bool { return a.event.Tags.GetD() == b.event.Tags.GetD() }

// A timed machine knows the time of its last step.
type timed struct {
	core.Machine
	now instant.Instant
}

// Step implements core.Machine.
func (t *timed) Step(now instant.Instant, in core.Input, out *core.Effects) {
	t.now = now
	t.Machine.Step(now, in, out)
}

// timersRunOn erases an announcement half an hour after one came that waited in its place.
func timersRunOn(name string) Defect {
	const life = 30 * time.Minute
	type timer struct {
		at instant.Instant
		of slotted
	}
	return Defect{Name: name, Core: func(m core.Machine) core.Machine {
		t, versions, timers := &timed{}, succession{}, []timer{}
		filter := erasing(func(i core.Input, effects []core.Effect) []core.Message {
			in, _ := i.(core.Message)
			var more []core.Message
			timers = slices.DeleteFunc(timers, func(x timer) bool {
				if in.Conn == 0 || t.now < x.at {
					return false
				}
				ev := versions[x.of].event
				more = append(more, removal(in.Conn, ev.PubKey, ev.CreatedAt, ev.ID))
				return true
			})
			for _, e := range effects {
				r, _ := e.(core.Record)
				former, is := versions.next(r)
				if is && former.held && former.event.Kind == policy.KindAnnouncement {
					timers = append(timers, timer{t.now.Add(life), slotOf(former.event)})
				}
			}
			return more
		})
		t.Machine = &filtered{Machine: m, filter: filter, silent: map[string]int{}}
		return t
	}}
}

// replacedTakes erases what an author has held of states when an announcement takes the place of one that was held, or served.
func replacedTakes(held bool) func() Filter {
	return func() Filter {
		s, versions := &shelf{map[string]filed{}}, succession{}
		return erasing(func(i core.Input, effects []core.Effect) []core.Message {
			in, _ := i.(core.Message)
			s.note(effects)
			var more []core.Message
			for _, e := range effects {
				r, _ := e.(core.Record)
				former, is := versions.next(r)
				if !is || former.held != held || r.Event.Kind != policy.KindAnnouncement {
					continue
				}
				for id, state := range s.all() {
					o := state.event
					if state.held && o.Kind == policy.KindState && o.PubKey == r.Event.PubKey && o.Tags.GetD() == r.Event.Tags.GetD() {
						more = append(more, removal(in.Conn, o.PubKey, o.CreatedAt, id))
					}
				}
			}
			return more
		})
	}
}

// announcementsMoveHead points HEAD to the branch of a new repository with every announcement.
func announcementsMoveHead(name string) Defect {
	var p pointer
	return Defect{Name: name, Backend: p.lend, Filter: func() Filter {
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if _, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement {
				p.point(repo.HeadNew, func(id repo.ID) bool { return id.Identifier == ev.Tags.GetD() && string(id.Owner) == ev.PubKey })
			}
			return effects
		}}
	}}
}

// waitAgain takes a served announcement that is sent again for one that waits.
func waitAgain() Filter {
	s, hidden := &shelf{map[string]filed{}}, map[string]bool{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement {
			if known, is := s.byID[ev.ID]; is && !known.held {
				hidden[ev.ID] = true
			}
		}
		s.note(effects)
		return hiding(hidden, effects)
	}}
}

// replacedDelete takes a request to delete a version that was replaced for one to delete what has taken its place.
func replacedDelete() Filter {
	known := map[string]*nostr.Event{}
	return edited(func(ev *nostr.Event, s *shelf) bool {
		known[ev.ID] = ev
		if ev.Kind != policy.KindDeletion {
			return false
		}
		for _, t := range slices.Clone(ev.Tags) {
			if len(t) < 2 || t[0] != "e" {
				continue
			}
			old := known[t[1]]
			if old == nil || old.PubKey != ev.PubKey || !nostr.IsAddressableKind(old.Kind) {
				continue
			}
			for id, e := range s.all() {
				if slotOf(e.event) == slotOf(old) {
					ev.Tags = append(ev.Tags, nostr.Tag{"e", id})
				}
			}
		}
		return true
	})()
}

// neverAgain refuses events of a kind once a request has named their address, whatever their time.
func neverAgain(kind int) func() Filter {
	return func() Filter {
		gone := map[slotted]bool{}
		return rejecting(func(ev *nostr.Event) bool {
			if ev.Kind == policy.KindDeletion {
				for _, a := range policy.ParseDeletion(ev).Addresses {
					gone[slotted{a.Kind, ev.PubKey, a.Identifier}] = true
				}
			}
			return ev.Kind == kind && gone[slotOf(ev)]
		}, nil)
	}
}

// vanishedRefused refuses everything of a key that has asked to vanish.
func vanishedRefused() Filter {
	gone := map[string]bool{}
	return rejecting(func(ev *nostr.Event) bool {
		if gone[ev.PubKey] {
			return true
		}
		for _, t := range ev.Tags {
			elsewhere := len(t) < 2 || t[1] == "" || strings.HasSuffix(t[1], ".invalid/")
			gone[ev.PubKey] = gone[ev.PubKey] || ev.Kind == policy.KindVanish && t[0] == "relay" && !elsewhere
		}
		return false
	}, nil)
}

// lastAuthentication forgets with each key that authenticates those before it.
func lastAuthentication() Filter {
	var conn core.ConnID
	last := map[core.ConnID]string{}
	filter := rejecting(func(ev *nostr.Event) bool {
		protected := slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "-" })
		return protected && last[conn] != "" && last[conn] != ev.PubKey
	}, func(i core.Input, effects []core.Effect) {
		m, _ := i.(core.Message)
		auth, is := m.Msg.(relay.Auth)
		for _, e := range effects {
			send, _ := e.(core.Send)
			if answer, said := send.Msg.(relay.OK); is && said && answer.Accepted {
				last[m.Conn] = auth.Event.PubKey
			}
		}
	})
	return Filter{In: func(i core.Input) (core.Input, bool) {
		conn, _ = published(i)
		return filter.In(i)
	}, Out: filter.Out}
}
