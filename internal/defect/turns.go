package defect

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// turnsDefects are mistakes that show when one thing comes while another one is open: on one connection, or on two.
func turnsDefects() []Defect {
	return []Defect{
		{Name: "counts-end-reconciliations", Filter: reconciliationsEnd(func(m relay.ClientMessage) bool { _, is := m.(relay.Count); return is })},
		{Name: "queries-end-reconciliations", Filter: reconciliationsEnd(func(m relay.ClientMessage) bool { _, is := m.(relay.Req); return is })},
		{Name: "events-end-reconciliations", Filter: reconciliationsEnd(func(m relay.ClientMessage) bool { _, is := m.(relay.Event); return is })},
		{Name: "nonsense-ends-reconciliations", Filter: reconciliationsEnd(func(m relay.ClientMessage) bool { _, is := m.(relay.Malformed); return is })},
		{Name: "reconciliations-take-over-subscriptions", Filter: hushed(func(i core.Input, _ []core.Effect) (core.ConnID, string, bool) {
			m, _ := i.(core.Message)
			q, is := m.Msg.(relay.NegOpen)
			return m.Conn, q.Sub, is
		})},
		{Name: "subscriptions-take-over-reconciliations", Filter: subscriptionsTakeOver},
		{Name: "reconciliations-of-one-id-end-each-other", Filter: reconciliationsShared},
		{Name: "duplicates-from-elsewhere-refused", Filter: duplicatesElsewhere},
		{Name: "subscription-ids-in-any-case", Filter: idsAlike(strings.EqualFold)},
		{Name: "subscription-ids-by-their-first-half", Filter: idsAlike(func(a, b string) bool {
			const half = 32
			return len(a) > half && len(b) > half && a[:half] == b[:half]
		})},
		{Name: "subscription-ids-trimmed", Filter: idsAlike(func(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) })},
		{Name: "authentications-end-other-connections", Filter: oneAuthenticated},
		{Name: "counts-without-ids", Filter: counted(func(list []relay.Filter) []relay.Filter {
			for n := range list {
				list[n].IDs = nil
			}
			return list
		})},
		{Name: "counts-of-kinds-by-their-first", Filter: counted(func(list []relay.Filter) []relay.Filter {
			for n := range list {
				list[n].Kinds = first(list[n].Kinds)
			}
			return list
		})},
		{Name: "counts-of-several-filters-empty", Filter: out(func(i core.Input, e core.Effect) (core.Effect, bool) {
			m, _ := i.(core.Message)
			send, _ := e.(core.Send)
			answer, is := send.Msg.(relay.Counted)
			if q, asks := m.Msg.(relay.Count); is && asks && len(q.Filters) > 1 {
				answer.Count = 0
				send.Msg = answer
				return send, true
			}
			return e, true
		})},
		{Name: "reconciliations-without-bounds", Filter: in(func(m core.Message) core.Message {
			if q, is := m.Msg.(relay.NegOpen); is {
				q.Filter.Since, q.Filter.Until = nil, nil
				m.Msg = q
			}
			return m
		})},
		{Name: "limit-zero-brings-one", Filter: req(func(f relay.Filter) relay.Filter {
			if f.Limit != nil && *f.Limit == 0 {
				one := 1
				f.Limit = &one
			}
			return f
		})},
		{Name: "deletions-by-address-alone-where-both", Filter: requests(func(ev *nostr.Event, _ *shelf) {
			if ev.Tags.Find("a") != nil {
				ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "e" })
			}
		})},
		timersOfExpirations("expirations-of-replaced-versions-run-on"),
		{Name: "long-descriptions-refused", Filter: rejects(func(ev *nostr.Event) bool {
			const long = 1000
			return ev.Kind == policy.KindAnnouncement && len(ev.Tags.Find("description")) > 1 && len(ev.Tags.Find("description")[1]) > long
		})},
		{Name: "withdrawals-are-final", Filter: withdrawn},
		{Name: "maintainers-of-a-triangle-ignored", Filter: triangles},
	}
}

// ended answers what goes on in a reconciliation that is dead with an error.
func ended(dead map[openedAt]bool, also func(m core.Message)) Filter {
	var stop *core.Send
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			stop = nil
			m, is := i.(core.Message)
			if !is {
				return i, true
			}
			switch q := m.Msg.(type) {
			case relay.NegOpen:
				delete(dead, openedAt{m.Conn, q.Sub})
			case relay.NegMessage:
				if dead[openedAt{m.Conn, q.Sub}] {
					stop = &core.Send{Conn: m.Conn, Msg: relay.NegError{Sub: q.Sub, Text: "closed: it is over"}}
					return i, false
				}
			}
			also(m)
			return i, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			if stop != nil {
				return append(effects, *stop)
			}
			return effects
		},
	}
}

// reconciliationsEnd ends the reconciliations of a connection by other messages on it.
func reconciliationsEnd(by func(relay.ClientMessage) bool) func() Filter {
	return func() Filter {
		open, dead := map[core.ConnID][]string{}, map[openedAt]bool{}
		return ended(dead, func(m core.Message) {
			if q, is := m.Msg.(relay.NegOpen); is {
				open[m.Conn] = append(open[m.Conn], q.Sub)
			}
			if by(m.Msg) {
				for _, sub := range open[m.Conn] {
					dead[openedAt{m.Conn, sub}] = true
				}
			}
		})
	}
}

// subscriptionsTakeOver ends a reconciliation when a subscription is opened under its id.
func subscriptionsTakeOver() Filter {
	dead := map[openedAt]bool{}
	return ended(dead, func(m core.Message) {
		if q, is := m.Msg.(relay.Req); is {
			dead[openedAt{m.Conn, q.Sub}] = true
		}
	})
}

// reconciliationsShared ends the reconciliations of an id on other connections when one is opened under it.
func reconciliationsShared() Filter {
	on, dead := map[string][]core.ConnID{}, map[openedAt]bool{}
	return ended(dead, func(m core.Message) {
		q, is := m.Msg.(relay.NegOpen)
		if !is {
			return
		}
		for _, conn := range on[q.Sub] {
			if conn != m.Conn {
				dead[openedAt{conn, q.Sub}] = true
			}
		}
		on[q.Sub] = append(on[q.Sub], m.Conn)
	})
}

// duplicatesElsewhere refuses an event that came on another connection before.
func duplicatesElsewhere() Filter {
	came := map[string]core.ConnID{}
	return ok(func(i core.Input, m relay.OK) relay.OK {
		conn, ev := published(i)
		if ev == nil || !m.Accepted {
			return m
		}
		if was, known := came[ev.ID]; known && was != conn {
			return relay.OK{ID: m.ID, Text: "duplicate: known"}
		}
		came[ev.ID] = conn
		return m
	})()
}

// idsAlike has a subscription take the place of others of its connection whose ids are alike.
func idsAlike(alike func(a, b string) bool) func() Filter {
	return func() Filter {
		var open []opened
		dead := map[openedAt]bool{}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if at, is := asks(i); is {
				delete(dead, at)
				for _, o := range open {
					if o.conn == at.conn && o.sub != at.sub && alike(o.sub, at.sub) {
						dead[openedAt{o.conn, o.sub}] = true
					}
				}
			}
			open = follow(open, i)
			return muted(i, effects, func(at openedAt) bool { return dead[at] })
		}}
	}
}

// oneAuthenticated ends the connections of a key when it authenticates on another one.
func oneAuthenticated() Filter {
	on := map[string]core.ConnID{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		m, _ := i.(core.Message)
		auth, is := m.Msg.(relay.Auth)
		if !is || !slices.ContainsFunc(effects, func(e core.Effect) bool {
			send, _ := e.(core.Send)
			answer, said := send.Msg.(relay.OK)
			return said && answer.Accepted
		}) {
			return effects
		}
		key := auth.Event.PubKey
		if was, known := on[key]; known && was != m.Conn {
			effects = append(effects, core.CloseConn{Conn: was})
		}
		on[key] = m.Conn
		return effects
	}}
}

// timersOfExpirations serves a version no more once one has expired in whose place it is.
func timersOfExpirations(name string) Defect {
	return Defect{Name: name, Core: func(m core.Machine) core.Machine {
		t, versions, due, hidden := &timed{}, succession{}, map[string]int64{}, map[string]bool{}
		filter := Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				r, _ := e.(core.Record)
				former, is := versions.next(r)
				if !is || former.event == nil || !nostr.IsAddressableKind(r.Event.Kind) {
					continue
				}
				if tag := former.event.Tags.Find("expiration"); len(tag) > 1 {
					due[r.ID], _ = strconv.ParseInt(tag[1], 10, 64)
				}
			}
			for id, at := range due {
				hidden[id] = t.now.Unix() >= at
			}
			return hiding(hidden, effects)
		}}
		t.Machine = &filtered{Machine: m, filter: filter, silent: map[string]int{}}
		return t
	}}
}

// withdrawn refuses the announcements of a repository behind one without a place of its author's.
func withdrawn() Filter {
	gone := map[slotted]bool{}
	return rejecting(func(ev *nostr.Event) bool {
		if ev.Kind != policy.KindAnnouncement {
			return false
		}
		was := gone[slotOf(ev)]
		gone[slotOf(ev)] = was || !slices.ContainsFunc(valuesOf(ev, "clone"), func(v string) bool { return strings.Contains(v, npub(ev.PubKey)) })
		return was
	}, nil)
}

// triangles refuses the states of who lists two that list each other, and whom one of them lists.
func triangles() Filter {
	s := &shelf{map[string]filed{}}
	return rejecting(func(ev *nostr.Event) bool {
		if ev.Kind != policy.KindState {
			return false
		}
		own, d := s.announcement(ev.PubKey, ev.Tags.GetD()), ev.Tags.GetD()
		if own.event == nil {
			return false
		}
		lists := func(a, b string) bool {
			of := s.announcement(a, d)
			return of.event != nil && slices.Contains(listedBy(of.event), b)
		}
		keys := listedBy(own.event)
		for _, a := range keys {
			for _, b := range keys {
				if a != b && a != ev.PubKey && b != ev.PubKey && lists(a, b) && lists(b, a) {
					return true
				}
			}
		}
		return false
	}, func(_ core.Input, effects []core.Effect) { s.note(effects) })
}
