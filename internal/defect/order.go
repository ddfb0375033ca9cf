package defect

import (
	"encoding/hex"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

func orderDefects() []Defect {
	return []Defect{
		{
			Name:   "states-by-arrival",
			Filter: byArrival(policy.KindState),
		},
		{
			Name:   "announcements-by-arrival",
			Filter: byArrival(policy.KindAnnouncement),
		},
		{
			Name:   "higher-id-wins",
			Filter: mirrored,
		},
		{
			Name: "peeled-entries-required",
			Filter: in(func(m core.Message) core.Message {
				ev, ok := m.Msg.(relay.Event)
				if !ok || ev.Event.Kind != policy.KindState {
					return m
				}
				changed := *ev.Event
				changed.Tags = slices.Clone(changed.Tags)
				for i, tag := range changed.Tags {
					if name, peeled := cutPeeled(tag[0]); peeled {
						changed.Tags[i] = append(nostr.Tag{name + "-peeled"}, tag[1:]...)
					}
				}
				ev.Event = &changed
				m.Msg = ev
				return m
			}),
		},
	}
}

func cutPeeled(name string) (string, bool) {
	const suffix = "^{}"
	if len(name) <= len(suffix) || name[len(name)-len(suffix):] != suffix {
		return name, false
	}
	return name[:len(name)-len(suffix)], true
}

// asSent shows clients the events, by id, as they were sent.
func asSent(original map[string]*nostr.Event) func(core.Input, []core.Effect) []core.Effect {
	return func(_ core.Input, effects []core.Effect) []core.Effect {
		for i, e := range effects {
			send, _ := e.(core.Send)
			if m, ok := send.Msg.(relay.EventFor); ok && original[m.Event.ID] != nil {
				m.Event = original[m.Event.ID]
				send.Msg = m
				effects[i] = send
			}
		}
		return effects
	}
}

// byArrival dates events of a kind in the order of their arrival, and shows clients the events as they were sent.
func byArrival(kind int) func() Filter {
	return func() Filter {
		original := map[string]*nostr.Event{}
		var last nostr.Timestamp
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				m, _ := i.(core.Message)
				ev, ok := m.Msg.(relay.Event)
				if !ok || ev.Event.Kind != kind || original[ev.Event.ID] != nil {
					return i, true
				}
				original[ev.Event.ID] = ev.Event
				changed := *ev.Event
				changed.CreatedAt = max(changed.CreatedAt, last+1)
				last = changed.CreatedAt
				ev.Event = &changed
				m.Msg = ev
				return m, true
			},
			Out: asSent(original),
		}
	}
}

// mirrored shows the core replaceable events under the mirror image of their ids, so that the order of ids is turned.
func mirrored() Filter {
	original := map[string]*nostr.Event{} // by mirrored id
	reconciling := (&reconciler{frame: core.ReconcileFrame, shown: func(ev *nostr.Event) *nostr.Event {
		if seen := original[ev.ID]; seen != nil {
			return seen
		}
		return ev
	}}).filter()
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			m, ok := i.(core.Message)
			if !ok {
				return i, true
			}
			switch msg := m.Msg.(type) {
			case relay.Event:
				if msg.Event.Kind != policy.KindAnnouncement && msg.Event.Kind != policy.KindState || !msg.IDOK {
					return i, true
				}
				changed := *msg.Event
				changed.ID = mirror(changed.ID)
				original[changed.ID] = msg.Event
				msg.Event = &changed
				m.Msg = msg
			case relay.Req:
				msg.Filters = slices.Clone(msg.Filters)
				for n, f := range msg.Filters {
					for _, id := range f.IDs {
						f.IDs = append(slices.Clone(f.IDs), mirror(id))
					}
					msg.Filters[n] = f
				}
				m.Msg = msg
			}
			return m, true
		},
		Out: func(in core.Input, effects []core.Effect) []core.Effect {
			effects = reconciling.Out(in, effects)
			for i, e := range effects {
				send, _ := e.(core.Send)
				switch m := send.Msg.(type) {
				case relay.EventFor:
					if ev := original[m.Event.ID]; ev != nil {
						m.Event = ev
						send.Msg = m
						effects[i] = send
					}
				case relay.OK:
					if ev := original[m.ID]; ev != nil {
						m.ID = ev.ID
						send.Msg = m
						effects[i] = send
					}
				}
			}
			return effects
		},
	}
}

func mirror(id string) string {
	b, err := hex.DecodeString(id)
	if err != nil {
		return id
	}
	for i := range b {
		b[i] = ^b[i]
	}
	return hex.EncodeToString(b)
}
