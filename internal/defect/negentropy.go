package defect

import (
	"encoding/hex"
	"math"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/negentropy"
	"github.com/graspkit/graspkit/reference/relay"
)

func negentropyDefects() []Defect {
	return []Defect{
		{
			Name: "negentropy-filter-ignored",
			Filter: in(func(m core.Message) core.Message {
				if open, ok := m.Msg.(relay.NegOpen); ok {
					open.Filter = relay.Filter{}
					m.Msg = open
				}
				return m
			}),
		},
		{
			Name: "negentropy-version-refused",
			Filter: out(func(i core.Input, e core.Effect) (core.Effect, bool) {
				m, _ := i.(core.Message)
				open, ok := m.Msg.(relay.NegOpen)
				if _, sends := e.(core.Send); ok && sends && len(open.Message) > 0 && open.Message[0] != negentropy.Version {
					return core.Send{Conn: m.Conn, Msg: relay.NegError{Sub: open.Sub, Text: "invalid: unknown version"}}, true
				}
				return e, true
			}),
		},
		{
			Name: "negentropy-close-ignored",
			Filter: func() Filter {
				return Filter{In: func(i core.Input) (core.Input, bool) {
					m, ok := i.(core.Message)
					_, closes := m.Msg.(relay.NegClose)
					return i, !ok || !closes
				}}
			},
		},
		{
			Name: "negentropy-closes-subscription",
			Filter: in(func(m core.Message) core.Message {
				if end, ok := m.Msg.(relay.NegClose); ok {
					m.Msg = relay.Close(end)
				}
				return m
			}),
		},
		{
			Name:   "negentropy-keeps-gone",
			Filter: func() Filter { return (&reconciler{gone: true, frame: core.ReconcileFrame}).filter() },
		},
		{
			Name:   "negentropy-unframed",
			Filter: func() Filter { return (&reconciler{frame: math.MaxInt}).filter() },
		},
		{
			Name:   "purgatory-leaks-negentropy",
			Filter: func() Filter { return (&reconciler{held: true, frame: core.ReconcileFrame}).filter() },
		},
		{
			Name:   "purgatory-counted",
			Filter: func() Filter { return counting(false) },
		},
		{
			Name:   "removed-events-counted",
			Filter: func() Filter { return counting(true) },
		},
		{
			Name:   "expiration-ignored",
			Filter: lasting,
		},
	}
}

// A kept is what the journal of a server holds, as its records say, with all that it should have forgotten if gone.
type kept struct {
	gone         bool
	stored, held []*nostr.Event
}

func without(events []*nostr.Event, id string) []*nostr.Event {
	return slices.DeleteFunc(events, func(ev *nostr.Event) bool { return ev.ID == id })
}

func (k *kept) take(effects []core.Effect) {
	for _, e := range effects {
		r, ok := e.(core.Record)
		if !ok {
			continue
		}
		k.held = without(k.held, r.ID)
		if !k.gone || r.Op == core.OpStore {
			k.stored = without(k.stored, r.ID)
		}
		switch r.Op { //nolint:exhaustive // what else there is takes away
		case core.OpStore:
			k.stored = append(k.stored, r.Event)
		case core.OpHold:
			k.held = append(k.held, r.Event)
		}
	}
}

// A reconciler answers in place of the server: from a set with what is held or gone, or in frames of its own.
type reconciler struct {
	held, gone bool
	frame      int
	shown      func(*nostr.Event) *nostr.Event // what clients see of an event of the journal; nil changes nothing
	kept       kept
	sessions   map[core.ConnID]*relay.Session
}

func (r *reconciler) filter() Filter {
	r.kept.gone, r.sessions = r.gone, map[core.ConnID]*relay.Session{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		r.kept.take(effects)
		switch i := i.(type) {
		case core.Started:
			r.kept.stored = append(r.kept.stored, i.Stored...)
		case core.ConnOpened:
			r.sessions[i.Conn] = &relay.Session{}
		case core.ConnClosed:
			delete(r.sessions, i.Conn)
		case core.Message:
			return r.answer(i, effects)
		}
		return effects
	}}
}

// answer puts an own answer in the place of the server's, unless that is a refusal.
func (r *reconciler) answer(m core.Message, effects []core.Effect) []core.Effect {
	session := r.sessions[m.Conn]
	if session == nil {
		return effects
	}
	var sub string
	var message []byte
	switch msg := m.Msg.(type) {
	case relay.NegOpen:
		sub, message = msg.Sub, msg.Message
		session.OpenSet(sub, r.set(msg.Filter), 0)
	case relay.NegMessage:
		sub, message = msg.Sub, msg.Message
	case relay.NegClose:
		session.CloseSet(msg.Sub)
	}
	for i, e := range effects {
		send, _ := e.(core.Send)
		if _, ok := send.Msg.(relay.NegAnswer); !ok || session.Set(sub) == nil {
			continue
		}
		if answer, err := session.Set(sub).Reconcile(message, r.frame); err == nil {
			effects[i] = core.Send{Conn: m.Conn, Msg: relay.NegAnswer{Sub: sub, Message: answer}}
		}
	}
	return effects
}

func (r *reconciler) set(f relay.Filter) *negentropy.Set {
	events := r.kept.stored
	if r.held {
		events = slices.Concat(events, r.kept.held)
	}
	var items []negentropy.Item
	wanted := f.Compile()
	for _, ev := range events {
		if r.shown != nil {
			ev = r.shown(ev)
		}
		if id, err := hex.DecodeString(ev.ID); err == nil && wanted.Matches(ev) {
			items = append(items, negentropy.Item{Time: uint64(ev.CreatedAt), ID: negentropy.ID(id)})
		}
	}
	return negentropy.NewSet(items)
}

// counting counts what is held as well, or what was served once and is gone.
func counting(gone bool) Filter {
	all, here := kept{gone: true}, kept{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		all.take(effects)
		here.take(effects)
		m, _ := i.(core.Message)
		asked, ok := m.Msg.(relay.Count)
		if !ok {
			return effects
		}
		for n, e := range effects {
			send, _ := e.(core.Send)
			counted, ok := send.Msg.(relay.Counted)
			if !ok {
				continue
			}
			more := here.held
			if gone {
				more = slices.DeleteFunc(slices.Clone(all.stored), func(ev *nostr.Event) bool { return slices.Contains(here.stored, ev) })
			}
			for _, ev := range more {
				if wants(asked.Filters, ev) {
					counted.Count++
				}
			}
			send.Msg = counted
			effects[n] = send
		}
		return effects
	}}
}

// lasting hides expirations from the core, and shows clients the events as they were sent.
func lasting() Filter {
	original := map[string]*nostr.Event{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			m, _ := i.(core.Message)
			ev, ok := m.Msg.(relay.Event)
			if !ok || ev.Event.Tags.Find("expiration") == nil {
				return i, true
			}
			original[ev.Event.ID] = ev.Event
			changed := *ev.Event
			changed.Tags = slices.DeleteFunc(slices.Clone(changed.Tags), func(tag nostr.Tag) bool { return tag[0] == "expiration" })
			ev.Event = &changed
			m.Msg = ev
			return m, true
		},
		Out: asSent(original),
	}
}
