package defect

import (
	"regexp"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// plainIdentifier is an identifier that needs no escape.
var plainIdentifier = regexp.MustCompile(`^[A-Za-z0-9._-]*$`)

func refusalDefects() []Defect {
	return []Defect{
		{Name: "trailing-slash-refused", Filter: rejects(listing(func(value string) bool { return strings.HasSuffix(value, "/") }))},
		{Name: "schemes-compared", Filter: rejects(func(ev *nostr.Event) bool {
			return ev.Kind == policy.KindAnnouncement && (!begins(ev, "clone", "http://") || !begins(ev, "relays", "ws://"))
		})},
		{Name: "first-value-only", Filter: rejects(func(ev *nostr.Event) bool {
			return ev.Kind == policy.KindAnnouncement && slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
				return (t[0] == "clone" || t[0] == "relays") && len(t) > 2
			})
		})},
		{Name: "plain-identifiers-only", Filter: rejects(func(ev *nostr.Event) bool {
			return ev.Kind == policy.KindAnnouncement && !plainIdentifier.MatchString(ev.Tags.GetD())
		})},
		{Name: "unknown-tags-refused", Filter: rejects(func(ev *nostr.Event) bool {
			return ev.Kind == policy.KindAnnouncement && ev.Tags.Find("x-other") != nil
		})},
		{Name: "few-kinds-only", Filter: rejects(func(ev *nostr.Event) bool {
			return ev.Kind == 7 || ev.Kind == 1985 || ev.Kind >= 9802 && ev.Kind < 10000 || ev.Kind == 65535
		})},
		{Name: "statuses-refused", Filter: rejects(func(ev *nostr.Event) bool { return ev.Kind >= 1630 && ev.Kind <= 1633 })},
		{Name: "expirations-refused", Filter: rejects(func(ev *nostr.Event) bool { return ev.Tags.Find("expiration") != nil })},
		{Name: "old-replies-refused", Filter: rejects(func(ev *nostr.Event) bool { return ev.Kind == 1622 })},
		{Name: "comments-by-root-only", Filter: rejects(func(ev *nostr.Event) bool {
			return ev.Kind == 1111 && ev.Tags.Find("A") == nil && ev.Tags.Find("E") == nil
		})},
		{Name: "large-content-refused", Filter: rejects(func(ev *nostr.Event) bool { return len(ev.Content) > 10_000 })},
		{Name: "announcements-refused", Filter: rejects(func(ev *nostr.Event) bool { return ev.Kind == policy.KindAnnouncement })},
		{Name: "malformed-maintainers-refused", Filter: rejects(func(ev *nostr.Event) bool {
			list := ev.Tags.Find("maintainers")
			return ev.Kind == policy.KindAnnouncement && len(list) > 1 && !slices.ContainsFunc(list[1:2], nostr.IsValid32ByteHex)
		})},
		{Name: "quotes-ignored", Filter: rejects(func(ev *nostr.Event) bool { return refersBy(ev, "q") && !refersBy(ev, "a", "A", "e", "E") })},
		{Name: "mentions-ignored", Filter: rejects(func(ev *nostr.Event) bool {
			return ev.Kind == 1 && !refersBy(ev, "q", "a", "A", "e", "E")
		})},
		{Name: "replies-to-replies-refused", Filter: repliesRefused},
		{Name: "refusals-remembered", Filter: refusalsRemembered},
		{Name: "expiry-remembered", Filter: expiryRemembered},
		{Name: "bare-head-wedges", Filter: bareHeadWedges},
		{Name: "purgatory-crowded", Filter: crowded},
	}
}

// listing judges the values of the clone and relays tags of an announcement.
func listing(bad func(value string) bool) func(*nostr.Event) bool {
	return func(ev *nostr.Event) bool {
		return ev.Kind == policy.KindAnnouncement && slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
			return (t[0] == "clone" || t[0] == "relays") && slices.ContainsFunc(t[1:], bad)
		})
	}
}

// refersBy reports whether an event has one of the tags.
func refersBy(ev *nostr.Event, names ...string) bool {
	return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return slices.Contains(names, t[0]) })
}

// begins reports whether a value of a tag has a prefix.
func begins(ev *nostr.Event, tag, prefix string) bool {
	return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
		return t[0] == tag && slices.ContainsFunc(t[1:], func(v string) bool { return strings.HasPrefix(v, prefix) })
	})
}

// published returns the event of a message that publishes a proper one, or nil.
func published(i core.Input) (conn core.ConnID, ev *nostr.Event) {
	m, _ := i.(core.Message)
	if e, ok := m.Msg.(relay.Event); ok && e.IDOK && m.SigOK {
		return m.Conn, e.Event
	}
	return 0, nil
}

// rejects answers OK false to events that the core never sees.
func rejects(bad func(*nostr.Event) bool) func() Filter {
	return func() Filter { return rejecting(bad, nil) }
}

// rejecting is rejects with a look at the effects of the inputs that the core sees.
func rejecting(bad func(*nostr.Event) bool, see func(core.Input, []core.Effect)) Filter {
	rejected := false
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			_, ev := published(i)
			rejected = ev != nil && bad(ev)
			return i, !rejected
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if rejected {
				conn, ev := published(i)
				return append(effects, core.Send{Conn: conn, Msg: relay.OK{ID: ev.ID, Text: "invalid: not taken here"}})
			}
			if see != nil {
				see(i, effects)
			}
			return effects
		},
	}
}

// repliesRefused refuses what refers to a comment or a note.
func repliesRefused() Filter {
	replies := map[string]bool{}
	return rejecting(func(ev *nostr.Event) bool {
		return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && replies[t[1]] })
	}, func(i core.Input, _ []core.Effect) {
		if _, ev := published(i); ev != nil && (ev.Kind == 1 || ev.Kind == 1111) {
			replies[ev.ID] = true
		}
	})
}

// refusalsRemembered never takes an event that was refused before.
func refusalsRemembered() Filter {
	refused := map[string]bool{}
	return rejecting(func(ev *nostr.Event) bool { return refused[ev.ID] }, func(i core.Input, effects []core.Effect) {
		_, ev := published(i)
		for _, e := range effects {
			if n, ok := e.(core.Note); ok && ev != nil && n.Fact == core.EventRefused {
				refused[n.Event] = true
			}
		}
	})
}

// expiryRemembered never takes an event again whose time has run out.
func expiryRemembered() Filter {
	expired := map[string]bool{}
	return rejecting(func(ev *nostr.Event) bool { return expired[ev.ID] }, func(_ core.Input, effects []core.Effect) {
		for _, e := range effects {
			if n, ok := e.(core.Note); ok && (n.Fact == core.EventExpired || n.Fact == core.EventSoftened) {
				expired[n.Event] = true
			}
		}
	})
}

// bareHeadWedges refuses every state of an identifier after one whose HEAD has no prefix.
func bareHeadWedges() Filter {
	wedged := map[string]bool{}
	return rejecting(func(ev *nostr.Event) bool {
		if ev.Kind != policy.KindState {
			return false
		}
		was := wedged[ev.Tags.GetD()]
		if head := ev.Tags.Find("HEAD"); len(head) > 1 && strings.HasPrefix(head[1], "refs/") {
			wedged[ev.Tags.GetD()] = true
		}
		return was
	}, nil)
}

// crowded takes nothing to hold any more once one key has announced a hundred repositories.
func crowded() Filter {
	const many = 100
	by := map[string]int{}
	full := false
	return rejecting(func(ev *nostr.Event) bool {
		if ev.Kind == policy.KindAnnouncement {
			by[ev.PubKey]++
			full = full || by[ev.PubKey] > many
		}
		return full
	}, nil)
}
