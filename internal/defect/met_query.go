package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// metQueryDefects are mistakes where a limit, an expiration or an authentication meets what waits, comes later or comes from
// elsewhere.
func metQueryDefects() []Defect {
	return []Defect{
		{Name: "limits-count-what-waits", Filter: limitsCountHeld},
		{Name: "limits-count-live-events", Filter: limitsCountLive},
		{Name: "expirations-of-states-unread", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			before := len(ev.Tags)
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "expiration" })
			return ev.Kind == policy.KindState && len(ev.Tags) < before
		})},
		{Name: "authentications-count-everywhere", Filter: authenticatedAnywhere},
	}
}

// limitsCountHeld takes the newest of what is served and what waits, and sends what is served of them.
func limitsCountHeld() Filter {
	var held []*nostr.Event
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		held = heldOf(held, effects)
		return amongNewest(i, effects, held)
	}}
}

// amongNewest sends, of what a query with a limit asks for, what is served of the newest together with others that are not.
func amongNewest(i core.Input, effects []core.Effect, others []*nostr.Event) []core.Effect {
	m, _ := i.(core.Message)
	q, asks := m.Msg.(relay.Req)
	if !asks || len(q.Filters) != 1 || q.Filters[0].Limit == nil {
		return effects
	}
	all := slices.DeleteFunc(slices.Clone(others), func(ev *nostr.Event) bool { return !wants(q.Filters, ev) })
	for _, e := range effects {
		if ev := stored(e, q.Sub); ev != nil {
			all = append(all, ev)
		}
	}
	slices.SortFunc(all, repo.CompareEvents)
	all = all[:min(len(all), *q.Filters[0].Limit)]
	return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
		ev := stored(e, q.Sub)
		return ev != nil && !slices.Contains(all, ev)
	})
}

// stored is the event that an effect sends to a subscription; nil if it is something else.
func stored(e core.Effect, sub string) *nostr.Event {
	send, _ := e.(core.Send)
	if m, is := send.Msg.(relay.EventFor); is && m.Sub == sub {
		return m.Event
	}
	return nil
}

// limitsCountLive sends no more new events to a subscription than its limit.
func limitsCountLive() Filter {
	type subscribed struct {
		conn core.ConnID
		sub  string
	}
	left := map[subscribed]int{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		m, _ := i.(core.Message)
		if q, asks := m.Msg.(relay.Req); asks {
			at := subscribed{m.Conn, q.Sub}
			delete(left, at)
			for _, f := range q.Filters {
				if f.Limit != nil && *f.Limit > 0 {
					left[at] = max(left[at], *f.Limit)
				}
			}
			return effects
		}
		return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
			send, _ := e.(core.Send)
			sent, is := send.Msg.(relay.EventFor)
			at := subscribed{send.Conn, sent.Sub}
			n, limited := left[at]
			if !is || !limited {
				return false
			}
			left[at] = n - 1
			return n <= 0
		})
	}}
}

// authenticatedAnywhere takes protected events of who has authenticated on any connection.
func authenticatedAnywhere() Filter {
	known := map[string]bool{}
	filter := edited(func(ev *nostr.Event, _ *shelf) bool {
		if !known[ev.PubKey] {
			return false
		}
		ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "-" })
		return true
	})()
	return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
		m, _ := i.(core.Message)
		if auth, is := m.Msg.(relay.Auth); is {
			for _, e := range effects {
				send, _ := e.(core.Send)
				if answer, said := send.Msg.(relay.OK); said && answer.Accepted {
					known[auth.Event.PubKey] = true
				}
			}
		}
		return filter.Out(i, effects)
	}}
}
