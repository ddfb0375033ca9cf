package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// boundDefects are mistakes at the bounds of deletions, of vanishing, of authentication and of expiration: in their own second,
// for what was not here then, for who has shown something else.
func boundDefects() []Defect {
	return []Defect{
		{Name: "deletions-by-address-spare-their-own-second", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			if ev.Kind != policy.KindDeletion || ev.Tags.Find("a") == nil {
				return false
			}
			ev.CreatedAt--
			return true
		})},
		{Name: "deletions-older-than-events-ignored", Filter: requests(func(ev *nostr.Event, s *shelf) {
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool {
				return t[0] == "e" && slices.ContainsFunc(s.named(t), func(e filed) bool { return e.event.CreatedAt > ev.CreatedAt })
			})
		})},
		{Name: "deleted-versions-bring-back-the-former", Filter: formerBack},
		{Name: "unseen-versions-of-deleted-addresses-taken", Filter: unseenTaken(policy.KindDeletion)},
		{Name: "unseen-events-of-vanished-keys-taken", Filter: unseenTaken(policy.KindVanish)},
		{Name: "vanishing-spares-its-own-second", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			ev.CreatedAt--
			return ev.Kind == policy.KindVanish
		})},
		{Name: "vanishing-spares-deletions", Filter: vanishingSpares(policy.KindDeletion)},
		{Name: "vanishing-forgotten-at-start", Filter: survivors(func(in core.Started) core.Started {
			in.Marks = slices.DeleteFunc(slices.Clone(in.Marks), func(m core.Mark) bool { return m.Kind == core.MarkVanished })
			return in
		})},
		{Name: "first-relay-of-vanishing-only", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			ev.Tags = firstOf(ev.Tags, "relay")
			return ev.Kind == policy.KindVanish
		})},
		{Name: "vanishing-with-a-slash-ignored", Filter: vanishingAt(func(url string) bool { return strings.HasSuffix(url, "/") })},
		{Name: "vanishing-without-a-slash-ignored", Filter: vanishingAt(func(url string) bool { return !strings.HasSuffix(url, "/") })},
		{Name: "vanished-states-authorize", Filter: vanishedAuthorize},
		{Name: "authentications-of-other-connections", Filter: otherChallenges},
		authenticationsForAny("authentications-for-any-relay"),
		{Name: "failed-authentications-log-out", Filter: failuresLogOut},
		{Name: "protected-taken-from-whoever-authenticates", Filter: authenticatedAnybody},
		{Name: "protected-repositories-taken-from-anybody", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			if ev.Kind != policy.KindAnnouncement && ev.Kind != policy.KindState && !isPull(ev) {
				return false
			}
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "-" })
			return true
		})},
		{Name: "protected-deletions-taken-from-anybody", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "-" })
			return ev.Kind == policy.KindDeletion
		})},
		{Name: "expirations-of-announcements-unread", Filter: unexpiring(func(ev *nostr.Event) bool { return ev.Kind == policy.KindAnnouncement })},
		{Name: "expirations-of-pull-requests-unread", Filter: unexpiring(isPull)},
	}
}

// unexpiring does not look at the expiration of some events.
func unexpiring(which func(*nostr.Event) bool) func() Filter {
	return edited(func(ev *nostr.Event, _ *shelf) bool {
		before, is := len(ev.Tags), which(ev)
		ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "expiration" })
		return is && len(ev.Tags) < before
	})
}

// showing answers queries also with some events.
func showing(i core.Input, effects []core.Effect, shown []*nostr.Event) []core.Effect {
	m, _ := i.(core.Message)
	q, asks := m.Msg.(relay.Req)
	var all []core.Effect
	for _, ev := range shown {
		if asks && wants(q.Filters, ev) {
			all = append(all, core.Send{Conn: m.Conn, Msg: relay.EventFor{Sub: q.Sub, Event: ev}})
		}
	}
	return append(all, effects...)
}

// formerBack shows the version again that one has replaced which is deleted by its id.
func formerBack() Filter {
	versions, former := succession{}, map[string]*nostr.Event{}
	var back []*nostr.Event
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		_, ev := published(i)
		for _, e := range effects {
			r, _ := e.(core.Record)
			if old, is := versions.next(r); is && nostr.IsAddressableKind(r.Event.Kind) {
				former[r.ID] = old.event
			}
			if r.Op == core.OpUnstore && ev != nil && ev.Kind == policy.KindDeletion && former[r.ID] != nil && ev.Tags.Find("a") == nil {
				back = append(back, former[r.ID])
			}
		}
		return showing(i, effects, back)
	}}
}

// unseenTaken takes and shows events that a request covers, if they were not here when it came.
func unseenTaken(kind int) func() Filter {
	return func() Filter {
		seen, asked := map[string]bool{}, map[string]bool{}
		var back []*nostr.Event
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			conn, ev := published(i)
			if ev != nil {
				if asked[ev.PubKey] && !seen[ev.ID] && refusedBy(effects, ev.ID, "N09-05") && (kind == policy.KindVanish || nostr.IsAddressableKind(ev.Kind)) {
					back = append(back, ev)
					effects = slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
						send, _ := e.(core.Send)
						_, is := send.Msg.(relay.OK)
						return is
					})
					effects = append(effects, core.Send{Conn: conn, Msg: relay.OK{ID: ev.ID, Accepted: true}})
				}
				seen[ev.ID] = true
				asked[ev.PubKey] = asked[ev.PubKey] || ev.Kind == kind
			}
			return showing(i, effects, back)
		}}
	}
}

// vanishingSpares goes on showing events of a kind whose author has vanished.
func vanishingSpares(kind int) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		var back []*nostr.Event
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			_, by := published(i)
			for _, e := range effects {
				if r, _ := e.(core.Record); r.Op == core.OpUnstore && by != nil && by.Kind == policy.KindVanish {
					if old := s.byID[r.ID].event; old != nil && old.Kind == kind {
						back = append(back, old)
					}
				}
			}
			s.note(effects)
			return showing(i, effects, back)
		}}
	}
}

// vanishingAt does not read relays of a form in requests to vanish.
func vanishingAt(form func(string) bool) func() Filter {
	return edited(func(ev *nostr.Event, _ *shelf) bool {
		ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[0] == "relay" && t[1] != policy.AllRelays && form(t[1]) })
		return ev.Kind == policy.KindVanish
	})
}

// vanishedAuthorize lets pushes run that a state says whose author has vanished since.
func vanishedAuthorize() Filter {
	states, gone := map[string][]*nostr.Event{}, map[string]bool{}
	return letting(func(i core.Input) {
		_, ev := published(i)
		switch {
		case ev == nil:
		case ev.Kind == policy.KindState:
			states[ev.Tags.GetD()] = append(states[ev.Tags.GetD()], ev)
		case ev.Kind == policy.KindVanish:
			gone[ev.PubKey] = true
		}
	}, func(o core.PushOffered, _ policy.Ruling) bool {
		return slices.ContainsFunc(states[o.Repo.Identifier], func(ev *nostr.Event) bool { return gone[ev.PubKey] && fits(o, ev) })
	})
}

// otherChallenges takes the challenge of any connection in an authentication.
func otherChallenges() Filter {
	told, all := map[core.ConnID]string{}, map[string]bool{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			if c, is := i.(core.ConnOpened); is {
				told[c.Conn], all[c.Challenge] = c.Challenge, true
			}
			m, _ := i.(core.Message)
			auth, is := m.Msg.(relay.Auth)
			if !is {
				return i, true
			}
			changed := *auth.Event
			changed.Tags = slices.Clone(changed.Tags)
			for n, t := range changed.Tags {
				if len(t) > 1 && t[0] == "challenge" && all[t[1]] {
					changed.Tags[n] = nostr.Tag{"challenge", told[m.Conn]}
				}
			}
			auth.Event = &changed
			m.Msg = auth
			return m, true
		},
	}
}

// authenticationsForAny does not look at the relay that an authentication names.
func authenticationsForAny(name string) Defect {
	var own repo.Service
	return Defect{
		Name:   name,
		Config: func(c *core.Config) { own = c.Service },
		Filter: func() Filter {
			return Filter{In: func(i core.Input) (core.Input, bool) {
				m, _ := i.(core.Message)
				auth, is := m.Msg.(relay.Auth)
				if !is {
					return i, true
				}
				changed := *auth.Event
				changed.Tags = slices.Clone(changed.Tags)
				for n, t := range changed.Tags {
					if t[0] == "relay" {
						changed.Tags[n] = nostr.Tag{"relay", own.RelayURL("ws")}
					}
				}
				auth.Event = &changed
				m.Msg = auth
				return m, true
			}}
		},
	}
}

// failuresLogOut forgets who has authenticated on a connection when another attempt fails there.
func failuresLogOut() Filter {
	var conn core.ConnID
	out := map[core.ConnID]bool{}
	filter := rejecting(func(ev *nostr.Event) bool {
		return out[conn] && slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "-" })
	}, func(i core.Input, effects []core.Effect) {
		m, _ := i.(core.Message)
		_, is := m.Msg.(relay.Auth)
		for _, e := range effects {
			send, _ := e.(core.Send)
			if answer, said := send.Msg.(relay.OK); is && said {
				out[m.Conn] = !answer.Accepted
			}
		}
	})
	return Filter{In: func(i core.Input) (core.Input, bool) {
		conn, _ = published(i)
		return filter.In(i)
	}, Out: filter.Out}
}

// authenticatedAnybody takes a protected event from whoever has authenticated on its connection.
func authenticatedAnybody() Filter {
	var conn core.ConnID
	known := map[core.ConnID]bool{}
	filter := edited(func(ev *nostr.Event, _ *shelf) bool {
		if !known[conn] {
			return false
		}
		ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "-" })
		return true
	})()
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			conn, _ = published(i)
			return filter.In(i)
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			m, _ := i.(core.Message)
			if _, is := m.Msg.(relay.Auth); is {
				for _, e := range effects {
					send, _ := e.(core.Send)
					if answer, said := send.Msg.(relay.OK); said && answer.Accepted {
						known[m.Conn] = true
					}
				}
			}
			return filter.Out(i, effects)
		},
	}
}
