package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// behindDefects are mistakes that show behind something that was right: a second request, a newer version, what has gone or waits.
func behindDefects() []Defect {
	return []Defect{
		{Name: "deletions-counted-by-the-last-request", Filter: lastRequest},
		{Name: "limits-of-zero-for-all-filters", Filter: in(zeroForAll)},
		{Name: "expired-events-back", Filter: expiredBack},
		{Name: "deleted-states-bar-older-ones", Filter: deletedBar},
		{Name: "deletions-of-beginnings-of-names-refused", Filter: func() Filter {
			return refusingPushes(func(s *shelf, _ map[string]int, o core.PushOffered) bool {
				state := s.latestOf(o.Repo.Identifier, string(o.Repo.Owner))
				return state != nil && slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool {
					return c.New.IsZero() && slices.ContainsFunc(refsOf(state), func(ref string) bool { return strings.HasPrefix(ref, c.Ref) })
				})
			})
		}},
		headOfAuthors("head-as-its-author-had-it"),
		{Name: "deleted-held-states-take-the-served", Filter: requests(func(ev *nostr.Event, s *shelf) {
			for _, t := range slices.Clone(ev.Tags) {
				for _, e := range s.named(t) {
					for id, o := range s.all() {
						if t[0] == "e" && e.held && e.event.Kind == policy.KindState && !o.held && slotOf(o.event) == slotOf(e.event) {
							ev.Tags = append(ev.Tags, nostr.Tag{"e", id})
						}
					}
				}
			}
		})},
		{Name: "deletions-by-id-bar-newer-versions", Filter: idsBar},
		{Name: "deletions-untold", Filter: func() Filter {
			return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
				return muteEvents(i, effects, func(_ core.ConnID, m relay.EventFor) bool { return m.Event.Kind == policy.KindDeletion })
			}}
		}},
		{Name: "announcements-of-further-places-wait-anew", Core: func(m core.Machine) core.Machine {
			return &placesAnew{Machine: m, known: map[string]bool{}}
		}},
		{Name: "newer-announcements-untold", Filter: func() Filter {
			versions, newer := succession{}, map[string]bool{}
			return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
				for _, e := range effects {
					r, _ := e.(core.Record)
					if former, is := versions.next(r); is && !former.held && r.Event.Kind == policy.KindAnnouncement {
						newer[r.ID] = true
					}
				}
				return muteEvents(i, effects, func(_ core.ConnID, m relay.EventFor) bool { return newer[m.Event.ID] })
			}}
		}},
		{Name: "served-states-hidden-by-held", Filter: hiddenByHeld},
		{Name: "addresses-cover-held-states-of-others", Filter: othersCovered},
		{Name: "deleted-held-announcements-leave-no-room", Core: noRoom},
		{Name: "held-updates-undeletable", Filter: sparing(func(e filed, _ bool) bool { return e.held && e.event.Kind == policy.KindPullRequestUpdate })},
	}
}

// lastRequest takes what an earlier request to delete an address covers and the last one does not.
func lastRequest() Filter {
	last := map[string]nostr.Timestamp{}
	var back []*nostr.Event
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		conn, ev := published(i)
		if ev == nil {
			return showing(i, effects, back)
		}
		for t := range ev.Tags.FindAll("a") {
			if ev.Kind == policy.KindDeletion {
				last[t[1]] = ev.CreatedAt
			}
		}
		if until, asked := last[addressOf(ev)]; asked && until < ev.CreatedAt && refusedBy(effects, ev.ID, "N09-05") {
			back = append(back, ev)
			return []core.Effect{core.Send{Conn: conn, Msg: relay.OK{ID: ev.ID, Accepted: true}}}
		}
		return effects
	}}
}

// zeroForAll takes a limit of zero for that of every filter of its query.
func zeroForAll(m core.Message) core.Message {
	q, is := m.Msg.(relay.Req)
	if !is || !slices.ContainsFunc(q.Filters, func(f relay.Filter) bool { return f.Limit != nil && *f.Limit == 0 }) {
		return m
	}
	none := 0
	q.Filters = slices.Clone(q.Filters)
	for n := range q.Filters {
		q.Filters[n].Limit = &none
	}
	m.Msg = q
	return m
}

// expiredBack shows again what has expired here once it is sent again.
func expiredBack() Filter {
	was := map[string]bool{}
	var back []*nostr.Event
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		for _, e := range effects {
			if r, _ := e.(core.Record); r.Op == core.OpStore {
				was[r.ID] = true
			}
		}
		if conn, ev := published(i); ev != nil && was[ev.ID] && refusedBy(effects, ev.ID, "N40-01") {
			back = append(back, ev)
			return []core.Effect{core.Send{Conn: conn, Msg: relay.OK{ID: ev.ID, Accepted: true}}}
		}
		return showing(i, effects, back)
	}}
}

// deletedBar refuses pushes of states that are older than one that was deleted while it waited, whoever wrote them.
func deletedBar() Filter {
	s, bar := &shelf{map[string]filed{}}, map[string]nostr.Timestamp{}
	filter := refuses(func(o core.PushOffered) bool {
		for _, e := range s.all() {
			ev := e.event
			if ev.Kind == policy.KindState && ev.Tags.GetD() == o.Repo.Identifier && declares(ev, o.Commands) && ev.CreatedAt < bar[o.Repo.Identifier] {
				return true
			}
		}
		return false
	})()
	return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
		for _, e := range effects {
			n, _ := e.(core.Note)
			if was := s.byID[n.Event]; n.Fact == core.EventDeleted && n.Kind == policy.KindState && was.held {
				bar[n.Repo.Identifier] = max(bar[n.Repo.Identifier], was.event.CreatedAt)
			}
		}
		s.note(effects)
		return filter.Out(i, effects)
	}}
}

// headOfAuthors points HEAD, with a state that does not name it, to where the author's last one that does has it.
func headOfAuthors(name string) Defect {
	var p pointer
	return Defect{Name: name, Backend: p.lend, Filter: func() Filter {
		head := map[slotted]string{}
		return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				r, _ := e.(core.Record)
				switch {
				case r.Op != core.OpStore || r.Event.Kind != policy.KindState:
				case r.Event.Tags.Find("HEAD") != nil:
					head[slotOf(r.Event)] = headOf(r.Event)
				case head[slotOf(r.Event)] != "":
					p.point(head[slotOf(r.Event)], func(id repo.ID) bool { return id.Identifier == r.Event.Tags.GetD() })
				}
			}
			return effects
		}}
	}}
}

// idsBar refuses every newer version of what was deleted by its id.
func idsBar() Filter {
	s, barred := &shelf{map[string]filed{}}, map[slotted]bool{}
	return rejecting(func(ev *nostr.Event) bool { return nostr.IsAddressableKind(ev.Kind) && barred[slotOf(ev)] }, func(i core.Input, effects []core.Effect) {
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindDeletion {
			for t := range ev.Tags.FindAll("e") {
				if e := s.byID[t[1]]; e.event != nil && !e.held && e.event.PubKey == ev.PubKey {
					barred[slotOf(e.event)] = true
				}
			}
		}
		s.note(effects)
	})
}

// hiddenByHeld shows no served state while a newer one of its author waits.
func hiddenByHeld() Filter {
	s := &shelf{map[string]filed{}}
	return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
		s.note(effects)
		hidden := map[string]bool{}
		for id, e := range s.all() {
			for _, o := range s.all() {
				if !e.held && o.held && e.event.Kind == policy.KindState && slotOf(o.event) == slotOf(e.event) {
					hidden[id] = true
				}
			}
		}
		return hiding(hidden, effects)
	}}
}

// othersCovered deletes, with the states at an address, those of others that wait for that identifier.
func othersCovered() Filter {
	s := &shelf{map[string]filed{}}
	return erasing(func(i core.Input, effects []core.Effect) []core.Message {
		conn, ev := published(i)
		var more []core.Message
		if ev != nil && ev.Kind == policy.KindDeletion {
			for t := range ev.Tags.FindAll("a") {
				for id, e := range s.all() {
					kind, owner, identifier, is := coordinate(t[1])
					other := is && kind == "30618" && owner == ev.PubKey && e.event.PubKey != owner && e.event.Tags.GetD() == identifier
					if other && e.held && e.event.Kind == policy.KindState && e.event.CreatedAt <= ev.CreatedAt {
						more = append(more, removal(conn, e.event.PubKey, ev.CreatedAt, id))
					}
				}
			}
		}
		s.note(effects)
		return more
	})
}

// A roomless machine has no repository any more where an announcement was deleted while it waited.
type roomless struct {
	core.Machine
	gone map[repo.ID]bool
}

func noRoom(m core.Machine) core.Machine {
	s, r := &shelf{map[string]filed{}}, &roomless{gone: map[repo.ID]bool{}}
	r.Machine = &filtered{Machine: m, silent: map[string]int{}, filter: Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
		for _, e := range effects {
			n, _ := e.(core.Note)
			if n.Fact == core.EventDeleted && n.Kind == policy.KindAnnouncement && s.byID[n.Event].held {
				r.gone[n.Repo] = true
			}
		}
		s.note(effects)
		return effects
	}}}
	return r
}

// Repository implements core.Machine.
func (r *roomless) Repository(id repo.ID) web.Repository {
	if r.gone[id] {
		return web.Repository{}
	}
	return r.Machine.Repository(id)
}
