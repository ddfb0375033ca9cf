package defect

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// classesDefects are mistakes with the classes of kinds, and with times that events name.
func classesDefects() []Defect {
	all := func(name string, kinds ...int) Defect {
		return Defect{Name: name, Filter: keptAll(func(ev *nostr.Event) bool { return slices.Contains(kinds, ev.Kind) })}
	}
	return []Defect{
		all("first-and-last-replaceable-kinds-kept-all", 10000, 19999),
		all("first-and-last-addressable-kinds-kept-all", 30000, 39999),
		all("contact-lists-kept-all", 3),
		{Name: "kinds-before-replaceable-replaced", Filter: keptOne(func(ev *nostr.Event) bool { return ev.Kind == 9999 })},
		{Name: "kinds-beyond-15-bits-refused", Filter: rejects(func(ev *nostr.Event) bool { return ev.Kind > 32767 })},
		{Name: "late-expirations-overflow", Filter: rejects(func(ev *nostr.Event) bool {
			t := ev.Tags.Find("expiration")
			if len(t) < 2 {
				return false
			}
			at, err := strconv.ParseInt(t[1], 10, 64)
			return err == nil && at >= 1<<32
		})},
		{Name: "expirations-beyond-a-year-refused", Filter: rejects(func(ev *nostr.Event) bool {
			t := ev.Tags.Find("expiration")
			return len(t) > 1 && strings.Compare(t[1], "1950000000") > 0
		})},
		{Name: "expired-events-counted", Filter: expiredShown(false)},
		{Name: "expired-events-found-by-id", Filter: expiredShown(true)},
		authenticationsTimed("early-authentications-count", func(at, now time.Duration) bool { return at < now }),
		authenticationsTimed("late-authentications-count", func(at, now time.Duration) bool { return at > now }),
		{Name: "authentications-of-any-kind", Filter: authenticated(func(ev *nostr.Event) { ev.Kind = 22242 })},
	}
}

// keptAll finds also the versions that others have replaced.
func keptAll(which func(*nostr.Event) bool) func() Filter {
	return func() Filter {
		var gone []*nostr.Event
		byID := map[string]*nostr.Event{}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			_, ev := published(i)
			for _, e := range effects {
				r, _ := e.(core.Record)
				if r.Op == core.OpStore {
					byID[r.ID] = r.Event
				}
				if old := byID[r.ID]; r.Op == core.OpUnstore && old != nil && which(old) && ev != nil && ev.Kind == old.Kind {
					gone = append(gone, old)
				}
			}
			return showing(i, effects, gone)
		}}
	}
}

// keptOne finds the newest version alone of kinds that have no versions.
func keptOne(which func(*nostr.Event) bool) func() Filter {
	return func() Filter {
		newest, hidden := map[string]*nostr.Event{}, map[string]bool{}
		return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				r, _ := e.(core.Record)
				if r.Op != core.OpStore || !which(r.Event) {
					continue
				}
				if old := newest[r.Event.PubKey]; old != nil && old.ID != r.ID {
					hidden[old.ID] = true
				}
				newest[r.Event.PubKey] = r.Event
			}
			return hiding(hidden, effects)
		}}
	}
}

// expiredShown counts what has expired, or finds it by its id.
func expiredShown(byID bool) func() Filter {
	return func() Filter {
		all := map[string]*nostr.Event{}
		var expired []*nostr.Event
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			_, ev := published(i)
			for _, e := range effects {
				r, _ := e.(core.Record)
				if r.Op == core.OpStore {
					all[r.ID] = r.Event
				}
				if old := all[r.ID]; r.Op == core.OpUnstore && old != nil && old.Tags.Find("expiration") != nil && (ev == nil || ev.Kind != policy.KindDeletion) {
					expired = append(expired, old)
				}
			}
			if byID {
				m, _ := i.(core.Message)
				if q, is := m.Msg.(relay.Req); is && q.Filters[0].IDs != nil {
					return showing(i, effects, expired)
				}
				return effects
			}
			return countedToo(i, effects, expired)
		}}
	}
}

// countedToo counts others along that a count asks for.
func countedToo(i core.Input, effects []core.Effect, others []*nostr.Event) []core.Effect {
	m, _ := i.(core.Message)
	q, is := m.Msg.(relay.Count)
	return recounted(effects, func(n int) int {
		for _, ev := range others {
			if is && wants(q.Filters, ev) {
				n++
			}
		}
		return n
	})
}

// authenticated changes the events by which clients authenticate.
func authenticated(change func(*nostr.Event)) func() Filter {
	return in(func(m core.Message) core.Message {
		if auth, is := m.Msg.(relay.Auth); is {
			changed := *auth.Event
			change(&changed)
			auth.Event = &changed
			m.Msg = auth
		}
		return m
	})
}

// authenticationsTimed takes authentications of some other times for those of now.
func authenticationsTimed(name string, which func(at, now time.Duration) bool) Defect {
	return Defect{Name: name, Core: func(m core.Machine) core.Machine { return &ageless{m, which} }}
}

type ageless struct {
	core.Machine
	which func(at, now time.Duration) bool
}

// Step implements core.Machine.
func (a *ageless) Step(now instant.Instant, i core.Input, out *core.Effects) {
	m, _ := i.(core.Message)
	if auth, is := m.Msg.(relay.Auth); is {
		clock := now.Unix()
		if at := time.Duration(auth.Event.CreatedAt) * time.Second; a.which(at, time.Duration(clock)*time.Second) {
			changed := *auth.Event
			changed.CreatedAt = nostr.Timestamp(clock)
			auth.Event = &changed
			m.Msg = auth
			i = m
		}
	}
	a.Machine.Step(now, i, out)
}
