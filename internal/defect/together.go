package defect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// togetherDefects are mistakes that show where two ordinary things come together: of what a relay is told and tells.
func togetherDefects() []Defect {
	return []Defect{
		// A backslash before one of these characters' escapes is text, and the escape is none.
		{Name: "words-of-escapes-taken-for-escapes", Heard: func(msg []byte) []byte {
			return bytes.ReplaceAll(msg, []byte(`\\u2028`), []byte("\\\\\u2028"))
		}},
		verbsRepeatedRaw(),
		{Name: "replaceables-of-deleted-addresses-return", Filter: addressesForgotten},
		{Name: "refused-states-take-the-place", Filter: refusedTakePlace},
	}
}

// verbsRepeatedRaw repeats a verb that it does not know in its answer, without a thought of what has to be escaped there.
func verbsRepeatedRaw() Defect {
	var last atomic.Value
	last.Store("")
	return Defect{
		Name: "verbs-repeated-raw",
		Heard: func(msg []byte) []byte {
			var parts []json.RawMessage
			var verb string
			if json.Unmarshal(msg, &parts) == nil && len(parts) > 0 && json.Unmarshal(parts[0], &verb) == nil && strings.Contains(verb, `"`) {
				last.Store(verb)
			}
			return msg
		},
		Frame: func(frame []byte) []byte {
			verb, _ := last.Load().(string)
			if verb == "" || !bytes.HasPrefix(frame, []byte(`["NOTICE",`)) {
				return frame
			}
			last.Store("")
			return []byte(`["NOTICE","invalid: unknown verb ` + verb + `"]`)
		},
	}
}

// addressesForgotten takes a replaceable event again whose address was deleted, while it remembers ids and the addresses of
// events with an identifier.
func addressesForgotten() Filter {
	s, gone := &shelf{map[string]filed{}}, map[string]bool{}
	var back []*nostr.Event
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		_, ev := published(i)
		if ev != nil && ev.Kind == policy.KindDeletion {
			for _, t := range ev.Tags {
				for _, e := range s.named(t) {
					if t[0] == "a" && nostr.IsReplaceableKind(e.event.Kind) && e.event.PubKey == ev.PubKey {
						gone[e.event.ID] = true
					}
				}
			}
		}
		s.note(effects)
		effects = slices.Clone(effects)
		if ev != nil && gone[ev.ID] {
			for n, e := range effects {
				send, _ := e.(core.Send)
				if m, is := send.Msg.(relay.OK); is && !m.Accepted {
					effects[n] = core.Send{Conn: send.Conn, Msg: relay.OK{ID: m.ID, Accepted: true}}
					back = append(back, ev)
				}
			}
		}
		m, _ := i.(core.Message)
		q, asks := m.Msg.(relay.Req)
		for _, ev := range back {
			if asks && wants(q.Filters, ev) {
				effects = slices.Insert(effects, 0, core.Effect(core.Send{Conn: m.Conn, Msg: relay.EventFor{Sub: q.Sub, Event: ev}}))
			}
		}
		return effects
	}}
}

// refusedTakePlace refuses a state whose branches cannot be beside each other once it has taken the place of the one before.
func refusedTakePlace() Filter {
	s := &shelf{map[string]filed{}}
	within := func(ev *nostr.Event) bool {
		return ev.Kind == policy.KindState && slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
			return slices.ContainsFunc(ev.Tags, func(o nostr.Tag) bool { return strings.HasPrefix(t[0], o[0]+"/") })
		})
	}
	filter := rejecting(within, func(_ core.Input, effects []core.Effect) { s.note(effects) })
	erased := erasing(func(i core.Input, _ []core.Effect) []core.Message {
		conn, ev := published(i)
		if ev == nil || !within(ev) {
			return nil
		}
		var more []core.Message
		for id, e := range s.all() {
			if o := e.event; o.Kind == ev.Kind && o.PubKey == ev.PubKey && o.Tags.GetD() == ev.Tags.GetD() {
				more = append(more, removal(conn, o.PubKey, o.CreatedAt, id))
			}
		}
		return more
	})
	return Filter{
		In:   filter.In,
		Out:  func(i core.Input, effects []core.Effect) []core.Effect { return erased.Out(i, filter.Out(i, effects)) },
		Also: erased.Also,
	}
}
