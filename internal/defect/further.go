package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// furtherDefects are mistakes with what is not the first or the only one: another tag of a name, another version, another way to
// name something.
func furtherDefects() []Defect {
	return []Defect{
		{Name: "new-events-by-their-first-tags", Filter: newEventsAs(firstTags)},
		{Name: "new-events-by-values-in-any-case", Filter: newEventsAs(lowered, func(f relay.Filter) relay.Filter { return eachTagFilter(inLowerCase)(f) })},
		{Name: "new-events-by-names-in-any-case", Filter: newEventsAs(cased)},
		{Name: "counts-by-first-tags", Filter: setsAs(firstTags, true)},
		{Name: "reconciliations-by-first-tags", Filter: setsAs(firstTags, false)},
		{Name: "replaceable-by-identifier", Filter: keptAll(replaceableOfIdentifiers)},
		{Name: "strangers-delete-what-is-to-come", Filter: toCome("e")},
		{Name: "strangers-delete-addresses-to-come", Filter: toCome("a")},
		{Name: "first-reference-of-each-name", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			for _, name := range []string{"a", "A", "e", "E", "q"} {
				ev.Tags = firstOf(ev.Tags, name)
			}
			return ev.Kind < 30_000 && ev.Kind != policy.KindDeletion && !isPull(ev)
		})},
		{Name: "unknown-references-refuse", Filter: unknownRefuses},
		{Name: "mentions-by-patches-ignored", Filter: unmentioned(func(by *nostr.Event) bool { return by.Kind == 1617 })},
		{Name: "mentions-by-announcements-ignored", Filter: unmentioned(func(by *nostr.Event) bool { return by.Kind == policy.KindAnnouncement })},
		{Name: "mentions-by-pull-requests-ignored", Filter: unmentioned(isPull)},
		{Name: "second-mentions-ignored", Filter: secondMentions},
		{Name: "newer-announcements-root-nothing", Filter: rootless},
		{Name: "tags-of-a-few-elements", Filter: sentAs(func(tags nostr.Tags) nostr.Tags {
			const elements = 5
			cut := slices.Clone(tags)
			for i, t := range cut {
				cut[i] = t[:min(len(t), elements)]
			}
			return cut
		})},
		{Name: "replaced-subscriptions-count-on", Filter: countOn(func(m relay.ClientMessage) bool { _, is := m.(relay.Close); return is })},
		{Name: "closed-subscriptions-count-on", Filter: countOn(func(m relay.ClientMessage) bool { _, is := m.(relay.Req); return is })},
	}
}

// firstTags is an event with the first tag of each name alone.
func firstTags(ev *nostr.Event) *nostr.Event {
	other, seen := *ev, map[string]bool{}
	other.Tags = slices.DeleteFunc(slices.Clone(ev.Tags), func(t nostr.Tag) bool {
		was := len(t) == 0 || seen[t[0]]
		if !was {
			seen[t[0]] = true
		}
		return was
	})
	return &other
}

func inLowerCase(f relay.TagFilter) relay.TagFilter {
	values := make([]string, len(f.Values))
	for i, v := range f.Values {
		values[i] = strings.ToLower(v)
	}
	f.Values = values
	return f
}

// newEventsAs delivers new events, and only these, as if they were others and the filters of subscriptions too.
func newEventsAs(other func(*nostr.Event) *nostr.Event, changes ...func(relay.Filter) relay.Filter) func() Filter {
	return func() Filter {
		var open []opened
		gets := func(o opened, ev *nostr.Event) bool {
			var filters []relay.Filter
			for _, f := range o.filters {
				for _, change := range changes {
					f = change(f)
				}
				filters = append(filters, f)
			}
			return wants(filters, other(ev))
		}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			open = follow(open, i)
			kept := muteEvents(i, effects, func(conn core.ConnID, m relay.EventFor) bool {
				return slices.ContainsFunc(open, func(o opened) bool { return o.conn == conn && o.sub == m.Sub && !gets(o, m.Event) })
			})
			return tellMore(effects, kept, open, func(o opened, ev *nostr.Event) bool { return !wants(o.filters, ev) && gets(o, ev) })
		}}
	}
}

// setsAs counts or reconciles events as if they were others.
func setsAs(other func(*nostr.Event) *nostr.Event, counts bool) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		found := func(filters ...relay.Filter) relay.Filter {
			f := relay.Filter{IDs: []string{}}
			for id, e := range s.all() {
				if !e.held && wants(filters, other(e.event)) {
					f.IDs = append(f.IDs, id)
				}
			}
			slices.Sort(f.IDs)
			return f
		}
		f := in(func(m core.Message) core.Message {
			if q, is := m.Msg.(relay.Count); is && counts {
				q.Filters = []relay.Filter{found(q.Filters...)}
				m.Msg = q
			}
			if q, is := m.Msg.(relay.NegOpen); is && !counts {
				q.Filter = found(q.Filter)
				m.Msg = q
			}
			return m
		})()
		f.Out = func(_ core.Input, effects []core.Effect) []core.Effect { s.note(effects); return effects }
		return f
	}
}

// replaceableOfIdentifiers are replaceable events that name an identifier.
func replaceableOfIdentifiers(ev *nostr.Event) bool {
	return nostr.IsReplaceableKind(ev.Kind) && ev.Tags.Find("d") != nil
}

// toCome refuses what somebody else has asked to delete before it was here.
func toCome(by string) func() Filter {
	return func() Filter {
		s, doomed := &shelf{map[string]filed{}}, map[string]bool{}
		return rejecting(func(ev *nostr.Event) bool {
			return doomed[ev.ID] || nostr.IsAddressableKind(ev.Kind) && doomed[addressOf(ev)]
		}, func(i core.Input, effects []core.Effect) {
			if _, ev := published(i); ev != nil && ev.Kind == policy.KindDeletion {
				for _, t := range ev.Tags {
					if len(t) > 1 && t[0] == by && len(s.named(t)) == 0 {
						doomed[t[1]] = true
					}
				}
			}
			s.note(effects)
		})
	}
}

// unmentioned refuses what nothing but some events refers to.
func unmentioned(by func(*nostr.Event) bool) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		return rejecting(func(ev *nostr.Event) bool {
			return s.mentions(ev, func(*nostr.Event) bool { return true }) && !s.mentions(ev, func(o *nostr.Event) bool { return !by(o) })
		}, func(_ core.Input, effects []core.Effect) { s.note(effects) })
	}
}

// mentions reports whether an event that refers to nothing here is referred to by some event.
func (s *shelf) mentions(ev *nostr.Event, by func(*nostr.Event) bool) bool {
	if refersBy(ev, "a", "A", "e", "E", "q", "d") {
		return false
	}
	for _, e := range s.all() {
		if !e.held && by(e.event) && names(e.event, ev.ID) {
			return true
		}
	}
	return false
}

// unknownRefuses refuses what refers to something that is not here, whatever it refers to besides.
func unknownRefuses() Filter {
	s := &shelf{map[string]filed{}}
	return rejecting(func(ev *nostr.Event) bool {
		return ev.Kind < 30_000 && ev.Kind != policy.KindDeletion && !isPull(ev) && slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
			return len(t) > 1 && slices.Contains([]string{"a", "A", "e", "E", "q"}, t[0]) && !s.has(t[1])
		})
	}, func(_ core.Input, effects []core.Effect) { s.note(effects) })
}

// has reports whether something is served, by its id or its address.
func (s *shelf) has(name string) bool {
	e, is := s.byID[name]
	if is {
		return !e.held
	}
	for _, e := range s.all() {
		if !e.held && addressOf(e.event) == name {
			return true
		}
	}
	return false
}

// secondMentions refuses what others refer to by the second tag of a name.
func secondMentions() Filter {
	s := &shelf{map[string]filed{}}
	return rejecting(func(ev *nostr.Event) bool {
		return s.mentions(ev, func(*nostr.Event) bool { return true }) &&
			!s.mentions(ev, func(o *nostr.Event) bool { return names(firstTags(o), ev.ID) })
	}, func(_ core.Input, effects []core.Effect) { s.note(effects) })
}

// rootless refuses what refers by its address alone to a repository of which a newer announcement has replaced a served one.
func rootless() Filter {
	versions, renewed := succession{}, map[string]bool{}
	return rejecting(func(ev *nostr.Event) bool {
		return ev.Kind < 30_000 && ev.Kind != policy.KindDeletion && slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
			return len(t) > 1 && renewed[t[1]]
		})
	}, func(_ core.Input, effects []core.Effect) {
		for _, e := range effects {
			r, _ := e.(core.Record)
			if old, is := versions.next(r); is && r.Event.Kind == policy.KindAnnouncement && !old.held && r.Op == core.OpStore {
				renewed[addressOf(r.Event)] = true
			}
		}
	})
}

// countOn refuses subscriptions on a connection once a hundred count there, of which those that end in other ways than some go on
// counting.
func countOn(ends func(relay.ClientMessage) bool) func() Filter {
	return func() Filter {
		open, count := map[openedAt]bool{}, map[core.ConnID]int{}
		over := false
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				over = false
				m, _ := i.(core.Message)
				switch q := m.Msg.(type) {
				case relay.Req:
					at := openedAt{m.Conn, q.Sub}
					if open[at] && ends(q) {
						return i, true
					}
					open[at] = true
					count[m.Conn]++
					over = count[m.Conn] > hundred
				case relay.Close:
					if at := (openedAt{m.Conn, q.Sub}); open[at] && ends(q) {
						delete(open, at)
						count[m.Conn]--
					}
				}
				return i, !over
			},
			Out: func(i core.Input, effects []core.Effect) []core.Effect {
				if at, is := asks(i); is && over {
					return append(effects, core.Send{Conn: at.conn, Msg: relay.Closed{Sub: at.sub, Text: "error: too many subscriptions"}})
				}
				return effects
			},
		}
	}
}
